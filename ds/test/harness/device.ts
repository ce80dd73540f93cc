/** A device: registers, asserts and synchronises as a connector does, and verifies what it is told. */
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
} from '@cardwire/client/protocol'
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
import type { Answer, Ask, Json, Service } from './service.ts'

/** The service as a device sees it. */
export interface Far extends Pick<Service, 'url' | 'ask'> {
  /** Milliseconds since 1970, by the clock of the device. */
  readonly clock?: () => number
}

export interface Identity {
  readonly privateKey: CryptoKey
  /** The same key as the recipient of what is encrypted to the device. */
  readonly opener: CryptoKey
  readonly key: IdentityKey
  readonly fingerprint: string
}

/** What a test does differently from a connector. */
export interface Twist {
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
  /** Asserts and asks. */
  ask(method: string, path: string, body?: Json | Uint8Array, twist?: Twist): Promise<Answer>
  /** Synchronises; `reply` is verified and parsed. */
  sync(body?: Json, twist?: Twist): Promise<Answer & { readonly reply: Json }>
  /** Follows the keys of replies from those it knows; answers with how many it knows now. */
  follow(): Promise<number>
  /** An assertion for a request with this body. */
  assert(body?: string | Uint8Array, twist?: Twist): Promise<string>
}

export async function anIdentity(): Promise<Identity> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const { x, y, d } = await exportJWK(pair.privateKey)
  const key: Json = { kty: 'EC', crv: 'P-256', x, y }
  const opener = (await importJWK({ ...key, d }, 'ECDH-ES')) as CryptoKey
  const { privateKey } = pair
  return { privateKey, opener, key, fingerprint: await calculateJwkThumbprint(key) }
}

const newest = new Map<string, number>()

/** Later with each call for a subject, as the contract wants it. */
function nextAssertion(subject: string, now: number): number {
  const last = newest.get(subject) ?? 0
  const at = now < last - clockSkewS * 1000 ? now : Math.max(now, last + 1)
  newest.set(subject, at)
  return at / 1000
}

export async function assertion(
  far: Far,
  { privateKey }: Pick<Identity, 'privateKey'>,
  subject: string,
  body: string | Uint8Array = '',
  { claims, header, signer }: Twist = {},
): Promise<string> {
  const iat = nextAssertion(subject, (far.clock ?? Date.now)())
  return new SignJWT({
    ...{ iss: subject, sub: subject, aud: serviceAudience(far.url), jti: randomUUID() },
    ...{ iat, exp: iat + assertionKind.lifetimeS },
    body: createHash('sha256').update(body).digest('base64url'),
    ...claims,
  })
    .setProtectedHeader({ alg: assertionKind.algorithm, typ: assertionKind.typ, ...header })
    .sign(signer ?? privateKey)
}

/** Registers with the installation key; answers with whatever the service says. */
export async function register(
  far: Far,
  identity: Identity,
  apikey: string,
  body: Json,
  { twist = {}, from }: { twist?: Twist; from?: string } = {},
): Promise<Answer> {
  const text = JSON.stringify({ key: identity.key, platform: 'UNIX', ...body })
  const token = await assertion(far, identity, identity.fingerprint, text, twist)
  const options: Ask = {
    ...{ token, body: text, headers: { apikey, 'content-type': 'application/json' } },
    ...(from !== undefined && { from }),
  }
  return far.ask('POST', '/v3/devices', options)
}

/** A device that registered for `version`, whose installation key this is. */
export async function aDevice(
  far: Far,
  { id: version, installationApiKey }: Json,
  body: Json = {},
  identity?: Identity,
): Promise<Device> {
  const self = identity ?? (await anIdentity())
  const answer = await register(far, self, installationApiKey, { version, ...body })
  const registration = answer.json?.data
  if (!registration?.id) throw new Error(`Cannot register: ${answer.status} ${answer.text}`)
  const { id } = registration
  let known: Json[] = registration.replyKeys

  const assert: Device['assert'] = (sent = '', twist) => assertion(far, self, id, sent, twist)
  const ask: Device['ask'] = async (method, path, content, twist = {}) => {
    const bytes = content instanceof Uint8Array
    const text = bytes ? content : content === undefined ? undefined : JSON.stringify(content)
    const token = twist.token ?? (await assert(text, twist))
    return far.ask(method, path, {
      token,
      ...(text !== undefined && {
        body: twist.sent ?? text,
        headers: { 'content-type': bytes ? 'application/gzip' : 'application/json' },
      }),
    })
  }

  return {
    ...self,
    ...{ id, registration, assert, ask },
    async follow() {
      const { json } = await far.ask('GET', listSuccessions.path)
      known = await followed(known, json.data)
      return known.length
    },
    async sync(said = {}, twist) {
      const answer = await ask(
        'POST',
        '/v3/devices/sync',
        { version, platform: body.platform ?? 'UNIX', ...said },
        twist,
      )
      const jws = answer.json?.data
      if (typeof jws !== 'string') return { ...answer, reply: undefined }
      const { payload, protectedHeader } = await compactVerify(
        jws,
        createLocalJWKSet({ keys: known }),
        { algorithms: [replyKind.algorithm] },
      )
      if (protectedHeader.typ !== replyKind.typ) throw new Error(`typ ${protectedHeader.typ}`)
      const reply = SyncReply.parse(JSON.parse(new TextDecoder().decode(payload)))
      if (!reply.unchanged) known = reply.replyKeys
      return { ...answer, reply }
    },
  }
}

/** The keys that are known, and those that they vouch for, in as many steps as it takes. */
async function followed(known: readonly Json[], words: readonly string[]): Promise<Json[]> {
  const keys = new Map<string, Json>(known.map((key) => [key.kid, key]))
  // Oldest first: who vouches was vouched for before.
  for (const word of words) {
    const { kid = '', typ, jwk } = decodeProtectedHeader(word)
    if (typ !== successionKind.typ) throw new Error(`typ ${typ}`)
    if (!keys.has(kid)) continue
    if (!jwk || (await calculateJwkThumbprint(jwk)) !== kid) throw new Error(`Not ${kid}`)
    const { payload } = await compactVerify(word, await importJWK(jwk, successionKind.algorithm), {
      algorithms: [successionKind.algorithm],
    })
    const { key } = Succession.parse(JSON.parse(new TextDecoder().decode(payload)))
    if ((await calculateJwkThumbprint(key)) !== key.kid) throw new Error(`Not ${key.kid}`)
    keys.set(key.kid, key)
  }
  return [...keys.values()]
}
