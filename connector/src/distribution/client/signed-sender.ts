/** Sends requests with an assertion of this device, on the clock of the service. */
import { toDsError } from './ds-response.ts'
import type { Identity } from './identity.ts'
import type { HttpRequest, HttpResponse, HttpTransport } from './transport.ts'

export interface SignedExchange {
  readonly response: HttpResponse
  /** The id of the assertion that the request was sent with. */
  readonly jti: string
  /** The time of the assertion, milliseconds since 1970: on the clock of the service, which has accepted it. */
  readonly assertedAt: number
}

export interface SignedSender {
  /** Throws DsError, Unreachable. */
  send(request: HttpRequest, subject: string, audience: string): Promise<SignedExchange>
  /** Milliseconds that the clock of the service is ahead of ours, by its last signed time. */
  clockOffsetMs(): number
  setClockOffset(offsetMs: number): void
}

interface SignedSenderOptions {
  readonly dsUrl: string
  readonly identity: Pick<Identity, 'signAssertion'>
  readonly transport: HttpTransport
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Milliseconds ahead: a wrong day, time zone or half of a day. The time of a refusal is not signed, and an assertion with a later time can be used at that time. */
const maxCorrectionMs = 48 * 3_600_000

export function createSignedSender(options: SignedSenderOptions): SignedSender {
  const { dsUrl, identity, transport, clock } = options
  let clockOffsetMs = 0

  /** Adds an assertion. When the service refuses its moment, sends once more with a better one, for each reason once. */
  async function send(
    request: HttpRequest,
    subject: string,
    audience: string,
    offsetMs: number,
    corrected: readonly string[] = [],
  ): Promise<SignedExchange> {
    const body = request.body ?? new Uint8Array()
    const now = clock() + offsetMs
    const { method, url } = request
    const path = url.slice(dsUrl.length)
    const signed = { subject, audience, method, path, body, now }
    const { token, jti } = await identity.signAssertion(signed)
    const response = await transport({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    })
    if (response.status < 400) return { response, jti, assertedAt: now }
    const error = toDsError(response, clock, jti)
    const date = Date.parse(response.headers['date'] ?? '')
    if (corrected.includes(error.code) || Number.isNaN(date)) throw error
    const nextMs = correct(error.code, date - clock(), offsetMs)
    if (nextMs === undefined || nextMs - clockOffsetMs > maxCorrectionMs) throw error
    return send(request, subject, audience, nextMs, [...corrected, error.code])
  }

  return {
    send: (request, subject, audience) => send(request, subject, audience, clockOffsetMs),
    clockOffsetMs: () => clockOffsetMs,
    setClockOffset(offsetMs) {
      clockOffsetMs = offsetMs
    },
  }
}

/** The offset to send once more with, after a refusal by a service whose clock is ahead by `aheadMs`; undefined: it has another reason. */
function correct(code: string, aheadMs: number, offsetMs: number): number | undefined {
  if (code === 'clock-skewed') return aheadMs
  // Another process of this device was first, as `cardwire sync` beside the connector: Date has whole seconds, so that
  // a clock that was corrected by it is up to a second behind the other one.
  return code === 'assertion-replayed' ? Math.max(offsetMs, aheadMs + 1000) : undefined
}
