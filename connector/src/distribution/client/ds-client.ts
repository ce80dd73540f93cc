/** The client of the distribution service: sends requests that are signed with the identity key of this device. */
import { serviceAudience } from '@cardwire/protocol/assertion'
import { type Registration as RegistrationBody, registerDevice } from '@cardwire/protocol/device'
import { listSuccessions } from '@cardwire/protocol/sync'
import * as z from 'zod/mini'
import { errorText } from '../../system/error-text.ts'
import { DsError, readData, toDsError } from './ds-response.ts'
import type { Identity } from './identity.ts'
import { maxRotationStatementsBytes, RotationStatements, readSignerKid } from './key-chain.ts'
import { selectResponseSigningKeys } from './registration-keys.ts'
import { readOfferedKeys, verifyRegistration } from './signed-by-service.ts'
import { createSignedSender, type SignedExchange } from './signed-sender.ts'
import type { HeldResponse, HttpRequest, HttpTransport } from './transport.ts'
import type { ResponseSigningKey } from './verify-reply.ts'

export interface DsClient {
  /** Throws DsError, Unreachable. */
  register(request: RegisterRequest): Promise<Registration>
  /** The rotation statements of response signing keys, for `resolveKeyChain`. Throws DsError, Unreachable. */
  fetchRotationStatements(): Promise<readonly string[]>
  /** Sends a request of a registered device; `jti` is what the reply has to name. Throws DsError, Unreachable. */
  send(request: DeviceRequest): Promise<SignedExchange>
  /** Milliseconds that the clock of the service is ahead of ours, by its last signed time. */
  clockOffsetMs(): number
  setClockOffset(offsetMs: number): void
}

interface RegisterRequest {
  readonly installationKey: string
  readonly facts: Omit<RegistrationBody, 'key'>
  /** Fingerprints of the trusted reply keys; none: the keys that the service offers are trusted from then on. */
  readonly trusted: readonly string[]
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
  /** A longer response throws ResponseTooLarge. */
  readonly maxBytes?: number
  readonly held?: HeldResponse
}

interface DsClientOptions {
  readonly dsUrl: string
  readonly identity: Identity
  readonly transport: HttpTransport
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** What a connector reads of the reply to a registration: nothing that is not signed. */
const SignedData = z.object({ signed: z.string() })

export function createDsClient({ dsUrl, identity, transport, clock }: DsClientOptions): DsClient {
  const signed = createSignedSender({ dsUrl, identity, transport, clock })

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
    async register({ installationKey, trusted, facts }) {
      const request: HttpRequest = {
        method: 'POST',
        url: `${dsUrl}${registerDevice.path}`,
        headers: { 'content-type': 'application/json', apikey: installationKey },
        body: new TextEncoder().encode(JSON.stringify({ key: identity.publicKey, ...facts })),
      }
      const subject = identity.thumbprint
      const { response, jti } = await signed.send(request, subject, serviceAudience(dsUrl))
      const { signed: statement } = readData(response, SignedData)
      const replyKeys = await selectResponseSigningKeys(
        readOfferedKeys(statement),
        readSignerKid(statement),
        trusted,
        fetchRotationStatements,
      )
      const { id, url, cycle, iat } = await verifyRegistration(statement, replyKeys, {
        subject,
        jti,
      }).catch((error) => {
        const reason = `Cannot accept the registration: ${errorText(error)}`
        throw new DsError('registration-refused', reason)
      })
      signed.setClockOffset(Math.round(iat * 1000 - clock()))
      return { id, audience: url, replyKeys, cycle }
    },
    fetchRotationStatements,
    send({ device, audience, method, path, body, maxBytes, held }) {
      const request: HttpRequest = {
        method,
        url: `${dsUrl}${path}`,
        ...(body && { headers: { 'content-type': body.type }, body: body.bytes }),
        ...(maxBytes !== undefined && { maxBytes }),
        ...(held && { held }),
      }
      return signed.send(request, device, audience)
    },
    clockOffsetMs: signed.clockOffsetMs,
    setClockOffset: signed.setClockOffset,
  }
}
