/** Devices: registered connectors, and how administrators manage them. */
import * as z from 'zod/mini'
import { ConfigurationType } from './configuration.ts'
import { MatchedGroup } from './group.ts'
import { data, operation, pageOf, paging, upserted, wholeNumber } from './operation.ts'
import { Platform } from './platform.ts'
import { DeviceContext, Fault, UserContext, Verdict } from './sync.ts'
import { maxTags, Tag } from './tag.ts'
import { Jwk } from './token.ts'
import { VersionId } from './version.ts'

const coordinate = z.string().check(z.regex(/^[\w-]{43}$/, 'expected 32 bytes in base64url'))

/** The public identity key of a device: it verifies assertions, and encrypts the keystore's password. */
export const IdentityKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
})
export type IdentityKey = z.output<typeof IdentityKey>

export const Registration = z.object({
  key: IdentityKey,
  version: VersionId,
  platform: Platform,
  device: z._default(DeviceContext, {}),
})
export type Registration = z.input<typeof Registration>

/**
 * A registration as the service signs it, a compact JWS (ES256) by a reply key: a connector stores nothing else of the
 * reply.
 */
export const registrationKind = { typ: 'cw-registration+jws', algorithm: 'ES256' } as const

const registration = {
  id: z.uuid(),
  /** The address of the service, and the audience of assertions. */
  url: z.string(),
  /** The keys of replies, a standby key among them; `kid` is the fingerprint (RFC 7638, SHA-256, base64url). */
  replyKeys: z.array(Jwk),
  /** Seconds between synchronizations. */
  cycle: z.int(),
}

export const SignedRegistration = z.object({
  ...registration,
  /** The thumbprint of the identity key. */
  aud: z.string(),
  /** `jti` of the assertion that this replies to. */
  re: z.string(),
  /** Seconds since 1970: the clock of the service. */
  iat: z.number(),
})
export type SignedRegistration = z.output<typeof SignedRegistration>

export const Registered = z.object({
  ...registration,
  signed: z
    .string()
    .check(z.describe('The same as a compact JWS by the reply key that signs, for this request')),
})
export type Registered = z.output<typeof Registered>

export const registerDevice = operation({
  name: 'registerDevice',
  method: 'POST',
  path: '/v3/devices',
  tag: 'Devices',
  summary: 'Register a connector with an installation key',
  description:
    'The request also contains an assertion by the identity key, with the thumbprint of the key as `iss` and `sub`. With a known identity key, it is the same device (200), and the service counts the registration. With a new one, it is a new device (201). If a version is not registered, the service creates it only if `DS_IMPLICIT_VERSIONS` is on. The number of new devices per day is limited by installation key and by address. If `DS_DEVICE_APPROVAL` is on, a new device gets no keystore until an administrator approves it.',
  access: 'registration',
  pages: 'refused',
  body: { type: 'json', schema: Registration },
  examples: [
    {
      summary: 'A computer with Linux',
      body: {
        // The key of RFC 7515 A.3, whose private half everybody can read there.
        key: {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
        },
        version: '0.0.1-example',
        platform: 'UNIX',
        device: { hostname: 'front-desk-7', architecture: 'x64', os: 'Debian', osVersion: '13' },
      },
    },
  ],
  reply: upserted(Registered),
  problems: ['version-unknown', 'device-blocked', 'assertion-refused', 'clock-skewed'],
})

/** How it is with a device: the first that applies. */
export const DeviceStanding = z
  .enum(['blocked', 'unserved', 'waiting', 'silent', 'active'])
  .check(
    z.describe(
      '`unserved`: its version is not registered, so it cannot sync; `waiting`: pending approval; `silent`: not seen for a week, or for two cycles if they are longer. If several apply, the first one in the list counts',
    ),
  )
export type DeviceStanding = z.output<typeof DeviceStanding>

/** A device as administrators see it. */
export const Device = z.object({
  id: z.uuid(),
  fingerprint: z.string().check(z.describe('Thumbprint of the identity key (RFC 7638)')),
  version: z.string(),
  platform: Platform,
  device: DeviceContext,
  user: UserContext,
  blocked: z.boolean(),
  approved: z.boolean().check(z.describe('Without approval, it gets no keystore')),
  standing: DeviceStanding,
  registrations: z.int().check(z.describe('If more than 1, the device registered again')),
  createdAt: z.iso.datetime(),
  registeredAt: z.iso.datetime(),
  lastSeenAt: z.iso
    .datetime()
    .check(
      z.describe(
        'The first request of its last day with requests (UTC), or a later one on that day that changed something',
      ),
    ),
  verdict: z.optional(Verdict.shape.action).check(z.describe('The last verdict that it received')),
  revision: z.int(),
  keystore: z.optional(z.string()).check(z.describe('SHA-256 of its keystore')),
  tags: z.array(Tag).check(z.describe('From administrators')),
  faults: z.array(Fault),
})
export type Device = z.output<typeof Device>

const params = z.object({ id: z.string() })
const registeredDevice = { operation: 'registerDevice', pointer: '/data/id' } as const
const viewer = { tag: 'Devices', access: 'viewer' } as const
const administrator = { tag: 'Devices', access: 'administrator' } as const

/** Lists of devices count so many, and no more: counting a million would take longer than finding twenty. */
export const maxCountedDevices = 10_000

/** What finds devices: in a list, an export, and a change of many. */
export const deviceFilter = {
  q: z
    .optional(z.string().check(z.minLength(1), z.maxLength(255)))
    .check(
      z.describe(
        'A device ID, a fingerprint, or any part of a host name or user name (case-insensitive for ASCII letters)',
      ),
    ),
  version: z.optional(z.string()),
  os: z.optional(Platform),
  seenBefore: z.optional(z.iso.datetime()),
  seenAfter: z.optional(z.iso.datetime()),
  verdict: z.optional(Verdict.shape.action),
  standing: z.optional(DeviceStanding),
  fault: z
    .optional(Fault.shape.kind)
    .check(z.describe('The kind of a fault at its last sync; `any` for any')),
  blocked: z.optional(z.stringbool()),
  approved: z.optional(z.stringbool()),
  hostname: z
    .optional(z.string().check(z.maxLength(255)))
    .check(z.describe('A part of the host name (case-insensitive for ASCII letters)')),
  tag: z
    .optional(Tag)
    .check(z.describe('A tag that administrators gave to the device, or that the device reports')),
  changedBy: z
    .optional(z.uuid())
    .check(z.describe('The ID of a change to many devices (`PUT /v3/device-changes/{id}`)')),
}

/** The orders of a list: by host name, with devices without one last; by last sync; by version, as Semantic Versioning orders them. */
export const DeviceSort = z.enum(['name', '-name', 'lastSeen', '-lastSeen', 'version', '-version'])
export type DeviceSort = z.output<typeof DeviceSort>

export const listDevices = operation({
  ...viewer,
  name: 'listDevices',
  method: 'GET',
  path: '/v3/devices',
  summary: 'List the devices, by last sync, name or version',
  query: z.strictObject({
    ...paging,
    ...deviceFilter,
    sort: z
      .optional(DeviceSort)
      .check(
        z.describe(
          '`-` reverses the order. With `version`, the devices of each version are sorted by last sync, newest first. With `name`, devices without a host name come last. The default is `-lastSeen`, or `name` with `q`',
        ),
      ),
  }),
  reply: data(
    z.object({
      ...pageOf(Device).shape,
      total: z
        .int()
        .check(
          z.describe(
            `Counted up to ${maxCountedDevices} in searches and filters by text, tag, time, verdict or change`,
          ),
        ),
      more: z.boolean().check(z.describe('Whether there are more than `total`')),
    }),
  ),
  problems: [],
})

export const exportDevices = operation({
  ...viewer,
  name: 'exportDevices',
  method: 'GET',
  path: '/v3/devices.csv',
  summary: 'Export all devices, or those that match a filter, as a CSV file (RFC 4180)',
  description:
    'In the order of their IDs. Text that a spreadsheet would treat as a formula begins with an apostrophe.',
  query: z.strictObject(deviceFilter),
  reply: { kind: 'response', media: 'text/csv', description: 'A header, then one row per device' },
  problems: [],
})

/** A chart of more could not be read; days of very many versions would be too large for one reply. */
export const maxSummarizedVersions = 20

/** How the devices are, and by what they were over the last days. */
export const DeviceSummary = z.object({
  at: z.iso.datetime(),
  devices: z.int(),
  blocked: z.int(),
  unserved: z
    .int()
    .check(z.describe('Not blocked, and cannot sync because their version is not registered')),
  waiting: z.int().check(z.describe('Neither blocked nor unserved, and pending approval')),
  silent: z
    .int()
    .check(
      z.describe(
        'Not blocked, unserved or pending, and not seen for a week, or for two cycles if they are longer',
      ),
    ),
  faulty: z.int().check(z.describe('With faults at their last sync')),
  withoutInstaller: z
    .int()
    .check(z.describe('Not blocked, must stop or update, and have no version to update to')),
  days: z
    .array(
      z.object({
        day: z.iso.date().check(z.describe('UTC')),
        version: z
          .string()
          .check(
            z.describe(
              `One of the ${maxSummarizedVersions} versions with the most devices in this period, or \`other\``,
            ),
          ),
        platform: Platform,
        count: z
          .int()
          .check(z.describe('Devices whose last request of the day came from this version')),
      }),
    )
    .check(z.describe('Oldest first; the last day is today so far')),
})
export type DeviceSummary = z.output<typeof DeviceSummary>

export const summarizeDevices = operation({
  ...viewer,
  name: 'summarizeDevices',
  method: 'GET',
  path: '/v3/devices/summary',
  summary: 'Count the devices by state, and by day, version and platform',
  description:
    'The service counts a day at the first request of the next day, and keeps it for `DS_DEVICE_RETENTION_DAYS`.',
  query: z.strictObject({
    days: z
      .pipe(z._default(z.string(), '30'), wholeNumber(400))
      .check(z.describe('The number of days, including today')),
  }),
  reply: data(DeviceSummary),
  problems: [],
})

/** A rollout that is not finished, as one device sees it. */
export const DeviceRollout = z.object({
  id: z.uuid(),
  version: z.string(),
  flag: z.enum(['recommended', 'mandatory']),
  group: z
    .enum(['reached', 'control', 'none'])
    .check(
      z.describe(
        '`reached`: the device is offered the version. `control`: the others are compared with it. Unless it is reached, the device does not update to the version',
      ),
    ),
})
export type DeviceRollout = z.output<typeof DeviceRollout>

/** A device with its groups, and what it gets. */
export const DeviceDetails = z.extend(Device, {
  groups: z.array(MatchedGroup).check(z.describe('Highest priority first')),
  configurations: z
    .array(
      z.object({
        id: z.uuid(),
        type: ConfigurationType,
        groupId: z
          .optional(z.uuid())
          .check(z.describe('Absent: the configuration for all devices')),
      }),
    )
    .check(z.describe('What its version and its groups give it')),
  rollouts: z.array(DeviceRollout),
})
export type DeviceDetails = z.output<typeof DeviceDetails>

export const getDevice = operation({
  ...viewer,
  name: 'getDevice',
  method: 'GET',
  path: '/v3/devices/{id}',
  summary: 'Get a device',
  params,
  examples: [{ summary: 'One device', params: { id: registeredDevice } }],
  reply: data(DeviceDetails),
  problems: ['device-unknown'],
})

export const blockDevice = operation({
  ...administrator,
  name: 'blockDevice',
  method: 'POST',
  path: '/v3/devices/{id}/block',
  summary: 'Block a device: reject all of its requests',
  params,
  examples: [{ summary: 'One device', params: { id: registeredDevice } }],
  reply: data(Device),
  problems: ['device-unknown'],
})

export const unblockDevice = operation({
  ...administrator,
  name: 'unblockDevice',
  method: 'POST',
  path: '/v3/devices/{id}/unblock',
  summary: 'Unblock a device',
  params,
  examples: [{ summary: 'One device', params: { id: registeredDevice } }],
  reply: data(Device),
  problems: ['device-unknown'],
})

export const approveDevice = operation({
  ...administrator,
  name: 'approveDevice',
  method: 'POST',
  path: '/v3/devices/{id}/approve',
  summary:
    'Approve a device: give it the keystore of its version; needed if `DS_DEVICE_APPROVAL` is on',
  params,
  examples: [{ summary: 'One device', params: { id: registeredDevice } }],
  reply: data(Device),
  problems: ['device-unknown'],
})

export const putDeviceTags = operation({
  ...administrator,
  name: 'putDeviceTags',
  method: 'PUT',
  path: '/v3/devices/{id}/tags',
  summary: 'Give a device its tags, instead of those that it has',
  params,
  body: {
    type: 'json',
    schema: z.strictObject({ tags: z.array(Tag).check(z.maxLength(maxTags)) }),
  },
  examples: [
    { summary: 'Two tags', params: { id: registeredDevice }, body: { tags: ['berlin', 'kiosk'] } },
  ],
  reply: data(Device),
  problems: ['device-unknown'],
})

export const requestSync = operation({
  ...administrator,
  name: 'requestSync',
  method: 'POST',
  path: '/v3/devices/{id}/sync-now',
  summary: 'Ask a device to sync now',
  description:
    'A device that waits for news (`GET /v3/devices/wait`) syncs within seconds. Any other syncs at its next cycle. A blocked device cannot sync, so it is not asked.',
  params,
  examples: [{ summary: 'One device', params: { id: registeredDevice } }],
  reply: data(Device),
  problems: ['device-unknown'],
})

export const deleteDevice = operation({
  ...administrator,
  name: 'deleteDevice',
  method: 'DELETE',
  path: '/v3/devices/{id}',
  summary: 'Remove a device and its logs, but keep its counters',
  params,
  examples: [{ summary: 'One device', params: { id: registeredDevice } }],
  reply: data(z.object({ id: z.string() })),
  problems: ['device-unknown'],
})

export const downloadLogs = operation({
  ...administrator,
  name: 'downloadLogs',
  method: 'GET',
  path: '/v3/devices/{id}/logs',
  summary: 'Download the last logs that a device uploaded',
  params,
  examples: [{ summary: 'One device', params: { id: registeredDevice } }],
  reply: {
    kind: 'response',
    media: 'application/gzip',
    description: 'As they were uploaded: text/plain or application/gzip',
  },
  problems: ['device-unknown', 'logs-unknown'],
})
