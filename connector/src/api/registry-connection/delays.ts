/** Milliseconds between the steps to a registry. */
export const delays = {
  /** The APIs of a user wait a random part of this before they start a registry in place of one that ended. */
  maxTakeOverMs: 2000,
  /** Between two probes of a port that another program has. */
  portTakenMs: 5000,
  /** Between two probes of a service that does not answer, and after a failure. */
  retryMs: 1000,
  /** Before the next probe once the registry has ended. */
  registryEndedMs: 100,
  /** A renewed certificate is in its file a moment before it is served. */
  renewedCertificateMs: 500,
}
