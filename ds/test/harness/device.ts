/** A device: registers, asserts and synchronizes as a connector does, and verifies the replies. */
import { createHash, randomUUID } from 'node:crypto'
import {
  assertionKind,
  clockSkewS,
  type IdentityKey,
  listSuccessions,
  replyKind,
  Succession,
  SyncReply,
  serviceAudience,
  successionKind,
} from '@cardwire/protocol'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
} from 'jose'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import type {
  Json,
  ServiceRequestOptions,
  ServiceResponse,
} from '../../../test/bed/service-request.ts'

/** The service as a device sees it. */
export interface RemoteService extends Pick<DistributionService, 'url' | 'request'> {
  /** Milliseconds since 1970, by the clock of the device. */
  readonly clock?: () => number
}

export interface Identity {
  readonly privateKey: CryptoKey
  /** The same key, for decrypting what is encrypted to the device. */
  readonly decryptionKey: CryptoKey
  readonly key: IdentityKey
  readonly fingerprint: string
}

/** What a test does differently from a connector. */
export interface RequestChanges {
  /** Of the request that is asserted; a synchronization unless a test says otherwise. */
  readonly method?: string
  readonly path?: string
  readonly claims?: Json
  readonly header?: Json
  readonly signer?: CryptoKey
  /** Sent in place of the body that was asserted. */
  readonly sent?: string
  readonly token?: string
}

export interface Device extends Identity {
  readonly id: string
  readonly registration: Json
  /** Sends a request with an assertion. */
  request(
    method: string,
    path: string,
    body?: Json | Uint8Array,
    changes?: RequestChanges,
  ): Promise<ServiceResponse>
  /** Synchronizes; `reply` is verified and parsed. */
  sync(body?: Json, changes?: RequestChanges): Promise<ServiceResponse & { readonly reply: Json }>
  /** Accepts the keys of replies that known keys endorse; resolves with the number of known keys. */
  followKeyRotations(): Promise<number>
  /** An assertion for a request with this body: a synchronization, unless `changes` names another. */
  createAssertion(body?: string | Uint8Array, changes?: RequestChanges): Promise<string>
}

export async function createIdentity(): Promise<Identity> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const { x, y, d } = await exportJWK(pair.privateKey)
  const key: Json = { kty: 'EC', crv: 'P-256', x, y }
  const decryptionKey = (await importJWK({ ...key, d }, 'ECDH-ES')) as CryptoKey
  const { privateKey } = pair
  return { privateKey, decryptionKey, key, fingerprint: await calculateJwkThumbprint(key) }
}

const newest = new Map<string, number>()

/** The time of the next assertion: later with each call for a subject, as the contract requires. */
function nextAssertionTime(subject: string, now: number): number {
  const last = newest.get(subject) ?? 0
  const at = now < last - clockSkewS * 1000 ? now : Math.max(now, last + 1)
  newest.set(subject, at)
  return at / 1000
}

export async function createAssertion(
  service: RemoteService,
  { privateKey }: Pick<Identity, 'privateKey'>,
  subject: string,
  body: string | Uint8Array = '',
  { method = 'POST', path = '/v3/devices/sync', claims, header, signer }: RequestChanges = {},
): Promise<string> {
  const iat = nextAssertionTime(subject, (service.clock ?? Date.now)())
  return new SignJWT({
    iss: subject,
    sub: subject,
    aud: serviceAudience(service.url),
    htm: method,
    htu: `${serviceAudience(service.url)}${path}`,
    jti: randomUUID(),
    iat,
    exp: iat + assertionKind.lifetimeS,
    body: createHash('sha256').update(body).digest('base64url'),
    ...claims,
  })
    .setProtectedHeader({ alg: assertionKind.algorithm, typ: assertionKind.typ, ...header })
    .sign(signer ?? privateKey)
}

/** Registers with the installation key; resolves with the response. */
export async function register(
  service: RemoteService,
  identity: Identity,
  apikey: string,
  body: Json,
  { changes = {}, from }: { changes?: RequestChanges; from?: string } = {},
): Promise<ServiceResponse> {
  const text = JSON.stringify({ key: identity.key, platform: 'UNIX', ...body })
  const token = await createAssertion(service, identity, identity.fingerprint, text, {
    path: '/v3/devices',
    ...changes,
  })
  const options: ServiceRequestOptions = {
    token,
    body: text,
    headers: { apikey, 'content-type': 'application/json' },
    ...(from !== undefined && { from }),
  }
  return service.request('POST', '/v3/devices', options)
}

/** A device that registered for `version`, whose installation key this is. */
export async function createDevice(
  service: RemoteService,
  { id: version, installationApiKey }: Json,
  body: Json = {},
  identity?: Identity,
): Promise<Device> {
  const self = identity ?? (await createIdentity())
  const response = await register(service, self, installationApiKey, { version, ...body })
  const registration = response.json?.data
  if (!registration?.id) throw new Error(`Cannot register: ${response.status} ${response.text}`)
  const { id } = registration
  let known: Json[] = registration.replyKeys

  const createOwnAssertion: Device['createAssertion'] = (content = '', changes) =>
    createAssertion(service, self, id, content, changes)
  const request: Device['request'] = async (method, path, content, changes = {}) => {
    const bytes = content instanceof Uint8Array
    const text = bytes ? content : content === undefined ? undefined : JSON.stringify(content)
    const token = changes.token ?? (await createOwnAssertion(text, { method, path, ...changes }))
    return service.request(method, path, {
      token,
      ...(text !== undefined && {
        body: changes.sent ?? text,
        headers: { 'content-type': bytes ? 'application/gzip' : 'application/json' },
      }),
    })
  }

  return {
    ...self,
    id,
    registration,
    createAssertion: createOwnAssertion,
    request,
    async followKeyRotations() {
      const { json } = await service.request('GET', listSuccessions.path)
      known = await applyRotationStatements(known, json.data)
      return known.length
    },
    async sync(changedBody = {}, changes) {
      const response = await request(
        'POST',
        '/v3/devices/sync',
        { version, platform: body.platform ?? 'UNIX', ...changedBody },
        changes,
      )
      const jws = response.json?.data
      if (typeof jws !== 'string') return { ...response, reply: undefined }
      const { payload, protectedHeader } = await compactVerify(
        jws,
        createLocalJWKSet({ keys: known }),
        { algorithms: [replyKind.algorithm] },
      )
      if (protectedHeader.typ !== replyKind.typ) throw new Error(`typ ${protectedHeader.typ}`)
      const reply = SyncReply.parse(JSON.parse(new TextDecoder().decode(payload)))
      if (!reply.unchanged) known = reply.replyKeys
      return { ...response, reply }
    },
  }
}

/** Returns the known keys with those that they endorse, directly or through other keys. */
async function applyRotationStatements(
  known: readonly Json[],
  endorsements: readonly string[],
): Promise<Json[]> {
  const keys = new Map<string, Json>(known.map((key) => [key.kid, key]))
  // Oldest first: a key that endorses was endorsed before.
  for (const endorsement of endorsements) {
    const { kid = '', typ, jwk } = decodeProtectedHeader(endorsement)
    if (typ !== successionKind.typ) throw new Error(`typ ${typ}`)
    if (!keys.has(kid)) continue
    if (!jwk || (await calculateJwkThumbprint(jwk)) !== kid) throw new Error(`Not ${kid}`)
    const { payload } = await compactVerify(
      endorsement,
      await importJWK(jwk, successionKind.algorithm),
      {
        algorithms: [successionKind.algorithm],
      },
    )
    const { key } = Succession.parse(JSON.parse(new TextDecoder().decode(payload)))
    if ((await calculateJwkThumbprint(key)) !== key.kid) throw new Error(`Not ${key.kid}`)
    keys.set(key.kid, key)
  }
  return [...keys.values()]
}
