/** Every failure that a caller can act on, as one closed table, and the error that carries it. */
import * as z from 'zod/mini'
import { KeystoreCertificate } from './keystore-certificate.ts'
import { shorten } from './shorten.ts'

/** An entry of the table. */
interface ProblemEntry {
  readonly status: number
  readonly title: string
  /** The error code of RFC 6749 §5.2, where an OAuth 2.0 endpoint responds with this problem. */
  readonly oauth?: string
  /**
   * What the connector sends as `code`: six digits, origin (1 general, 2 transaction, 3 certificate, 4 meta, 5 file exchange,
   * 6 identity, 7 reader, 8 proxy), type (01 reader, 02 card, 04 security, 05 configuration, 06 input, 08 PIN, 11 module, 12 system,
   * 13 I/O, 14 consent), detail.
   */
  readonly wire?: string
}

/** The problems by name, subject first. The status is the HTTP status of the response. */
export const problems = {
  'body-malformed': {
    status: 400,
    title: 'The body can’t be parsed',
    oauth: 'invalid_request',
    wire: '106001',
  },
  'os-undetermined': { status: 400, title: 'Unknown operating system' },
  'grant-refused': { status: 400, title: 'Invalid credentials', oauth: 'invalid_grant' },
  'grant-unsupported': {
    status: 400,
    title: 'Unsupported grant type',
    oauth: 'unsupported_grant_type',
  },
  // Not in RFC 6749: the code that other providers have for it.
  'second-factor-required': {
    status: 400,
    title: 'Two-factor code required',
    oauth: 'mfa_required',
  },
  'password-refused': { status: 403, title: 'Password rejected' },
  'code-refused': { status: 403, title: 'Code rejected' },
  'client-refused': { status: 401, title: 'Unknown client', oauth: 'invalid_client' },
  'subject-token-refused': { status: 400, title: 'Token not accepted', oauth: 'invalid_grant' },
  'issuer-unreachable': {
    status: 503,
    title: 'The issuer of the token can’t be reached',
    oauth: 'temporarily_unavailable',
  },
  'program-refused': { status: 403, title: 'Not available to API clients' },
  'api-client-unknown': { status: 404, title: 'No such API client' },
  'api-client-taken': { status: 409, title: 'The API client already exists' },
  'api-client-limit': { status: 409, title: 'Too many API clients or credentials' },
  'token-refused': {
    status: 401,
    title: 'Missing or invalid bearer token',
    wire: '104025',
  },
  'api-key-refused': { status: 401, title: 'Missing or invalid API key' },
  'api-key-unsuitable': { status: 403, title: 'The API key is for something else' },
  'gateway-refused': { status: 403, title: 'Only for trusted proxies' },
  'assertion-refused': { status: 401, title: 'Invalid device assertion' },
  'assertion-replayed': { status: 409, title: 'The assertion was already used' },
  'clock-skewed': { status: 401, title: 'The clocks of device and service differ too much' },
  'device-blocked': { status: 403, title: 'The device is blocked', wire: '105002' },
  'device-unknown': { status: 404, title: 'No such device' },
  'keystore-unknown': { status: 404, title: 'No such keystore' },
  'logs-unknown': { status: 404, title: 'No such logs' },
  'service-busy': { status: 503, title: 'The service is busy' },
  'service-stopping': { status: 503, title: 'This node of the service is stopping' },
  'database-unavailable': {
    status: 503,
    title: 'The database is unavailable',
    oauth: 'server_error',
  },
  'packages-unavailable': { status: 503, title: 'The files can’t be read or changed' },
  'role-missing': { status: 403, title: 'Insufficient role' },
  'password-change-required': { status: 403, title: 'Change your password first' },
  'second-factor-setup-required': {
    status: 403,
    title: 'Set up two-factor authentication first',
  },
  'page-refused': {
    status: 403,
    title: 'Not available to web pages',
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
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-too-slow': { status: 408, title: 'The request came too slowly' },
  'session-unknown': { status: 404, title: 'No such session' },
  'second-factor-unknown': { status: 404, title: 'Two-factor authentication is off' },
  'second-factor-taken': { status: 409, title: 'Two-factor authentication is already on' },
  'version-taken': { status: 409, title: 'The version already exists' },
  'version-in-use': { status: 409, title: 'The version is in use' },
  'installer-in-use': { status: 409, title: 'The installer is in use' },
  'keystore-in-use': { status: 409, title: 'The keystore is in use' },
  'keystore-locked': { status: 422, title: 'The password doesn’t open the keystore' },
  'keystore-unreadable': { status: 422, title: 'The keystore can’t be read' },
  'keystore-unusable': { status: 422, title: 'Connectors can’t use the keystore' },
  'keystore-expired': { status: 422, title: 'The keystore has expired' },
  'installers-missing': { status: 409, title: 'Devices would stop without an update' },
  'configurations-large': {
    status: 409,
    title: 'The configurations of the version would be too large together',
  },
  'configuration-taken': { status: 409, title: 'The version already has this configuration' },
  'allowlist-missing': { status: 409, title: 'Devices would lose their allowlist' },
  'revision-unknown': { status: 404, title: 'No such revision' },
  'configuration-moved': { status: 409, title: 'A configuration can’t be moved' },
  'organization-taken': { status: 409, title: 'The organization ID already exists' },
  'organization-in-use': { status: 409, title: 'The organization is in use' },
  'label-taken': { status: 409, title: 'The label ID already exists' },
  'label-moved': { status: 409, title: 'A label can’t be moved' },
  'administrator-taken': { status: 409, title: 'The administrator already exists' },
  'administrator-last': { status: 409, title: 'At least one administrator is required' },
  'administrator-self': { status: 403, title: 'You can’t do this to your own account' },
  'api-key-taken': { status: 409, title: 'The API key already exists' },
  'changed-meanwhile': { status: 409, title: 'Someone else changed it at the same time' },
  'rollout-unknown': { status: 404, title: 'No such rollout' },
  'rollout-taken': { status: 409, title: 'The version already has a rollout' },
  'rollout-started': { status: 409, title: 'The rollout has already started' },
  'rollout-state': { status: 409, title: 'The rollout can’t change to this state' },
  'version-unsuitable': { status: 409, title: 'The version can’t be rolled out' },
  'version-in-rollout': { status: 409, title: 'The version is being rolled out' },
  'group-unknown': { status: 404, title: 'No such group' },
  'group-taken': { status: 409, title: 'The group name already exists' },
  'group-limit': { status: 409, title: 'There are too many groups' },
  'group-in-use': { status: 409, title: 'The group is in use' },
  'group-untrusted': {
    status: 409,
    title: 'A group with a keystore needs tags from administrators',
  },
  'change-unknown': { status: 404, title: 'No such bulk change' },
  'change-taken': { status: 409, title: 'The ID belongs to another change' },
  'reach-exceeded': { status: 409, title: 'The change affects more than you confirmed' },
  'second-administrator': { status: 403, title: 'A second administrator has to approve this' },
  'approval-limit': { status: 409, title: 'Too many changes are pending approval' },
  'approval-unknown': { status: 404, title: 'No such change is pending approval' },
  'webhook-unknown': { status: 404, title: 'No such webhook' },
  'webhook-limit': { status: 409, title: 'There are too many webhooks' },
  'webhook-address-refused': { status: 422, title: 'The webhook address is not allowed' },
  'delivery-unknown': { status: 404, title: 'No such delivery' },
  'revision-mismatch': { status: 412, title: 'The resource has changed since you read it' },
  'length-required': { status: 411, title: 'The request has no length' },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    oauth: 'invalid_request',
    wire: '106002',
  },
  'content-type-unsupported': {
    status: 415,
    title: 'Unsupported content type',
    oauth: 'invalid_request',
    wire: '106003',
  },
  'range-unsatisfiable': { status: 416, title: 'The range is outside the file' },
  'input-invalid': {
    status: 422,
    title: 'The input is invalid',
    oauth: 'invalid_request',
    wire: '106004',
  },
  'digest-mismatch': { status: 422, title: 'The hash does not match' },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    oauth: 'temporarily_unavailable',
    wire: '112429',
  },
  'header-too-large': { status: 431, title: 'The request header is too large', wire: '106005' },
  internal: { status: 500, title: 'The service failed', oauth: 'server_error', wire: '112500' },
  'host-refused': { status: 421, title: 'Unknown host name', wire: '104001' },
  'origin-refused': { status: 403, title: 'The origin is not allowed', wire: '104002' },
  'page-unnamed': { status: 403, title: 'The page didn’t send its origin', wire: '104003' },
  'csrf-header-missing': {
    status: 403,
    title: 'The header X-CSRF-Token is missing',
    wire: '104004',
  },
  'consent-required': { status: 403, title: 'The user has not consented', wire: '814501' },
  'management-refused': { status: 403, title: 'Not available to this caller', wire: '104005' },
  'caller-refused': { status: 403, title: 'The program belongs to another user', wire: '104006' },
  'agent-unknown': { status: 409, title: 'The agent is not registered', wire: '115001' },
  'reader-unknown': { status: 400, title: 'No such reader', wire: '701001' },
  'card-absent': { status: 409, title: 'There is no card in the reader', wire: '702001' },
  'card-changed': { status: 409, title: 'The card was removed or replaced', wire: '702002' },
  'card-unsupported': { status: 422, title: 'This card isn’t supported', wire: '702003' },
  'card-mute': { status: 503, title: 'The card isn’t responding properly', wire: '702004' },
  'card-busy': { status: 503, title: 'Another program is using the card', wire: '702005' },
  'command-refused': {
    status: 403,
    title: 'Pages can’t send this command to a card',
    wire: '102001',
  },
  'card-session-unknown': { status: 409, title: 'No such card session', wire: '102002' },
  'key-unknown': { status: 422, title: 'The card doesn’t have this key', wire: '202001' },
  'key-unsupported': { status: 422, title: 'The key can’t do this', wire: '202002' },
  'dialog-unavailable': { status: 503, title: 'The connector can’t show a window', wire: '108001' },
  'pin-busy': { status: 429, title: 'Another window is already open', wire: '108002' },
  'pin-wrong': { status: 422, title: 'The PIN is wrong', wire: '108003' },
  'pin-blocked': { status: 409, title: 'The PIN is blocked', wire: '108004' },
  'pin-cancelled': { status: 409, title: 'The user canceled the PIN entry', wire: '108005' },
  'pin-timeout': { status: 409, title: 'The user didn’t enter a PIN in time', wire: '108006' },
  'pin-invalid': { status: 422, title: 'The PIN isn’t valid for this card', wire: '108007' },
  'identity-refused': {
    status: 403,
    title: 'The user didn’t share the identity data',
    wire: '604001',
  },
  'grant-missing': {
    status: 403,
    title: 'The administrator hasn’t granted this',
    wire: '104007',
  },
  'file-type-unknown': {
    status: 422,
    title: 'The page has no folder for this type',
    wire: '505001',
  },
  'file-type-unmapped': { status: 409, title: 'The folder no longer exists', wire: '505002' },
  'file-type-refused': { status: 403, title: 'The user didn’t allow a folder', wire: '504001' },
  'file-type-managed': {
    status: 409,
    title: 'The administrator set this folder',
    wire: '505003',
  },
  'file-path-refused': { status: 422, title: 'The path is not allowed', wire: '504002' },
  'file-unknown': { status: 422, title: 'No such file', wire: '513001' },
  'file-taken': { status: 409, title: 'The file already exists', wire: '513002' },
  'file-too-large': { status: 413, title: 'The file is too large', wire: '513003' },
  'disk-failed': { status: 503, title: 'The disk reported an error', wire: '513004' },
  'disk-full': { status: 507, title: 'The disk is full', wire: '513005' },
  'printer-unknown': { status: 422, title: 'No such printer', wire: '106006' },
  'printing-unavailable': { status: 503, title: 'Printing is not available', wire: '112504' },
  'store-unavailable': { status: 503, title: 'The store is unavailable', wire: '112505' },
  'printing-refused': { status: 409, title: 'The printer rejected the job', wire: '113002' },
  'policy-expired': {
    status: 503,
    title: 'The policy of the service has expired',
    wire: '105001',
  },
  'pcsc-unavailable': {
    status: 503,
    title: 'The smart card service is unavailable',
    wire: '112503',
  },
  'certificate-refused': {
    status: 409,
    title: 'The certificates were not changed',
    wire: '304001',
  },
  'logs-kept': { status: 409, title: 'No server for logs is configured', wire: '113001' },
  'provider-unreachable': { status: 503, title: 'The identity provider is unavailable' },
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
  /** Of the keystore that the change would save. */
  readonly certificate?: KeystoreCertificate
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

/** The body of a failure: RFC 9457, and `success`, `code`, `description` for legacy clients. */
export const ProblemBody = z.object({
  success: z.literal(false),
  code: z.string().check(z.describe('The code of the problem, which never changes')),
  description: z.string().check(z.describe('A sentence that says what to do')),
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string().check(z.describe('The request ID, as a URN')),
  errors: z.optional(
    z
      .array(FieldError)
      .check(
        z.maxLength(problemBounds.faults),
        z.describe('The first fields that are wrong; `description` says how many more there are'),
      ),
  ),
  choices: z.optional(z.array(z.string())),
  triesLeft: z.optional(z.int().check(z.describe('The PIN attempts left'))),
  reach: z.optional(
    z.int().check(z.describe('How many devices, labels or sessions the change would now affect')),
  ),
  certificate: z.optional(KeystoreCertificate),
  revision: z.optional(z.int().check(z.describe('The current revision'))),
  refusal: z.optional(
    z
      .string()
      .check(
        z.describe(
          '`device-unknown`, `device-blocked`: a compact JWS by a reply key, for the device',
        ),
      ),
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
  const { errors, choices, triesLeft, reach, certificate, revision, refusal } = problem.extras
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
    ...(certificate && { certificate }),
    ...(revision !== undefined && { revision }),
    ...(refusal !== undefined && { refusal }),
  }
}

/** A problem that only the distribution service has gets the code of an unknown failure. */
function getWireCode(name: ProblemName): string {
  const entry: ProblemEntry = problems[name]
  return entry.wire ?? '112500'
}
