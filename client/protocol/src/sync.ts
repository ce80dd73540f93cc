/** Synchronization: what a connector sends to the service once per cycle, and the reply that it follows until the next. */
import * as z from 'zod/mini'
import { SentCardSettings } from './card-settings.ts'
import { CounterBatch, counterBounds, exampleEntry } from './counter.ts'
import { data, operation } from './operation.ts'
import { Platform } from './platform.ts'
import { reportedText } from './reported-text.ts'
import { maxReportedTags, Tag } from './tag.ts'
import { Jwk } from './token.ts'
import { Sha256, VersionId } from './version.ts'

/**
 * The header of a reply, which is a compact JWS (ES256); `kid` is the thumbprint of the reply key. A whole reply has the key
 * as `jwk`, too: a device whose settings name its fingerprint then trusts it.
 */
export const replyKind = { typ: 'cw-reply+jws', algorithm: 'ES256' } as const

/**
 * A succession: a compact JWS (ES256) in which one key of replies endorses a newer one. The payload is a Succession; the
 * header has the older key as `jwk`, and its fingerprint (RFC 7638, SHA-256) as `kid`. A device that was offline while keys
 * changed, or was installed with old fingerprints, follows successions from a key it trusts to the one that signs now.
 */
export const successionKind = { typ: 'cw-succession+jws', algorithm: 'ES256' } as const

/** How many successions a service keeps, the newest, and a device reads: with a rotation a day those of eleven years. */
export const maxSuccessions = 4096

export const Succession = z.object({ key: Jwk })
export type Succession = z.output<typeof Succession>

/**
 * A refusal that changes what a device has stored: a compact JWS (ES256) in the member `refusal` of the problems
 * `device-unknown` and `device-blocked`. The header has the reply key as `jwk`, and its fingerprint as `kid`. Problems without
 * it prove nothing.
 */
export const refusalKind = { typ: 'cw-refusal+jws', algorithm: 'ES256' } as const

export const SignedRefusal = z.object({
  /** The device id that the assertion names. */
  aud: z.uuid(),
  /** `jti` of the assertion that this replies to. */
  re: z.string(),
  /** Seconds since 1970: the clock of the service. */
  iat: z.number(),
  /** `device-unknown`: the device registers again. `device-blocked`: it rejects pages until a sync succeeds. */
  code: z.enum(['device-unknown', 'device-blocked']),
})
export type SignedRefusal = z.output<typeof SignedRefusal>

const optionalText = (max: number) => z.optional(reportedText(max))

/** The machine of a device. */
export const DeviceContext = z.object({
  hostname: optionalText(255),
  architecture: optionalText(64),
  os: optionalText(128),
  osVersion: optionalText(128),
  /** Linux: the packages that it installs, `deb` or `rpm`. */
  packageFormat: optionalText(16),
  component: optionalText(64).check(
    z.describe(
      '`registry` for the registry of the computer, which is a separate device; absent for the connector of a user',
    ),
  ),
  tags: z
    .optional(z.array(Tag).check(z.maxLength(maxReportedTags)))
    .check(
      z.describe(
        'Tags that the device reports, from the setting `CARDWIRE_TAGS`. A device can claim any tag',
      ),
    ),
})
export type DeviceContext = z.output<typeof DeviceContext>

/** The user; names are stored only where `DS_USER_NAMES` allows it. */
export const UserContext = z.object({
  username: optionalText(255),
  name: optionalText(255),
  timezone: optionalText(64),
  country: optionalText(64),
  language: optionalText(64),
})
export type UserContext = z.output<typeof UserContext>

/** How many faults a device reports at once, and the bytes of each detail in JSON. */
export const faultBounds = { faults: 20, detail: 1000 } as const

/** A fault that administrators see: `keystore-refused`, `digest-mismatch`, `reply-refused`, … */
export const Fault = z.object({
  kind: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected words with hyphens between')),
  detail: reportedText(faultBounds.detail),
  // Its fraction of a second may have any number of digits.
  at: z.iso.datetime().check(z.maxLength(40)),
})
export type Fault = z.output<typeof Fault>

/** A service ignores fields that it does not know: connectors may be newer than it. */
export const SyncRequest = z.object({
  version: VersionId,
  platform: Platform,
  state: optionalText(64).check(
    z.describe('`state` of the reply in force; without it the reply has everything'),
  ),
  keystore: z.optional(Sha256).check(z.describe('SHA-256 of the keystore in force')),
  device: z._default(DeviceContext, {}),
  user: z._default(UserContext, {}),
  batches: z
    ._default(z.array(CounterBatch).check(z.maxLength(counterBounds.batches)), [])
    .check(
      z.describe(
        'Oldest first. A batch is sent in every request until it is acknowledged. A body has at most 1 MiB',
      ),
    ),
  faults: z
    ._default(z.array(Fault).check(z.maxLength(faultBounds.faults)), [])
    .check(z.describe('The current faults; an empty list clears the previous ones')),
})
export type SyncRequest = z.input<typeof SyncRequest>

/** The address of an installer, as users see it: `URL` alone would ignore control characters. */
const InstallerUrl = z.string().check(
  z.maxLength(4096),
  z.refine(
    (url) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url),
    'expected an https or http address',
  ),
)

/** An installer for the system of the device. */
export const Offer = z.object({
  version: VersionId,
  url: InstallerUrl,
  sha256: z.optional(Sha256),
  size: z.optional(z.int().check(z.describe('Bytes'))),
})
export type Offer = z.output<typeof Offer>

/** What a connector of this version has to do. Without an offer there is no installer for its system. */
export const Verdict = z.object({
  action: z.enum(['none', 'recommend', 'require', 'stop']),
  version: VersionId.check(z.describe('The version that the verdict is about')),
  offer: z.optional(Offer),
})
export type Verdict = z.output<typeof Verdict>

/**
 * Seconds. The longest wait of a service; and the longest time that a device is asked to let pass after one, before it
 * synchronizes or waits again: what is longer counts as this.
 */
export const waitBounds = { holdS: 290, afterS: 3600 } as const

const commonClaims = {
  /** The device id. */
  aud: z.uuid(),
  /** `jti` of the assertion that this replies to: a connector accepts no other. */
  re: z.string(),
  /** Seconds since 1970, with three decimals: the clock of the service. */
  iat: z.number(),
  /** Increases with every change of the device's policy; lower after the service was restored from a backup. */
  revision: z.int(),
  /** Identifies the device's policy; opaque. */
  state: z.string(),
  /** The batches that the device deletes: they are counted. One beyond the limit of a day is not among them. */
  acknowledged: z.array(z.uuid()),
  /**
   * Seconds since 1970, by the clock of the service: the policy holds until then, unless another synchronization succeeds
   * before. Absent: until the next one, whenever that is.
   */
  exp: z.optional(z.number()),
  /** Absent: the service has no place for a device that waits for news. */
  wait: z.optional(
    z.object({
      /** The news that the device has: it sends this with `GET /v3/devices/wait`. Opaque. */
      since: z.int().check(z.minimum(0)),
      /** Seconds after which the service answers a wait without news, at the latest. */
      holdS: z.int().check(z.minimum(1)),
    }),
  ),
}

export const Keystore = z.object({
  uri: z.string(),
  /** Whether the service has it, and sends it for an assertion (`GET /v3/devices/keystore`). */
  guarded: z.boolean(),
  /** SHA-256 of the file. */
  digest: z.optional(Sha256),
  /** Compact JWE (ECDH-ES, A256GCM) to the identity key. */
  password: z.string(),
})
export type Keystore = z.output<typeof Keystore>

/** The payload of a reply. */
export const SyncReply = z.discriminatedUnion('unchanged', [
  z.object({ ...commonClaims, unchanged: z.literal(true) }),
  z.object({
    ...commonClaims,
    unchanged: z.literal(false),
    verdict: Verdict,
    /** The allowlist; empty: no origin is allowed. */
    cors: z.array(z.string()),
    /** Absent: nothing is granted. Connectors of before ignore it. Libraries are those of the device's system. */
    cards: z.optional(SentCardSettings),
    /** The files to check on the device's system: MD5 as hex, or `sha256:` and hex. */
    files: z.array(z.object({ path: z.string(), digest: z.string() })),
    /** Absent: there is none, and the device removes one that it has. */
    keystore: z.optional(Keystore),
    /** The keys of application tokens. */
    tokenKeys: z.array(Jwk),
    /** The keys of replies from now on, a standby key among them: a reply by another key is refused, unless these endorse it. */
    replyKeys: z.array(Jwk),
    /** Seconds between synchronizations. */
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
  summary: 'Sync: send the version, counters and faults, and get the policy of the device',
  description:
    '`data` is a compact JWS by a reply key. Its payload is a SyncReply: `aud` is the device, `re` the `jti` of the assertion. If too many devices sync at once, the service asks some of them to retry later (`Retry-After`).',
  body: { type: 'json', schema: SyncRequest },
  examples: [
    {
      summary: 'With a counter',
      body: {
        version: '0.0.1-example',
        platform: 'UNIX',
        device: { hostname: 'front-desk-7', architecture: 'x64', os: 'Debian', osVersion: '13' },
        batches: [{ id: '0f5b1c9e-3a64-4b8e-9a51-2f1f0f6f6b0a', entries: [exampleEntry] }],
      },
    },
  ],
  reply: data(z.string()),
  problems: ['version-unknown'],
})

/**
 * What ends a wait. No signature protects it: a device learns from it only that it might synchronize, and does so at most
 * as often as pages may ask it to.
 */
export const WaitAnswer = z.object({
  sync: z
    .boolean()
    .check(z.describe('Whether there is news: the device syncs. If not, it waits again')),
  afterS: z
    .number()
    .check(z.minimum(0), z.describe('Seconds that the device lets pass before that')),
  since: z
    .optional(z.int().check(z.minimum(0)))
    .check(z.describe('For the next wait, in place of the `since` that the device sent')),
})
export type WaitAnswer = z.output<typeof WaitAnswer>

export const waitForNews = operation({
  ...device,
  name: 'waitForNews',
  method: 'GET',
  path: '/v3/devices/wait',
  summary: 'Wait until the service has news for the device',
  description:
    'The service answers when something has changed for the device, such as its version, its configuration or its own row, or when an administrator asks it to sync (`sync` is true). It answers without news after the time in `wait` of the last reply to a sync. A device has one request like this: a new one ends the one before. A wait is not a sync, and is not stored. If too many devices wait, the service asks to retry later (`Retry-After`). Cloudflare Workers cannot hold requests, and answer immediately.',
  query: z.strictObject({
    since: z._default(
      z.pipe(
        z.string().check(z.regex(/^\d{1,15}$/, 'expected a whole number')),
        z.transform((text: string) => Number(text)),
      ),
      0,
    ),
  }),
  reply: data(WaitAnswer),
  problems: [],
})

export const listSuccessions = operation({
  name: 'listSuccessions',
  method: 'GET',
  path: '/v3/devices/successions',
  tag: 'Devices',
  summary: 'List the endorsements of reply keys, oldest first',
  description:
    'Each is a compact JWS whose payload is a reply key, signed by the newest signing key at the time. If a device was offline or has old settings, and knows none of the keys in use, it follows the endorsements. There is one for every reply key except the first, up to the newest 4,096.',
  access: 'anyone',
  pages: 'refused',
  reply: data(z.array(z.string()).check(z.maxLength(maxSuccessions))),
  problems: [],
})

export const downloadKeystore = operation({
  ...device,
  name: 'downloadKeystore',
  method: 'GET',
  path: '/v3/devices/keystore',
  summary:
    "Download the keystore of the device's version, if the service has it and the device is approved",
  reply: {
    kind: 'response',
    media: 'application/x-pkcs12',
    description: 'The whole file; its SHA-256 is in the reply to the last sync',
  },
  problems: ['keystore-unknown', 'too-many-requests', 'packages-unavailable'],
})

/** The media types of logs. */
export const logMedia = ['text/plain', 'application/gzip'] as const

export const uploadLogs = operation({
  ...device,
  name: 'uploadLogs',
  method: 'POST',
  path: '/v3/devices/logs',
  summary: 'Upload logs for the administrators, in place of the previous ones',
  description: 'At most 1 MiB.',
  body: { type: 'bytes', media: logMedia, schema: z.instanceof(Uint8Array) },
  examples: [
    { summary: 'A text', body: '12:00:00.000Z  info  listening on port 25100  port=25100' },
  ],
  reply: data(z.object({ size: z.int(), receivedAt: z.iso.datetime() })),
  problems: [],
})
