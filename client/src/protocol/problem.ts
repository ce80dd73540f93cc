/** Every failure that a caller can act on, as one closed table, and the error that carries it. */
import * as z from 'zod/mini'
import { shorten } from './shorten.ts'

/** An entry of the table. */
interface ProblemEntry {
  readonly status: number
  readonly title: string
  /** The error code of RFC 6749 §5.2, where an OAuth 2.0 endpoint answers with this problem. */
  readonly oauth?: string
  /**
   * What the connector sends as `code`: six digits, origin (1 general, 2 transaction, 3 certificate, 4 meta, 5 file exchange,
   * 6 identity, 7 reader, 8 proxy), type (01 reader, 02 card, 04 security, 05 configuration, 06 input, 08 PIN, 11 module, 12 system,
   * 13 I/O, 14 consent), detail.
   */
  readonly wire?: string
}

/** The problems by name, subject first. The status is the HTTP status of the answer. */
export const problems = {
  'body-malformed': {
    status: 400,
    title: 'The body cannot be read',
    oauth: 'invalid_request',
    wire: '106001',
  },
  'os-undetermined': { status: 400, title: 'The operating system is not known' },
  'grant-refused': { status: 400, title: 'The credentials are refused', oauth: 'invalid_grant' },
  'grant-unsupported': {
    status: 400,
    title: 'The grant type is not offered',
    oauth: 'unsupported_grant_type',
  },
  // Not in RFC 6749: the code that other providers have for it.
  'second-factor-required': {
    status: 400,
    title: 'The code of the second factor is missing',
    oauth: 'mfa_required',
  },
  'password-refused': { status: 403, title: 'The password is refused' },
  'code-refused': { status: 403, title: 'The code is refused' },
  'client-refused': { status: 401, title: 'The client is unknown', oauth: 'invalid_client' },
  'token-refused': {
    status: 401,
    title: 'The bearer token is missing or refused',
    wire: '104025',
  },
  'api-key-refused': { status: 401, title: 'The API key is missing or refused' },
  'assertion-refused': { status: 401, title: 'The assertion of the device is refused' },
  'assertion-replayed': { status: 409, title: 'The device sent a later assertion already' },
  'clock-skewed': { status: 401, title: 'The clocks of device and service are too far apart' },
  'device-blocked': { status: 403, title: 'The device is blocked' },
  'device-unknown': { status: 404, title: 'No such device' },
  'keystore-unknown': { status: 404, title: 'No such keystore' },
  'logs-unknown': { status: 404, title: 'No such logs' },
  'service-busy': { status: 503, title: 'The service is busy' },
  'service-stopping': { status: 503, title: 'This node of the service stops' },
  'database-unavailable': {
    status: 503,
    title: 'The database cannot be used',
    oauth: 'server_error',
  },
  'packages-unavailable': { status: 503, title: 'The packages cannot be changed' },
  'role-missing': { status: 403, title: 'The token does not carry the role' },
  'page-refused': {
    status: 403,
    title: 'Not for web pages',
    oauth: 'unauthorized_client',
  },
  'route-unknown': { status: 404, title: 'No such route', wire: '112999' },
  'module-unknown': { status: 404, title: 'No such module', wire: '411001' },
  'version-unknown': { status: 404, title: 'No such version' },
  'configuration-unknown': { status: 404, title: 'No such configuration' },
  'organization-unknown': { status: 404, title: 'No such organization' },
  'label-unknown': { status: 404, title: 'No such label' },
  'signing-key-unknown': { status: 404, title: 'No such signing key' },
  'administrator-unknown': { status: 404, title: 'No such administrator' },
  'installer-unknown': { status: 404, title: 'No such installer' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'request-too-slow': { status: 408, title: 'The request came too slowly' },
  'session-unknown': { status: 404, title: 'No such session' },
  'second-factor-unknown': { status: 404, title: 'There is no second factor' },
  'second-factor-taken': { status: 409, title: 'There is a second factor' },
  'version-taken': { status: 409, title: 'The version is taken' },
  'version-in-use': { status: 409, title: 'The version is in use' },
  'installer-in-use': { status: 409, title: 'The installer is in use' },
  'keystore-in-use': { status: 409, title: 'The keystore is in use' },
  'installers-missing': { status: 409, title: 'Devices would stop with nothing to update to' },
  'configuration-taken': { status: 409, title: 'The version has such a configuration' },
  'configuration-moved': { status: 409, title: 'A configuration keeps its version and type' },
  'organization-taken': { status: 409, title: 'The organization id is taken' },
  'organization-in-use': { status: 409, title: 'The organization is in use' },
  'label-taken': { status: 409, title: 'The label id is taken' },
  'label-moved': { status: 409, title: 'A label keeps its organization' },
  'administrator-taken': { status: 409, title: 'The name of the administrator is taken' },
  'administrator-last': { status: 409, title: 'One administrator stays' },
  'administrator-self': { status: 403, title: 'Not for the own account' },
  'api-key-taken': { status: 409, title: 'The API key is taken' },
  'changed-meanwhile': { status: 409, title: 'Somebody else changed it at the same time' },
  'reach-exceeded': { status: 409, title: 'It would reach more than was shown' },
  'revision-mismatch': { status: 412, title: 'It has another revision by now' },
  'length-required': { status: 411, title: 'The request has to say its length' },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    oauth: 'invalid_request',
    wire: '106002',
  },
  'content-type-unsupported': {
    status: 415,
    title: 'The content type is not supported',
    oauth: 'invalid_request',
    wire: '106003',
  },
  'range-unsatisfiable': { status: 416, title: 'The range lies outside the file' },
  'input-invalid': {
    status: 422,
    title: 'The input is invalid',
    oauth: 'invalid_request',
    wire: '106004',
  },
  'digest-mismatch': { status: 422, title: 'The bytes have another digest' },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    oauth: 'temporarily_unavailable',
    wire: '112429',
  },
  'header-too-large': { status: 431, title: 'The request header is too large', wire: '106005' },
  internal: { status: 500, title: 'The service failed', oauth: 'server_error', wire: '112500' },
  'host-refused': { status: 421, title: 'Not a name of this connector', wire: '104001' },
  'origin-refused': { status: 403, title: 'The origin is not allowed', wire: '104002' },
  'page-unnamed': { status: 403, title: 'A page has to name its origin', wire: '104003' },
  'csrf-header-missing': {
    status: 403,
    title: 'The header X-CSRF-Token is missing',
    wire: '104004',
  },
  'consent-required': { status: 403, title: 'The user has not consented', wire: '814501' },
  'management-refused': { status: 403, title: 'Not for this caller', wire: '104005' },
  'caller-refused': { status: 403, title: 'The program belongs to another user', wire: '104006' },
  'agent-unknown': { status: 409, title: 'The agent is not registered', wire: '115001' },
  'reader-unknown': { status: 400, title: 'No such reader', wire: '701001' },
  'card-absent': { status: 409, title: 'There is no card in the reader', wire: '702001' },
  'card-changed': { status: 409, title: 'The card is not the same any more', wire: '702002' },
  'card-unsupported': { status: 422, title: 'No module handles the card', wire: '702003' },
  'card-mute': { status: 503, title: 'The card does not answer properly', wire: '702004' },
  'card-busy': { status: 503, title: 'Another program uses the card', wire: '702005' },
  'command-refused': {
    status: 403,
    title: 'Pages do not send this command to a card',
    wire: '102001',
  },
  'card-session-unknown': { status: 409, title: 'No such session with a card', wire: '102002' },
  'key-unknown': { status: 422, title: 'The card has no such key', wire: '202001' },
  'key-unsupported': { status: 422, title: 'The key cannot do this', wire: '202002' },
  'dialog-unavailable': { status: 503, title: 'The user cannot be asked', wire: '108001' },
  'pin-busy': { status: 429, title: 'The user is being asked already', wire: '108002' },
  'pin-wrong': { status: 422, title: 'The PIN is wrong', wire: '108003' },
  'pin-blocked': { status: 409, title: 'The PIN is blocked', wire: '108004' },
  'pin-cancelled': { status: 409, title: 'The user gave no PIN', wire: '108005' },
  'pin-timeout': { status: 409, title: 'The user gave no PIN in time', wire: '108006' },
  'pin-invalid': { status: 422, title: 'The card accepts no such PIN', wire: '108007' },
  'identity-refused': {
    status: 403,
    title: 'The user does not share the identity data',
    wire: '604001',
  },
  'grant-missing': {
    status: 403,
    title: 'The administrator has not granted this',
    wire: '104007',
  },
  'file-type-unknown': { status: 422, title: 'No such type of files', wire: '505001' },
  'file-type-unmapped': { status: 409, title: 'The folder is not there any more', wire: '505002' },
  'file-type-refused': { status: 403, title: 'The user gives no folder', wire: '504001' },
  'file-type-managed': {
    status: 409,
    title: 'The administrator has given this folder',
    wire: '505003',
  },
  'file-path-refused': { status: 422, title: 'The path is not allowed', wire: '504002' },
  'file-unknown': { status: 422, title: 'No such file', wire: '513001' },
  'file-taken': { status: 409, title: 'There is such a file already', wire: '513002' },
  'file-too-large': { status: 413, title: 'The file is too large', wire: '513003' },
  'disk-failed': { status: 503, title: 'The disk refuses it', wire: '513004' },
  'disk-full': { status: 507, title: 'The disk is full', wire: '513005' },
  'printer-unknown': { status: 422, title: 'No such printer', wire: '106006' },
  'printing-unavailable': { status: 503, title: 'This machine does not print', wire: '112504' },
  'store-unavailable': { status: 503, title: 'The store cannot be used', wire: '112505' },
  'printing-refused': { status: 409, title: 'The printer takes no job', wire: '113002' },
  'policy-expired': {
    status: 503,
    title: 'The policy of the service has expired',
    wire: '105001',
  },
  'pcsc-unavailable': { status: 503, title: 'The card service cannot be reached', wire: '112503' },
  'certificate-refused': {
    status: 409,
    title: 'The certificates stay as they are',
    wire: '304001',
  },
  'logs-kept': { status: 409, title: 'There is nowhere to send the logs', wire: '113001' },
  'provider-unreachable': { status: 503, title: 'The identity provider cannot be reached' },
} as const satisfies Record<string, ProblemEntry>

export type ProblemName = keyof typeof problems

/** What a problem may say: faults, and bytes in JSON. The sender of a request decides how many faults it has. */
export const problemBounds = {
  faults: 20,
  messageBytes: 1000,
  faultPathBytes: 200,
  faultMessageBytes: 400,
} as const

/** One input field that is wrong: where it is (`uris[1].os`, empty for the whole) and why. */
export const FieldError = z.strictObject({ path: z.string(), message: z.string() })
export type FieldError = z.output<typeof FieldError>

/** The further members of a problem. */
export interface ProblemExtras {
  readonly errors?: readonly FieldError[]
  /** Addresses to request instead. */
  readonly choices?: readonly string[]
  /** Tries that the PIN has left. */
  readonly triesLeft?: number
  /** A PIN of a wrong form, which the card did not get. No part of the body. */
  readonly isPinUnsent?: true
  /** The revision that it has now. */
  readonly revision?: number
  /** Seconds after which the same request may succeed; sent as `Retry-After` (RFC 9110 §10.2.3). */
  readonly retryAfterS?: number
  /** How many the change would reach now. */
  readonly reach?: number
  /** A compact JWS (SignedRefusal): the service itself refuses. */
  readonly refusal?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A failure of the table; `message` is the sentence for the caller, and never has a secret in it. */
export class Problem extends Error {
  override readonly name: ProblemName
  readonly extras: ProblemExtras

  constructor(name: ProblemName, message: string, extras: ProblemExtras = {}) {
    super(shorten(message, problemBounds.messageBytes))
    this.name = name
    const { errors, ...others } = extras
    this.extras = errors ? { ...others, errors: boundFaults(errors) } : others
  }

  get status(): number {
    return problems[this.name].status
  }
}

const boundFaults = (faults: readonly FieldError[]) =>
  faults.slice(0, problemBounds.faults).map(({ path, message }) => ({
    path: shorten(path, problemBounds.faultPathBytes),
    message: shorten(message, problemBounds.faultMessageBytes),
  }))

/** The body of a failure: RFC 9457, and `success`, `code`, `description` for deployed clients. */
export const ProblemBody = z.object({
  success: z.literal(false),
  code: z.string().check(z.describe('Stable code of the problem')),
  description: z.string().check(z.describe('A sentence that says what to do')),
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string().check(z.describe('The request id, as a URN')),
  errors: z.optional(
    z
      .array(FieldError)
      .check(
        z.maxLength(problemBounds.faults),
        z.describe('The first fields that are wrong; `description` says how many more there are'),
      ),
  ),
  choices: z.optional(z.array(z.string())),
  triesLeft: z.optional(z.int().check(z.describe('Tries that the PIN has left'))),
  reach: z.optional(z.int().check(z.describe('How many the change would reach now'))),
  revision: z.optional(z.int().check(z.describe('The revision that it has now'))),
  refusal: z.optional(
    z.string().check(z.describe('`device-unknown`: a compact JWS by a reply key, for the device')),
  ),
})
export type ProblemBody = z.output<typeof ProblemBody>

/** The media type of a failure (RFC 9457 §3). */
export const problemType = 'application/problem+json'

/** How `code` is spelled: the name on the distribution service, six digits on the connector. */
export type ProblemSpelling = 'name' | 'wire'

/** The body of a problem, for the request with this id. */
export function problemBody(
  problem: Problem,
  requestId: string,
  spelling: ProblemSpelling = 'name',
): ProblemBody {
  const { status, title } = problems[problem.name]
  const { errors, choices, triesLeft, reach, revision, refusal } = problem.extras
  return {
    success: false,
    code: spelling === 'wire' ? getWireCode(problem.name) : problem.name,
    description: problem.message,
    type: `urn:cardwire:problem:${problem.name}`,
    title,
    status,
    detail: problem.message,
    instance: `urn:uuid:${requestId}`,
    ...(errors && { errors: [...errors] }),
    ...(choices && { choices: [...choices] }),
    ...(triesLeft !== undefined && { triesLeft }),
    ...(reach !== undefined && { reach }),
    ...(revision !== undefined && { revision }),
    ...(refusal !== undefined && { refusal }),
  }
}

/** A problem that only the distribution service has gets the code of an unknown failure. */
function getWireCode(name: ProblemName): string {
  const entry: ProblemEntry = problems[name]
  return entry.wire ?? '112500'
}
