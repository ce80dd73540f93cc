/** Why a request to a bucket failed, in words that an administrator can read: never with a key, an address or a signature. */
import { readElement } from './bucket-xml.ts'

/**
 * `unreachable`: it did not answer, or broke off; `busy`: it said that it could not; `refused`: it said no, and will again;
 * `missing`: what the request is about is not there.
 */
type FaultKind = 'unreachable' | 'busy' | 'refused' | 'missing'

export class BucketFault extends Error {
  readonly kind: FaultKind
  /** The word for it of S3's API, where the response had one. */
  readonly code: string | undefined

  /** `reason`: what the bucket does, such as `does not respond in time`. */
  constructor(reason: string, kind: FaultKind, code?: string) {
    super(`the bucket ${reason}`)
    this.kind = kind
    this.code = code
  }

  /** Whether the same request may succeed when it is sent again. */
  get isTemporary(): boolean {
    return this.kind === 'unreachable' || this.kind === 'busy'
  }
}

/** An error has a few lines; of one with more nothing is needed. */
const maxErrorBytes = 16 * 1024

const reasons: Readonly<Record<string, string>> = {
  AccessDenied: 'refuses access: check what its policy allows this access key',
  InvalidAccessKeyId: 'does not know the access key (AWS_ACCESS_KEY_ID)',
  SignatureDoesNotMatch:
    'refuses the signature: check AWS_SECRET_ACCESS_KEY, the region and the endpoint',
  ExpiredToken: 'refuses the session token (AWS_SESSION_TOKEN): it has expired',
  InvalidToken: 'refuses the session token (AWS_SESSION_TOKEN)',
  NoSuchBucket: 'does not exist',
  RequestTimeTooSkewed: 'refuses the time of this computer: check its clock',
  PermanentRedirect: 'is in another region, or at another endpoint',
  AuthorizationHeaderMalformed: 'refuses the region: check the parameter region',
  QuotaExceeded: 'is full',
  XMinioStorageFull: 'is full',
  InsufficientStorage: 'is full',
}
const reasonsByStatus: Readonly<Record<number, string>> = {
  301: 'is in another region, or at another endpoint',
  307: 'is in another region, or at another endpoint',
  403: 'refuses access: check the access key, the region and the endpoint, and what its policy allows',
  507: 'is full',
}

/** Reads what the response of a failure says. */
export async function readFault(response: Response): Promise<BucketFault> {
  const text = await readText(response, maxErrorBytes).catch(() => '')
  return createFault(response.status, readErrorCode(text))
}

/** The code that an error names; undefined where the text is none. */
export const readErrorCode = (text: string): string | undefined =>
  /^[A-Za-z][\w.]{0,63}$/.exec(readElement(text, 'Code') ?? '')?.[0]

const busyCodes = ['InternalError', 'SlowDown', 'ServiceUnavailable', 'RequestTimeout']

export function createFault(status: number, code: string | undefined): BucketFault {
  const named = reasons[code ?? ''] ?? reasonsByStatus[status]
  const words = code === undefined ? String(status) : `${status} ${code}`
  const reason = named === undefined ? `responded with ${words}` : `${named} (${words})`
  const isBusy =
    (status >= 500 && status !== 507) || status === 429 || busyCodes.includes(code ?? '')
  return new BucketFault(reason, isBusy ? 'busy' : status === 404 ? 'missing' : 'refused', code)
}

/** The text of a response with up to `maxBytes`. Throws a BucketFault where it has more. */
export async function readText({ body }: Response, maxBytes: number): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes) throw new BucketFault('sent too much', 'refused')
    text += decoder.decode(part, { stream: true })
  }
  return text
}

/** Codes of the system, Node and OpenSSL only: the rest of such an error may have anything in it. */
export function describeConnection(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (/CERT|TLS|SSL|SELF_SIGNED/.test(code))
      return `has no certificate that can be trusted (${code})`
    if (/^[A-Z][A-Z0-9_]{2,63}$/.test(code)) return `cannot be reached (${code})`
  }
  return 'cannot be reached'
}
