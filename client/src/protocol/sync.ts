/** Synchronisation: what a connector tells the service once per cycle, and what it lives by until the next. */
import * as z from 'zod/mini'
import { CounterBatch, counterBounds } from './counter.ts'
import { data, operation } from './operation.ts'
import { Platform } from './platform.ts'
import { Jwk } from './token.ts'
import { Sha256, VersionId } from './version.ts'

/**
 * An assertion: a JWT (ES256, header `typ` as here) by the identity key, sent as `Authorization: Bearer`. Every request
 * of a device carries one of its own.
 */
export const assertionKind = { typ: 'cw-device+jwt', algorithm: 'ES256', lifetimeS: 60 } as const

export const AssertionClaims = z.object({
  /** The device id; with a registration the thumbprint of the identity key (RFC 7638, SHA-256). */
  iss: z.string(),
  sub: z.string(),
  /** The service, as `serviceAudience` spells its address. */
  aud: z.string(),
  /**
   * Seconds since 1970 with three decimals. Later with every assertion of a device, by a millisecond at least: what is
   * not later than the newest one is a replay.
   */
  iat: z.number(),
  /** At most 60 s after `iat`. */
  exp: z.number(),
  jti: z.string().check(z.minLength(16), z.maxLength(64)),
  /** SHA-256 of the body's bytes, base64url without padding; of no bytes when there is no body. */
  body: z.string().check(z.length(43)),
})
export type AssertionClaims = z.output<typeof AssertionClaims>

/** How far the clocks of device and service may be apart, in seconds; beyond it is `clock-skewed`. */
export const clockSkewS = 300

/** The address of a service in its one spelling: scheme and host lower-case, no default port, no slash at the end. */
export const serviceAudience = (url: string): string => new URL(url).href.replace(/\/+$/, '')

/** The header of a reply. It is a compact JWS (ES256); `kid` is the thumbprint of the reply key. */
export const replyKind = { typ: 'cw-reply+jws', algorithm: 'ES256' } as const

/**
 * A succession: a compact JWS (ES256) in which a key of replies vouches for one that was made while it signed. The payload
 * is a Succession; the header has the older key as `jwk`, its fingerprint (RFC 7638, SHA-256) as `kid`. A device that was
 * away while keys changed, or was installed with old fingerprints, follows them from one it knows to the one that signs.
 */
export const successionKind = { typ: 'cw-succession+jws', algorithm: 'ES256' } as const

export const Succession = z.object({ key: Jwk })
export type Succession = z.output<typeof Succession>

const text = (most: number) => z.optional(z.string().check(z.maxLength(most)))

/** The machine, as its administrator knows it. */
export const DeviceContext = z.object({
  hostname: text(255),
  architecture: text(64),
  os: text(128),
  osVersion: text(128),
})
export type DeviceContext = z.output<typeof DeviceContext>

/** The person; names are kept only where `DS_USER_NAMES` says so. */
export const UserContext = z.object({
  username: text(255),
  name: text(255),
  timezone: text(64),
  country: text(64),
  language: text(64),
})
export type UserContext = z.output<typeof UserContext>

/** Something an administrator has to know of: `keystore-refused`, `digest-mismatch`, `reply-refused`, … */
export const Fault = z.object({
  kind: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected words with hyphens between')),
  detail: z.string().check(z.maxLength(1000)),
  at: z.iso.datetime(),
})
export type Fault = z.output<typeof Fault>

/** Fields that a service does not know yet are passed over: connectors may be newer than it. */
export const SyncRequest = z.object({
  version: VersionId,
  platform: Platform,
  state: text(64).check(z.describe('`state` of the reply in force; none asks for everything')),
  keystore: z.optional(Sha256).check(z.describe('SHA-256 of the keystore in force')),
  device: z._default(DeviceContext, {}),
  user: z._default(UserContext, {}),
  batches: z
    ._default(z.array(CounterBatch).check(z.maxLength(counterBounds.batches)), [])
    .check(
      z.describe(
        'Oldest first; what was sent once is sent in every later request until it is acknowledged. A body holds 1 MiB',
      ),
    ),
  faults: z
    ._default(z.array(Fault).check(z.maxLength(20)), [])
    .check(z.describe('What is wrong now; an empty list clears')),
})
export type SyncRequest = z.input<typeof SyncRequest>

/** An installer for the system of the device. */
export const Offer = z.object({
  version: z.string(),
  url: z.string(),
  sha256: z.optional(Sha256),
  size: z.optional(z.int().check(z.describe('Bytes'))),
})
export type Offer = z.output<typeof Offer>

/** What the version in `version` has to do. Without an offer there is no installer for the system. */
export const Verdict = z.object({
  action: z.enum(['none', 'recommend', 'require', 'stop']),
  version: z.string().check(z.describe('The version that was judged')),
  offer: z.optional(Offer),
})
export type Verdict = z.output<typeof Verdict>

const sealed = {
  /** The device id. */
  aud: z.uuid(),
  /** `jti` of the assertion that this answers: a connector takes no other. */
  re: z.string(),
  /** Seconds since 1970, with three decimals: the clock of the service. */
  iat: z.number(),
  /** One more with every change of what the device is told; lower after the service came back from a backup. */
  revision: z.int(),
  /** Names what the device is told; opaque. */
  state: z.string(),
  /** The batches that are counted: to be forgotten. */
  acknowledged: z.array(z.uuid()),
}

export const Keystore = z.object({
  uri: z.string(),
  /** Whether it lies at the service, and is asked for with an assertion (`GET /v3/devices/keystore`). */
  guarded: z.boolean(),
  /** SHA-256 of the file. */
  digest: z.optional(Sha256),
  /** Compact JWE (ECDH-ES, A256GCM) to the identity key. */
  password: z.string(),
})
export type Keystore = z.output<typeof Keystore>

/** The payload of a reply. */
export const SyncReply = z.discriminatedUnion('unchanged', [
  z.object({ ...sealed, unchanged: z.literal(true) }),
  z.object({
    ...sealed,
    unchanged: z.literal(false),
    verdict: Verdict,
    /** The allowlist; empty lets nobody in. */
    cors: z.array(z.string()),
    /** The files to check, those of other systems left out: MD5 hex, or `sha256:` and hex. */
    files: z.array(z.object({ path: z.string(), digest: z.string() })),
    /** Absent: there is none, and one in force is given up. */
    keystore: z.optional(Keystore),
    /** The keys of application tokens. */
    tokenKeys: z.array(Jwk),
    /** The keys of replies from now on, one standing by: what another one signs is refused, unless they vouch for it. */
    replyKeys: z.array(Jwk),
    /** Seconds between synchronisations. */
    cycle: z.int(),
  }),
])
export type SyncReply = z.output<typeof SyncReply>

const device = { tag: 'Devices', access: 'device', pages: 'refused' } as const

export const syncDevice = operation({
  ...device,
  name: 'syncDevice',
  method: 'POST',
  path: '/v3/devices/sync',
  summary: 'Synchronise: version, counters and faults in, what the device lives by out',
  description:
    '`data` is a compact JWS by a reply key, its payload a SyncReply: `aud` the device, `re` the `jti` of the assertion. A crowd is told to come back (`Retry-After`).',
  body: { type: 'json', schema: SyncRequest },
  reply: data(z.string()),
  problems: ['version-unknown', 'service-busy'],
})

export const listSuccessions = operation({
  name: 'listSuccessions',
  method: 'GET',
  path: '/v3/devices/successions',
  tag: 'Devices',
  summary: 'How the keys of replies followed each other, oldest first',
  description:
    'Each a compact JWS by the key that was the newest to sign when another was made, its payload that one: for a device that knows none of the keys in use, because it was away or has old settings. There is one for every key of replies but the first.',
  access: 'anyone',
  pages: 'refused',
  reply: data(z.array(z.string())),
  problems: [],
})

export const downloadKeystore = operation({
  ...device,
  name: 'downloadKeystore',
  method: 'GET',
  path: '/v3/devices/keystore',
  summary: "The keystore of the device's version, when it lies at the service",
  reply: {
    kind: 'response',
    media: 'application/x-pkcs12',
    description: 'The file, whole; its SHA-256 is in the reply of the last synchronisation',
  },
  problems: ['keystore-unknown'],
})

/** The media types of logs. */
export const logMedia = ['text/plain', 'application/gzip'] as const

export const uploadLogs = operation({
  ...device,
  name: 'uploadLogs',
  method: 'POST',
  path: '/v3/devices/logs',
  summary: 'Leave logs for the administrators, in place of those left before',
  description: 'At most 1 MiB.',
  body: { type: 'bytes', media: logMedia, schema: z.instanceof(Uint8Array) },
  reply: data(z.object({ size: z.int(), receivedAt: z.iso.datetime() })),
  problems: [],
})
