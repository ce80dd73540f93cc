/** The variable by which Node, Bun and Deno accept any certificate, also for requests whose program cannot say otherwise: those of fetch. */

/** Why no request to another machine is sent: its server could be anybody. undefined: certificates are verified. */
export const findSkippedChecks = (
  environment: Readonly<Record<string, unknown>>,
): string | undefined =>
  // Node reads the first, Bun both.
  ['0', 'false'].includes(String(environment['NODE_TLS_REJECT_UNAUTHORIZED']))
    ? 'NODE_TLS_REJECT_UNAUTHORIZED turns off the verification of certificates: remove it, and set NODE_EXTRA_CA_CERTS to the file of your root certificate'
    : undefined
