/** Values for requests to the distribution service that its schemas do not tell: ids of things that are there, and keys. */
import {
  applicationToken,
  clientId,
  issueToken,
  type Operation,
  platforms,
} from '@cardwire/protocol'
import { administrator } from '../../bed/administrator.ts'
import type { SeededRandom } from '../../bed/random.ts'
import type { LimitedRequest, Surface } from './generate.ts'
import type { FindSample, JsonSchema } from './values.ts'

export const slots = 12

export const names = {
  organization: (slot: number) => `Loose ${slot}`,
  label: (slot: number) => `Shop ${slot}`,
  version: (slot: number) => `1.0.${slot}`,
  installer: (slot: number) => `cardwire-${slot}.deb`,
  keystore: (slot: number) => `keystore-${slot}.p12`,
  administrator: (slot: number) => `account-${slot}`,
  client: (slot: number) => `pipeline-${slot}`,
}
/** As the service derives them. */
export const ids = {
  organization: (slot: number) => `loose${slot}`,
  label: (slot: number) => `shop${slot}`,
}

/** By the tag of the operation, whose `id` it is. */
const idsByTag: Readonly<Record<string, (slot: number) => string>> = {
  Versions: names.version,
  Configurations: (slot) => `{{configuration:${slot}}}`,
  Organizations: ids.organization,
  Labels: ids.label,
  Devices: (slot) => `{{device:${slot}}}`,
  Groups: (slot) => `1f5b1c9e-3a64-4b8e-9a51-0000000000${String(slot).padStart(2, '0')}`,
  Webhooks: (slot) => `2f5b1c9e-3a64-4b8e-9a51-0000000000${String(slot).padStart(2, '0')}`,
  Rollouts: (slot) => `0f5b1c9e-3a64-4b8e-9a51-0000000000${String(slot).padStart(2, '0')}`,
  'API clients': names.client,
  Tokens: () => '{{signing-key}}',
}

const uris = [
  'https://downloads.example/cardwire.msi',
  'http://downloads.example/a%20b?c=d',
  'file:///kept/cardwire.deb',
]
const origins = [
  'https://shop.example',
  'https://*.bank.example',
  'http://localhost:8080',
  'app://x',
]

const hex = (random: SeededRandom, bytes: number) =>
  Buffer.from(random.bytes(bytes)).toString('hex')

/** By the name of the field. */
const byName: Readonly<Record<string, (slot: number, random: SeededRandom) => unknown>> = {
  uri: (_, random) => random.pick(uris),
  // One entry for each system.
  uris: (_, random) =>
    Object.keys(platforms)
      .filter(() => random.chance(0.4))
      .map((os) => ({ os, uri: random.pick(uris) })),
  issuer: (_, random) => random.pick(['https://ci.invalid', 'https://ci.invalid/realm']),
  subject: (_, random) => random.pick(['repo:example/cards:ref:refs/tags/*', 'one']),
  month: (_, random) => random.pick(['2026-10', '2026-11', '1999-01']),
  url: (_, random) => random.pick(['https://hooks.invalid/', 'https://hooks.invalid/a?b=c']),
  events: (_, random) => [random.pick(['rollout.halted', 'device.approved'])],
  delivery: (slot) => `{{delivery:${slot}}}`,
  cors: (_, random) => origins.filter(() => random.chance(0.6)),
  origin: (_, random) => random.pick(origins.filter((origin) => !origin.includes('*'))),
  aids: (_, random) => [hex(random, 5), hex(random, 16)],
  libraries: (_, random) => [
    { os: 'UNIX', path: '/usr/lib/x.so', sha256: hex(random, 32), atrs: [hex(random, 9)] },
    { os: 'WIN64', path: 'C:\\x.dll', sha256: hex(random, 32), ownReaders: true },
  ],
  folders: (slot, random) => [
    { origin: origins[0], entity: 'shop', type: `type ${slot}`, path: '/srv/shop' },
    { origin: origins[0], entity: 'shop', type: hex(random, 4), path: 'D:\\shop' },
  ],
  path: (_, random) => random.pick(['bin/cardwire', 'lib/x.so', 'README']),
  digest: (_, random) => `sha256:${hex(random, 32)}`,
  sha256: (_, random) => hex(random, 32),
  keystore: (_, random) => hex(random, 32),
  stages: (_, random) => [
    { share: random.integer(1, 50), holdS: random.integer(60, 1000) },
    { share: 100, holdS: 86_400 },
  ],
  goodRate: (_, random) => random.integer(1, 3),
  badRate: (_, random) => random.integer(4, 9),
  versionId: names.version,
  version: names.version,
  orgId: ids.organization,
  label: ids.label,
  kind: (_, random) => random.pick(['keystore-refused', 'digest-mismatch']),
  x: (slot) => `{{x:${slot}}}`,
  y: (slot) => `{{y:${slot}}}`,
  force: (_, random) => random.pick(['true', 'false']),
  page: (_, random) => String(random.integer(1, 3)),
  size: (_, random) => String(random.pick([1, 20, 100])),
  fault: (_, random) => random.pick(['any', 'keystore-refused', 'digest-mismatch']),
  maxReach: (_, random) => random.pick(['0', '100000']),
  installers: (_, random) => random.pick(['UNIX', 'WIN64,UNIX', 'none']),
  otherInstallers: (_, random) => random.pick(['UNIX', 'WIN64,UNIX', 'none']),
  copyFrom: names.version,
  expiresBefore: () => '2127-01-01T00:00:00Z',
  changedBy: (slot) => `{{device:${slot}}}`,
  days: (_, random) => String(random.integer(1, 400)),
  allowed: (_, random) => random.pick([true, false]),
  blocked: (_, random) => random.pick(['true', 'false']),
  approved: (_, random) => random.pick(['true', 'false']),
  summarized: (_, random) => random.pick(['true', 'false']),
  client_id: () => clientId,
  username: () => administrator.name,
  password: () => '{{password}}',
  newPassword: () => '{{password}}',
  code: (_, random) => String(random.integer(100_000, 999_999)),
  refresh_token: () => '{{refresh-token}}',
}

/** Names that mean something else with another operation. */
function findByOperation(
  { name: operation, tag }: Operation,
  name: string,
  slot: number,
  random: SeededRandom,
): unknown {
  // Removing them all would leave nothing to ask for.
  if (operation === 'changeDevices' && name === 'change')
    return random.pick(['approve', 'unblock', 'sync'])
  if (operation === 'changeDevices' && name === 'tags') return ['berlin']
  if (operation === 'getDeviceReach' && name === 'tags') return 'berlin'
  if (operation === 'getGroupReach' && name === 'rules') return '[{"tags":["berlin"]}]'
  if (operation === 'getGroupReach' && name === 'priority') return '5'
  if (operation === 'putGroup' && name === 'rules')
    return [{ tags: ['berlin'], hostnames: ['pc-*'] }, { reportedTags: ['kiosk'] }]
  if (operation === 'putGroup' && name === 'name') return `Group ${slot}`
  if (name === 'grant_type') return random.pick(['password', 'refresh_token'])
  if (name === 'id' && tag !== 'Audit') {
    if (operation === 'putVersion' || operation === 'getVersionConfigurationReach')
      return names.version(slot)
    if (operation === 'syncDevice') return undefined
    return idsByTag[tag]?.(slot)
  }
  if (name === 'revision' && /Revision$|^restore/.test(operation))
    return String(random.integer(1, 3))
  if (name === 'name' && operation.endsWith('Organization')) return names.organization(slot)
  if (name === 'name' && tag === 'Installers') return names.installer(slot)
  if (name === 'name' && tag === 'Keystores') return names.keystore(slot)
  if (name === 'name' && operation.endsWith('Label')) return names.label(slot)
  if (name === 'name' && tag === 'Administrators') return names.administrator(slot)
  if (name === 'password' && tag === 'Administrators')
    return `a-password-of-${names.administrator(slot)}`
  if (operation === 'copyConfigurations' && (name === 'from' || name === 'to'))
    return names.version(random.integer(0, slots - 1))
  if (operation === 'downloadInstallerFor' && name === 'os') return pickPathSegment(random)
  if (operation === 'downloadInstallerOf' && name === 'os') return pickPathSegment(random)
  // A keystore's digest is one of SHA-256, a file's may be another.
  if (operation === 'putConfiguration' && name === 'digest') return undefined
  // Without its key an administrator could not go on: the others are enough.
  if (operation === 'rotateSigningKey' && name === 'use')
    return random.pick(['application', 'reply'])
  return undefined
}

const pickPathSegment = (random: SeededRandom) => random.pick(Object.values(platforms))

function findByPattern({ pattern = '' }: JsonSchema, slot: number, random: SeededRandom): unknown {
  if (pattern.startsWith('^(0|[1-9]')) return names.version(slot)
  if (pattern.startsWith('^[a-z0-9][a-z0-9._:-]')) return `tag-${slot}`
  if (pattern === '^\\d{1,15}$') return String(random.integer(0, 1000))
  if (pattern.startsWith('^[0-9a-f]{64}')) return hex(random, 32)
  if (pattern.startsWith('^([0-9a-f]{32}|')) return hex(random, 16)
  if (pattern === '^[^\\p{Cc}\\p{Cs}]*$') return `Shop ${random.integer(0, slots - 1)}`
  return undefined
}

/** Booleans in a body, and words for them in a query. */
const flags = ['blocked', 'approved', 'allowed', 'recommended', 'mandatory', 'remove']

const createSamples: Surface['createSamples'] =
  (operation, slot, random): FindSample =>
  (name, schema) => {
    const own = findByOperation(operation, name, slot, random)
    if (own !== undefined) return own
    if (schema.enum || schema.const !== undefined || schema.format === 'date-time') return undefined
    const found =
      operation.name === 'putConfiguration' && name === 'digest' ? undefined : byName[name]
    if (schema.type === 'integer') return undefined
    if (flags.includes(name)) {
      return schema.type === 'boolean' ? random.chance(0.5) : String(random.chance(0.5))
    }
    return found?.(slot, random) ?? findByPattern(schema, slot, random)
  }

/** A wrong key or a wrong password: both are limited by address. */
function createLimited(random: SeededRandom, slot: number): LimitedRequest {
  if (random.chance(0.9)) {
    const headers = [['apikey', random.uuid()]] as const
    return { kind: 'wrong API key', method: 'GET', path: applicationToken.path, headers }
  }
  return {
    kind: 'wrong password',
    method: 'POST',
    path: issueToken.path,
    operation: issueToken,
    headers: [['content-type', 'application/x-www-form-urlencoded']],
    body: `client_id=${clientId}&grant_type=password&username=nobody-${slot}&password=wrong-password`,
  }
}

export const createDsSurface = (operations: readonly Operation[]): Surface => ({
  operations,
  // A password takes 60 ms to hash, a signing key makes every later list longer, a report reads everything.
  weights: {
    issueToken: 0.03,
    addAdministrator: 0.03,
    setPassword: 0.03,
    rotateSigningKey: 0.02,
    exportCounters: 0.3,
    listOrganizationUse: 0.3,
    exportOrganizationUse: 0.3,
    exportDevices: 0.3,
    exportAudit: 0.3,
    putConfiguration: 2,
    registerDevice: 2,
    syncDevice: 3,
    // Held for seconds.
    waitForNews: 0.02,
  },
  // A near-valid new password may be accepted, and nobody would know it.
  withheld: ['changePassword'],
  slots,
  places: {
    read: '/v3/labels',
    write: { method: 'PUT', path: '/v3/organizations' },
    files: [
      '/v3/downloads/installers/unix/versions',
      '/v3/downloads/installers',
      '/v3/downloads/installer',
      '/v3/labels',
      '/v3/versions/latest',
      '/docs',
      '/health',
      '/metrics',
      '/.well-known/jwks.json',
      '/v3/devices',
    ],
  },
  createSamples,
  createLimited,
})
