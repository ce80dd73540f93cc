/** Values for requests to the connector that its schemas do not tell: readers, consents, certificates, agents. */
import {
  connectorOperations,
  getDeviceKey,
  getInfo,
  listAgents,
  type Operation,
} from '@cardwire/protocol'
import {
  pollAgent,
  registerAgent,
  respondAgent,
} from '../../../connector/src/system/ipc/registry-messages.ts'
import type { SeededRandom } from '../../bed/random.ts'
import type { LimitedRequest, Surface } from './generate.ts'
import type { FindSample } from './values.ts'

const slots = 12

/** The pages that requests come from; a user has consented to the first. */
export const origins = {
  consented: 'https://shop.pages.example',
  allowed: 'https://other.pages.example',
} as const
const json = [['content-type', 'application/json']] as const

const apiOperations = connectorOperations

/** The registry lets everybody ask, and answers about the origin alone. */
const registryOperations: readonly Operation[] = [
  getInfo,
  getDeviceKey,
  { ...listAgents, access: 'anyone' },
  ...connectorOperations.filter(({ tag, name }) => tag === 'Consent' && name !== listAgents.name),
  registerAgent,
  pollAgent,
  respondAgent,
]

const idsByTag: Readonly<Record<string, string>> = { Readers: '{{reader}}', Modules: 'x509' }

/** By the name of the field. */
const byName: Readonly<Record<string, (random: SeededRandom) => unknown>> = {
  domain: (random) => random.pick(['localhost', '127.0.0.1', 'shop.test']),
  cert: (random) => random.pick(['{{certificate}}', '{{certificate}}', 'MIIB']),
  codeWord: (random) => `::t1c::miksa::${Buffer.from(random.bytes(16)).toString('hex')}`,
  consents: () => ['{{consent}}'],
  data: () => '{{consent}}',
  ttl: (random) => random.pick(['0', '86400', '31536000']),
  // The reader has a card: nothing waits.
  timeout: (random) => random.pick([1, 60]),
  after: (random) => random.integer(0, 3),
  atr: () => '3B00',
  excluded: () => 'hello,other',
  hosts: (random) => random.pick([[], ['localhost']]),
  root: () => false,
  session: () => '{{session}}',
  // Agents that nobody polls for make every other request of a page wait for them.
  protocol: (random) => (random.chance(0.0005) ? 1 : 2),
  port: (random) => random.integer(1, 65_535),
}

const createDigest = (random: SeededRandom) => Buffer.from(random.bytes(32)).toString('base64')

/** The same names mean something else in operations with a card. */
const byCardName: typeof byName = {
  data: createDigest,
  digests: (random) => [createDigest(random)],
  hash: createDigest,
  signedHash: createDigest,
}

/** Commands: their sessions are ended or never were. */
const byRawName: typeof byName = {
  aid: (random) => Buffer.from(random.bytes(5)).toString('hex'),
  command: () => '00A4040005A000000308',
  commands: () => ['00A4040005A000000308', '00CA004F00'],
  // Hex, and base64.
  data: () => 'A0000003',
  cla: () => 0,
  ins: () => 'A4',
  p1: () => '0x04',
  p2: () => 0,
  le: () => 0,
}

const byPaymentName: typeof byName = { aid: () => 'A0000000031010' }

/** No machine has such a printer. */
const byPrintName: typeof byName = { name: () => 'nothing', data: createDigest }

const toStoreId = (random: SeededRandom) => Buffer.from(random.bytes(32)).toString('hex')

/** No certificate has such an id. */
const byStoreName: typeof byName = { id: toStoreId, certId: toStoreId, data: createDigest }

const byTag: Readonly<Record<string, typeof byName>> = {
  Cards: byCardName,
  'Payment cards': byPaymentName,
  'Remote loading': byRawName,
  Printing: byPrintName,
  'Trust store': byStoreName,
}

const createSamples: Surface['createSamples'] =
  ({ tag }, _, random): FindSample =>
  (name) => {
    if (name === 'id' && idsByTag[tag] !== undefined) return idsByTag[tag]
    const find = byTag[tag]?.[name] ?? byName[name]
    return find?.(random)
  }

/** A third stream of an origin is refused, and so is a sixth code word in a minute. */
function createLimited(random: SeededRandom): LimitedRequest {
  if (random.chance(0.7)) {
    return {
      kind: 'stream of events',
      method: 'GET',
      path: '/v3/readers/events',
      credential: 'right',
      frame: 'one-time',
      operation: apiOperations.find(({ name }) => name === 'readerEvents'),
    }
  }
  return createCodeWord(random)
}

const createCodeWord = (random: SeededRandom): LimitedRequest => ({
  kind: 'code word',
  method: 'POST',
  path: '/v3/consent',
  headers: json,
  body: JSON.stringify({ codeWord: byName['codeWord']?.(random) }),
  operation: apiOperations.find(({ name }) => name === 'requestConsent'),
})

export const apiSurface: Surface = {
  operations: apiOperations,
  // They run certutil, or make certificates.
  weights: {
    certificateStatus: 0.02,
    certificateDomainStatus: 0.02,
    installCertificates: 0.01,
    renewCertificates: 0.01,
    setCertificateHosts: 0.01,
    uninstallCertificates: 0.05,
  },
  withheld: [
    // They would take away what the campaign itself needs: the certificates, and the connector.
    ...['uninstallCertificates', 'stopConnector'],
    // They wait for a user, who chooses a folder in a window.
    ...['createFileType', 'createFileTypeFolders', 'updateFileType'],
  ],
  slots,
  places: {
    read: '/v3/version',
    write: { method: 'POST', path: '/v3/modules/x509/json' },
    files: [
      '/v3/readers',
      '/v3/readers/0123456789abcdef',
      '/v3/modules',
      '/v3/certmgr/status',
      '/info',
      '/atrs',
      '/agents/consent',
    ],
  },
  createSamples,
  createLimited,
}

export const registrySurface: Surface = {
  operations: registryOperations,
  weights: {},
  withheld: [],
  slots,
  places: {
    read: '/info',
    write: { method: 'POST', path: '/v3/validate' },
    files: ['/info', '/device-key', '/v3/agents', '/agents/consent', '/agent/poll', '/consent'],
  },
  createSamples,
  createLimited: createCodeWord,
}
