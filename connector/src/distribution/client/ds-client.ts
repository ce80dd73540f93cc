/** The client of the distribution service: sends requests that are signed with the identity key of this device. */
import {
  listSuccessions,
  Registered,
  type Registration as RegistrationBody,
  registerDevice,
  serviceAudience,
} from '@cardwire/client/protocol'
import { readData, toDsError } from './ds-response.ts'
import type { Identity } from './identity.ts'
import { maxRotationStatementsBytes, RotationStatements } from './key-chain.ts'
import { selectResponseSigningKeys } from './registration-keys.ts'
import type { HttpRequest, HttpResponse, HttpTransport } from './transport.ts'
import type { ResponseSigningKey } from './verify-reply.ts'

export interface DsClient {
  /** Throws DsError, Unreachable. */
  register(request: RegisterRequest): Promise<Registration>
  /** The rotation statements of response signing keys, for `resolveKeyChain`. Throws DsError, Unreachable. */
  fetchRotationStatements(): Promise<readonly string[]>
  /** Sends a request of a registered device; `jti` is what the reply has to name. Throws DsError, Unreachable. */
  send(request: DeviceRequest): Promise<SignedExchange>
  /** Milliseconds that the clock of the service is ahead of ours, as far as it is known. */
  clockOffsetMs(): number
  setClockOffset(offsetMs: number): void
}

interface SignedExchange {
  readonly response: HttpResponse
  /** The id of the assertion that the request was sent with. */
  readonly jti: string
}

interface RegisterRequest {
  readonly installationKey: string
  readonly facts: Omit<RegistrationBody, 'key'>
  /** Fingerprints of the trusted reply keys; none: the keys that the service offers are trusted from then on. */
  readonly fingerprints: readonly string[]
}

interface Registration {
  readonly id: string
  readonly audience: string
  readonly replyKeys: readonly ResponseSigningKey[]
  readonly cycle: number
}

export interface DeviceRequest {
  readonly device: string
  readonly audience: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: { readonly type: string; readonly bytes: Uint8Array }
}

interface DsClientOptions {
  readonly dsUrl: string
  readonly identity: Identity
  readonly transport: HttpTransport
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export function createDsClient({ dsUrl, identity, transport, clock }: DsClientOptions): DsClient {
  let clockOffsetMs = 0

  /** Adds an assertion. When the service refuses its moment, sends once more with a better one, for each reason once. */
  async function sendSigned(
    request: HttpRequest,
    subject: string,
    audience: string,
    corrected: readonly string[] = [],
  ): Promise<SignedExchange> {
    const body = request.body ?? new Uint8Array()
    const now = clock() + clockOffsetMs
    const { token, jti } = await identity.signAssertion({ subject, audience, body, now })
    const response = await transport({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
    })
    if (response.status < 400) return { response, jti }
    const error = toDsError(response, clock)
    const date = Date.parse(response.headers['date'] ?? '')
    if (corrected.includes(error.code) || Number.isNaN(date)) throw error
    if (error.code === 'clock-skewed') clockOffsetMs = date - clock()
    // Another process of this device was first, as `cardwire sync` beside the connector: Date has whole seconds, so that
    // a clock that was corrected by it is up to a second behind the other one.
    else if (error.code === 'assertion-replayed')
      clockOffsetMs = Math.max(clockOffsetMs, date + 1000 - clock())
    else throw error
    return sendSigned(request, subject, audience, [...corrected, error.code])
  }

  /** Needs no assertion: the list is public, and each statement in it is verified by itself. */
  async function fetchRotationStatements(): Promise<readonly string[]> {
    const response = await transport({
      method: 'GET',
      url: `${dsUrl}${listSuccessions.path}`,
      maxBytes: maxRotationStatementsBytes,
    })
    if (response.status !== 200) throw toDsError(response, clock)
    return readData(response, RotationStatements)
  }

  return {
    async register({ installationKey, fingerprints, facts }) {
      const request: HttpRequest = {
        method: 'POST',
        url: `${dsUrl}${registerDevice.path}`,
        headers: { 'content-type': 'application/json', apikey: installationKey },
        body: new TextEncoder().encode(JSON.stringify({ key: identity.publicKey, ...facts })),
      }
      const { response } = await sendSigned(request, identity.thumbprint, serviceAudience(dsUrl))
      const { id, url, replyKeys: offered, cycle } = readData(response, Registered)
      const replyKeys = await selectResponseSigningKeys(
        offered,
        fingerprints,
        fetchRotationStatements,
      )
      return { id, audience: url, replyKeys, cycle }
    },
    fetchRotationStatements,
    send({ device, audience, method, path, body }) {
      const request: HttpRequest = {
        method,
        url: `${dsUrl}${path}`,
        ...(body && { headers: { 'content-type': body.type }, body: body.bytes }),
      }
      return sendSigned(request, device, audience)
    },
    clockOffsetMs: () => clockOffsetMs,
    setClockOffset(offsetMs) {
      clockOffsetMs = offsetMs
    },
  }
}
