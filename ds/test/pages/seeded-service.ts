/** A service as it is after a month of use: organizations, releases, devices of every standing, use, refusals, and names with markup. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { administrator } from '../../../test/bed/administrator.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { uploadInstaller } from '../harness/arrange.ts'
import { cheapPasswords } from '../harness/cheap-passwords.ts'
import { createDevice, createIdentity, register } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'
import { storeFleet } from './seeded-fleet.ts'
import { createRollouts } from './seeded-rollouts.ts'

/** Names that a page has to show as they are. */
export const markup = '<img src=x onerror=alert(1)>'
export const rightToLeft = 'متجر الأمثلة Oasis'

export interface SeededService {
  readonly service: DistributionService
  /** What the addresses of its screens name. */
  readonly organization: string
  readonly label: string
  /** The id of an organization and of a label whose names are markup. */
  readonly markedName: string
  readonly version: string
  readonly oldVersion: string
  /** Of versions that are rolled out: running, not started, halted by the service. */
  readonly rollout: string
  readonly draftRollout: string
  readonly group: string
  /** Nothing uses it: it can be removed. */
  readonly unusedGroup: string
  readonly haltedRollout: string
  readonly allowlist: string
  /** Of the group. */
  readonly groupAllowlist: string
  readonly digests: string
  readonly keystore: string
  readonly installer: string
  readonly document: string
  readonly device: string
  readonly faultyDevice: string
  readonly blockedDevice: string
  /** A change of devices that was left before its end. */
  readonly change: string
  /** A CSV file with tags. */
  readonly tagImport: string
  readonly signingKey: string
  readonly viewer: string
  readonly marked: string
  readonly apiClient: string
  /** One of its credentials. */
  readonly credential: string
  /** A webhook with one attempt. */
  readonly webhook: string
  /** What no page may contain. */
  readonly secrets: readonly string[]
}

/** `marked`: a name that an organization, a label, a device and an administrator have. */
export async function startSeededService(marked = markup): Promise<SeededService> {
  const service = await startDistributionService(undefined, { DS_USER_NAMES: 'on' })
  try {
    return { service, ...(await seed(service, marked)) }
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function seed(
  service: DistributionService,
  marked: string,
): Promise<Omit<SeededService, 'service'>> {
  const { admin } = service
  const applications = await createApplications(service, marked)
  const releases = await createReleases(service)
  const devices = await createDevices(service, releases, marked)
  await admin('POST', `/v3/devices/${devices.blockedDevice}/block`)
  const change = await leaveChange(service)
  await refuseRegistrations(service, releases.current, marked)
  await storeFleet(service, devices.device, applications.label.id)
  const rollouts = await createRollouts(service)
  await admin('PUT', `/v3/devices/${devices.device}/tags`, { tags: ['berlin', 'kiosk'] })
  const groupAllowlist = await admin('PUT', '/v3/configurations?maxReach=99', {
    ...{ type: 'CONTEXT_CONFIG', versionId: releases.current.id, groupId: rollouts.group },
    config: { cors: ['https://shop.example', 'https://desk.bank.example'] },
  })
  // The key before is the one that can be withdrawn.
  const keys = await admin('GET', '/v3/signing-keys')
  await admin('POST', '/v3/signing-keys', { use: 'application' })
  const { id } = keys.find(({ use }: Json) => use === 'application')
  const viewer = 'reader'
  await createAccounts(service, [
    { name: viewer, role: 'viewer' },
    { name: 'release-desk', role: 'publisher' },
    { name: marked, role: 'viewer' },
  ])
  const client = await createApiClient(service)
  const webhook = await createWebhook(service)
  return {
    organization: applications.organization.id,
    label: applications.label.id,
    markedName: applications.markedLabel.id,
    version: releases.current.id,
    oldVersion: releases.old.id,
    ...rollouts,
    ...releases.configurations,
    groupAllowlist: groupAllowlist.id,
    installer: releases.installer,
    document: 'deploy',
    ...devices,
    change,
    tagImport: await importTags(service),
    signingKey: id,
    viewer,
    marked,
    apiClient: client.id,
    credential: client.credential,
    webhook: webhook.id,
    secrets: [
      webhook.secret,
      client.secret,
      administrator.password,
      keystorePassword,
      ...[applications.label, applications.markedLabel].map(({ apiKey }) => apiKey),
      ...[releases.current, releases.old].map(({ installationApiKey }) => installationApiKey),
    ],
  }
}

/** With a credential of each kind. */
async function createApiClient({ admin }: DistributionService) {
  const id = 'release-pipeline'
  const description = 'Publishes versions for the Web Shop'
  await admin('POST', '/v3/api-clients', { id, role: 'publisher', description })
  const add = (credential: Json) => admin('POST', `/v3/api-clients/${id}/credentials`, credential)
  const { id: credential, secret } = await add({ kind: 'secret' })
  await add({
    kind: 'federated',
    issuer: 'https://token.actions.githubusercontent.com',
    subject: 'repo:example/cards:ref:refs/tags/*',
  })
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await add({ kind: 'key', jwk: publicKey.export({ format: 'jwk' }) })
  return { id, credential, secret }
}

async function createWebhook({ admin }: DistributionService) {
  const path = `/v3/webhooks/${randomUUID()}`
  const url = 'https://hooks.invalid/cardwire'
  const events = ['rollout.halted', 'keystore.expiring']
  const webhook = await admin('PUT', path, { name: 'On-call', url, events, enabled: false })
  await admin('POST', `${path}/test`)
  return webhook
}

/** It changes one device of the fleet, and names another one that is not there. */
async function importTags({ request, login }: DistributionService): Promise<string> {
  const id = randomUUID()
  await request('PUT', `/v3/tag-imports/${id}`, {
    token: await login(),
    headers: { 'content-type': 'text/csv' },
    body: `hostname,tags\n${new URLSearchParams({ q: markup })},berlin\n`,
  })
  return id
}

/** Its filter has markup, and it reaches no device of a screen. */
async function leaveChange(service: DistributionService): Promise<string> {
  const [id, kept] = [randomUUID(), randomUUID()]
  await withDatabase(service, async ({ run }) => {
    const filter = String(new URLSearchParams({ q: markup }))
    const columns =
      'id, change, filter, reach, done, last_id, step, created_at, finished, subject, name'
    const insert = `insert into device_changes (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    const who = ['admin', 'admin']
    const now = Date.now()
    await run(insert, id, 'block', filter, 123_698, 20_000, 'f', id, now, 0, ...who)
    await run(insert, kept, 'remove', '', 12, 12, 'f', kept, now - 86_400_000, 1, ...who)
  })
  return id
}

const keystorePassword = 'the-password-of-the-keystore'

async function createApplications({ admin }: DistributionService, marked: string) {
  const addOrganization = (name: string) => admin('PUT', '/v3/organizations', { name })
  const addLabel = (name: string, { id: orgId }: Json) =>
    admin('PUT', '/v3/labels', { name, orgId })
  const organization = await addOrganization('Example Bank')
  const label = await addLabel('Web Shop', organization)
  await addLabel('Branch Counter', organization)
  await addLabel(rightToLeft, await addOrganization(rightToLeft))
  const markedLabel = await addLabel(marked, await addOrganization(marked))
  return { organization, label, markedLabel }
}

async function createReleases(service: DistributionService) {
  const { admin, registerVersion } = service
  const installer = 'cardwire-4.2.0.deb'
  await uploadInstaller(service, await service.login(), { name: installer })
  const withdrawn = await registerVersion('3.9.1', { allowed: false, uris: [] })
  const old = await registerVersion('4.0.0')
  await registerVersion('4.1.0', { uris: [] })
  const current = await registerVersion('4.2.0', {
    recommended: true,
    uris: [
      { os: 'UNIX', uri: `file:///${installer}` },
      { os: 'WIN64', uri: 'https://downloads.example/cardwire-4.2.0.msi', size: 31_457_280 },
      { os: 'MACOSARM', uri: 'https://downloads.example/cardwire-4.2.0.pkg' },
    ],
  })
  const configure = async (type: string, config: Json): Promise<string> =>
    (await admin('PUT', '/v3/configurations', { type, versionId: current.id, config })).id
  const allowlist = await configure('CONTEXT_CONFIG', {
    cors: ['https://shop.example', 'https://old.bank.example'],
  })
  await admin('PATCH', `/v3/configurations/${allowlist}`, {
    config: {
      cors: ['https://shop.example', 'https://*.bank.example', 'https://intranet.example:8443'],
    },
  })
  const configurations = {
    allowlist,
    digests: await configure('FILE_DIGESTS', {
      files: [
        { path: 'cardwire', digest: `sha256:${'5e'.repeat(32)}`, os: 'UNIX' },
        { path: 'cardwire.exe', digest: `sha256:${'a7'.repeat(32)}`, os: 'WIN64' },
      ],
    }),
    keystore: await configure('SSL_KEYSTORE', {
      uri: 'https://downloads.example/loopback.p12',
      digest: 'c3'.repeat(32),
      password: keystorePassword,
    }),
  }
  return { installer, withdrawn, old, current, configurations }
}

async function createDevices(
  service: DistributionService,
  { current, old }: { readonly current: Json; readonly old: Json },
  marked: string,
) {
  const add = async (version: Json, hostname: string, user: string, changes: Json = {}) => {
    const context = { hostname, os: 'Debian', osVersion: '13', architecture: 'x64' }
    const device = await createDevice(service, version, { device: context })
    const account = { username: user, name: user, language: 'en', timezone: 'Europe/Brussels' }
    await device.sync({ device: context, user: account, ...changes })
    await device.request('POST', '/v3/devices/logs', gzipSync('started'))
    return device.id
  }
  const fault = (kind: string, detail: string) => ({
    kind,
    detail,
    at: new Date(Date.now() - 3_600_000).toISOString(),
  })
  const device = await add(current, 'front-desk-7', 'desk')
  const faultyDevice = await add(old, marked, rightToLeft, {
    faults: [
      fault('keystore-refused', `The keystore has no certificate for ${marked}`),
      fault('digest-mismatch', 'cardwire'),
    ],
  })
  return { device, faultyDevice, blockedDevice: await add(old, 'lost-laptop', 'gone') }
}

async function refuseRegistrations(
  service: DistributionService,
  current: Json,
  marked: string,
): Promise<void> {
  const refuse = async (hostname: string, key: string, version: string, from: string) =>
    register(service, await createIdentity(), key, { version, device: { hostname } }, { from })
  await refuse('till-4.example', randomUUID(), '4.2.0', '198.51.100.7')
  await refuse('till-5.example', current.installationApiKey, '9.9.9', '198.51.100.8')
  await refuse(marked, current.installationApiKey, '9.9.8', '198.51.100.9')
}

async function createAccounts(
  service: DistributionService,
  accounts: readonly { readonly name: string; readonly role: string }[],
): Promise<void> {
  const hash = await cheapPasswords.hash(administrator.password)
  const now = Date.now()
  await withDatabase(service, async ({ run }) => {
    for (const { name, role } of accounts) {
      await run(
        'insert into administrators (name, password_hash, role, created_at, updated_at) values (?, ?, ?, ?, ?)',
        ...[name, hash, role, now, now],
      )
    }
  })
}
