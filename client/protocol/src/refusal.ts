/** Refused registrations, and the check of an installation key: why a connector is not registered. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging } from './operation.ts'
import { type ProblemName, problems } from './problem.ts'

/** How many refusals are kept, and for how long. */
export const refusalBounds = { rows: 1000, rowsPerAddress: 50, days: 30 } as const

const text = z.string()
const claimed = (what: string) => z.optional(text).check(z.describe(`${what}, unverified`))

const problemNames = Object.keys(problems) as [ProblemName, ...ProblemName[]]
const RefusalReason = z.enum(problemNames)

/** Registrations that were refused for one reason, from one address, with one identity key. */
export const RefusedRegistration = z.object({
  address: text.check(z.describe('The address of the client; for an IPv6 address, its /56')),
  reason: RefusalReason.check(z.describe('The `code` of the problem')),
  detail: text.check(z.describe('The description in the last response')),
  count: z.int(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  requestId: z.uuid().check(z.describe('The ID of the last request in the log')),
  keyVersion: z
    .optional(text)
    .check(z.describe('The version whose installation key was sent; absent with a wrong key')),
  fingerprint: claimed('Thumbprint of the identity key that the request names'),
  version: claimed('The version of the connector'),
  platform: claimed('The platform of the installer'),
  hostname: claimed('The host name of the computer'),
})
export type RefusedRegistration = z.output<typeof RefusedRegistration>

const filter = {
  reason: z.optional(RefusalReason),
  address: z.optional(text.check(z.maxLength(100))),
  version: z
    .optional(text.check(z.maxLength(256)))
    .check(z.describe('The version of the connector, or the one whose installation key was sent')),
  hostname: z
    .optional(text.check(z.maxLength(255)))
    .check(z.describe('A part of the host name (case-insensitive for ASCII letters)')),
  fingerprint: z.optional(text.check(z.maxLength(100))),
  network: z
    .optional(text.check(z.maxLength(100)))
    .check(z.describe('A network, as listed by `GET /v3/devices/refusals/groups`')),
  q: z
    .optional(text.check(z.minLength(1), z.maxLength(255)))
    .check(z.describe('The fingerprint, or a part of the host name, address or request ID')),
}

export const listRefusals = operation({
  name: 'listRefusals',
  method: 'GET',
  path: '/v3/devices/refusals',
  tag: 'Devices',
  summary: 'List rejected registrations, newest first',
  description: `At most ${refusalBounds.rows} are kept, ${refusalBounds.rowsPerAddress} per address, for ${refusalBounds.days} days; rejections beyond a rate limit are not recorded. The body of a request with a wrong key is not read: the list has only the fingerprint of its device. No key is stored.`,
  access: 'viewer',
  query: z.strictObject({
    ...paging,
    ...filter,
  }),
  reply: data(pageOf(RefusedRegistration)),
  problems: [],
})

/** More groups of rejected registrations than these are not listed. */
export const maxRefusalGroups = 100

export const RefusalGroup = z.object({
  reason: RefusalReason,
  version: claimed('The version of the connector, or the one whose installation key was sent'),
  keyVersion: RefusedRegistration.shape.keyVersion,
  detail: text.check(z.describe('The description in the last response')),
  network: text.check(
    z.describe(
      'The network of the clients: for an IPv4 address its /24, for an IPv6 address its /56',
    ),
  ),
  devices: z
    .int()
    .check(z.describe('Rejected registrations, one for each address, reason and key')),
  count: z.int().check(z.describe('How often they were rejected')),
  lastAt: z.iso.datetime(),
})
export type RefusalGroup = z.output<typeof RefusalGroup>

export const countRefusals = operation({
  name: 'countRefusals',
  method: 'GET',
  path: '/v3/devices/refusals/groups',
  tag: 'Devices',
  summary: 'Count rejected registrations by reason, version and network, most devices first',
  description: `At most ${maxRefusalGroups} groups.`,
  access: 'viewer',
  query: z.strictObject(filter),
  reply: data(z.object({ items: z.array(RefusalGroup) })),
  problems: [],
})

export const checkInstallationKey = operation({
  name: 'checkInstallationKey',
  method: 'GET',
  path: '/v3/devices/installation-key',
  tag: 'Devices',
  summary: 'Check an installation key without registering',
  access: 'registration',
  pages: 'refused',
  reply: data(
    z.object({
      version: text.check(z.describe('The version that the key belongs to')),
      newDevices: z
        .boolean()
        .check(z.describe('Whether a new device can register with it today, from this address')),
    }),
  ),
  problems: [],
})
