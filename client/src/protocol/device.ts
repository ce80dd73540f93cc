/** Devices: connectors that registered, and what administrators see and decide of them. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { Platform } from './platform.ts'
import { DeviceContext, Fault, UserContext, Verdict } from './sync.ts'
import { Jwk } from './token.ts'
import { VersionId } from './version.ts'

const coordinate = z.string().check(z.regex(/^[\w-]{43}$/, 'expected 32 bytes in base64url'))

/** The public identity key of a device: signs its assertions, and receives what is encrypted to it. */
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

export const Registered = z.object({
  id: z.uuid(),
  /** The address of the service, and the audience of assertions. */
  url: z.string(),
  /** The keys of replies, one standing by; `kid` is the fingerprint (RFC 7638, SHA-256, base64url). */
  replyKeys: z.array(Jwk),
  /** Seconds between synchronisations. */
  cycle: z.int(),
})
export type Registered = z.output<typeof Registered>

export const registerDevice = operation({
  name: 'registerDevice',
  method: 'POST',
  path: '/v3/devices',
  tag: 'Devices',
  summary: 'Register a connector with the installation key of its version',
  description:
    'Beside the key goes an assertion by the identity key, with its thumbprint as `iss` and `sub`. The same identity key is the same device (200), and the registration is counted; a new one is a new device (201). A version that is not registered is made only where `DS_IMPLICIT_VERSIONS` says so.',
  access: 'registration',
  pages: 'refused',
  body: { type: 'json', schema: Registration },
  reply: upserted(Registered),
  problems: ['version-unknown', 'device-blocked', 'assertion-refused', 'clock-skewed'],
})

/** A device as administrators see it. */
export const Device = z.object({
  id: z.uuid(),
  fingerprint: z.string().check(z.describe('Thumbprint of the identity key (RFC 7638)')),
  version: z.string(),
  platform: Platform,
  device: DeviceContext,
  user: UserContext,
  blocked: z.boolean(),
  registrations: z.int().check(z.describe('More than 1: it registered again')),
  createdAt: z.iso.datetime(),
  registeredAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  verdict: z.optional(Verdict.shape.action).check(z.describe('What it was told last')),
  revision: z.int(),
  keystore: z.optional(z.string()).check(z.describe('SHA-256 of the keystore it has')),
  faults: z.array(Fault),
})
export type Device = z.output<typeof Device>

const params = z.object({ id: z.string() })
const common = { tag: 'Devices', access: 'administrator' } as const

export const listDevices = operation({
  ...common,
  name: 'listDevices',
  method: 'GET',
  path: '/v3/devices',
  summary: 'List the devices, last seen first',
  query: z.strictObject({
    ...paging,
    version: z.optional(z.string()),
    os: z.optional(Platform),
    seenBefore: z.optional(z.iso.datetime()),
    seenAfter: z.optional(z.iso.datetime()),
    verdict: z.optional(Verdict.shape.action),
    blocked: z.optional(z.stringbool()),
    hostname: z.optional(z.string().check(z.maxLength(255))),
  }),
  reply: data(pageOf(Device)),
  problems: [],
})

export const getDevice = operation({
  ...common,
  name: 'getDevice',
  method: 'GET',
  path: '/v3/devices/{id}',
  summary: 'One device',
  params,
  reply: data(Device),
  problems: ['device-unknown'],
})

export const blockDevice = operation({
  ...common,
  name: 'blockDevice',
  method: 'POST',
  path: '/v3/devices/{id}/block',
  summary: 'Refuse whatever a device asks from now on',
  params,
  reply: data(Device),
  problems: ['device-unknown'],
})

export const unblockDevice = operation({
  ...common,
  name: 'unblockDevice',
  method: 'POST',
  path: '/v3/devices/{id}/unblock',
  summary: 'Serve a device again',
  params,
  reply: data(Device),
  problems: ['device-unknown'],
})

export const deleteDevice = operation({
  ...common,
  name: 'deleteDevice',
  method: 'DELETE',
  path: '/v3/devices/{id}',
  summary: 'Forget a device and its logs; what it counted stays',
  params,
  reply: data(z.object({ id: z.string() })),
  problems: ['device-unknown'],
})

export const downloadLogs = operation({
  ...common,
  name: 'downloadLogs',
  method: 'GET',
  path: '/v3/devices/{id}/logs',
  summary: 'The newest logs that a device left',
  params,
  reply: {
    kind: 'response',
    media: 'application/gzip',
    description: 'As they came: text/plain or application/gzip',
  },
  problems: ['device-unknown', 'logs-unknown'],
})
