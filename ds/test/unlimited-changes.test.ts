/** What a change may affect whose request has no limit: one device, or as many as DS_MAX_REACH says. */
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import {
  createLabel,
  createVersion,
  createVersionBody,
  getApplicationToken,
  getData,
} from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'
import { readHidden, readWords } from './harness/page-text.ts'

let ds: InProcess | undefined
afterEach(() => ds?.stop())

interface Fleet {
  readonly version: Json
  send(method: string, path: string, body?: Json): Promise<Json>
}

/** A service with a version and this many devices of it. */
async function startFleet(devices: number, settings: Record<string, string> = {}): Promise<Fleet> {
  const service = await startInProcess(settings)
  ds = service
  const token = await service.login()
  const version = await createVersion(service, token)
  for (let made = 0; made < devices; made += 1) await createDevice(service, version)
  const send = (method: string, path: string, body?: Json) =>
    service.request(method, path, { token, body })
  return { version, send }
}

const allowlist = { type: 'CONTEXT_CONFIG', config: { cors: ['https://a.example'] } }

test('without a limit, every change that affects two devices is refused with their number', async () => {
  proves('affected-unlimited', 'fleet-changed-unseen')
  const { version, send } = await startFleet(2)
  const { id } = version
  const path = `/v3/versions/${id}`
  const requireRefusal = async (method: string, target: string, sent?: Json) => {
    const { status, json } = await send(method, target, sent)
    expect([method, target, status, json.code]).toEqual([method, target, 409, 'reach-exceeded'])
    expect(json.description).toContain(
      'it would now affect 2 devices, and without "maxReach" the limit is 1',
    )
  }
  const source = createVersionBody()
  getData(await send('PUT', '/v3/versions', source))
  getData(await send('PUT', '/v3/configurations', { ...allowlist, versionId: source['id'] }))
  const body = { ...allowlist, versionId: id }
  await requireRefusal('PUT', '/v3/configurations', body)
  await requireRefusal('POST', '/v3/configurations/copy', { from: source['id'], to: id })
  const { id: own } = getData(await send('PUT', '/v3/configurations?maxReach=2', body))
  const configuration = `/v3/configurations/${own}`
  await requireRefusal('PUT', '/v3/configurations', { ...body, id: own })
  await requireRefusal('PATCH', configuration, { config: { cors: [] } })
  await requireRefusal('POST', `${configuration}/revisions/1/restore`)
  await requireRefusal('DELETE', configuration)
  getData(await send('DELETE', `${configuration}?maxReach=2`))
  await requireRefusal('DELETE', path)
  getData(await send('PATCH', `${path}?maxReach=2`, { allowed: false }))
  await requireRefusal('PATCH', path, { allowed: true })
  await requireRefusal('PUT', '/v3/versions', createVersionBody({ id }))
  await requireRefusal('POST', `${path}/revisions/1/restore`)
  const keys: Json[] = getData(await send('GET', '/v3/signing-keys'))
  const signing = keys.find(({ use, state }) => use === 'reply' && state === 'signing')
  await requireRefusal('DELETE', `/v3/signing-keys/${signing.id}`)
  // What changes nothing for them needs no limit.
  getData(await send('PATCH', path, { allowed: false }))
})

test('a version that was removed is registered again only with the number of its devices', async () => {
  proves('fleet-changed-unseen')
  const { version, send } = await startFleet(2)
  const source = createVersionBody()
  getData(await send('PUT', '/v3/versions', source))
  getData(await send('PUT', '/v3/configurations', { ...allowlist, versionId: source['id'] }))
  getData(await send('DELETE', `/v3/versions/${version.id}?maxReach=2`))
  const again = createVersionBody({ id: version.id })
  const query = `copyFrom=${source['id']}`
  const reach = await send('GET', `/v3/versions/${version.id}/reach?${query}`)
  expect(getData(reach)).toMatchObject({ reach: 2, unserved: 0 })
  const { status, json } = await send('PUT', `/v3/versions?${query}`, again)
  expect([status, json.code, json.reach]).toEqual([409, 'reach-exceeded', 2])
  getData(await send('PUT', `/v3/versions?${query}&maxReach=2`, again))
})

test('the configurations of a version affect the devices that are offered an update to it', async () => {
  proves('affected-by-offer', 'fleet-changed-unseen')
  const { send } = await startFleet(3)
  const next = createVersionBody({ recommended: true })
  const path = `/v3/versions/${next['id']}`
  getData(await send('PUT', '/v3/versions?maxReach=3', next))
  const reach = { reach: 3, offered: 3, isLarge: true, waiting: 0, platforms: [] }
  expect(getData(await send('GET', `${path}/configurations/reach`))).toEqual(reach)
  const requireRefusal = async (method: string, target: string, sent?: Json) => {
    const { json } = await send(method, target, sent)
    expect([method, target, json.code, json.reach]).toEqual([method, target, 'reach-exceeded', 3])
  }
  const body = { ...allowlist, versionId: next['id'] }
  await requireRefusal('PUT', '/v3/configurations?maxReach=2', body)
  const { id } = getData(await send('PUT', '/v3/configurations?maxReach=3', body))
  const configuration = `/v3/configurations/${id}`
  expect(getData(await send('GET', `${configuration}/reach`))).toEqual(reach)
  await requireRefusal('PATCH', configuration, { config: { cors: ['https://typo.example'] } })
  await requireRefusal('PUT', '/v3/configurations', { ...body, id })
  await requireRefusal('POST', `${configuration}/revisions/1/restore`)
  await requireRefusal('DELETE', configuration)
  getData(await send('PATCH', `${path}?maxReach=3`, { recommended: false }))
  getData(await send('DELETE', configuration))
})

test('an allowlist without an origin is none for devices that would update to it', async () => {
  proves('allowlist-needed')
  const { version, send } = await startFleet(1)
  getData(await send('PUT', '/v3/configurations', { ...allowlist, versionId: version['id'] }))
  const next = createVersionBody()
  getData(await send('PUT', '/v3/versions', next))
  const empty = { type: 'CONTEXT_CONFIG', versionId: next['id'], config: { cors: [] } }
  const { id } = getData(await send('PUT', '/v3/configurations', empty))
  const recommend = () => send('PATCH', `/v3/versions/${next['id']}`, { recommended: true })
  expect((await recommend()).json.code).toBe('allowlist-missing')
  getData(await send('PATCH', `/v3/configurations/${id}`, { config: allowlist.config }))
  getData(await recommend())
})

test('an organization that is in use is refused as such', async () => {
  const { send } = await startFleet(0)
  const { orgId } = await createLabel(ds as InProcess, await (ds as InProcess).login())
  getData(await send('PUT', '/v3/labels', { name: 'A second one', orgId }))
  expect((await send('DELETE', `/v3/organizations/${orgId}`)).json.code).toBe('organization-in-use')
})

test.each([
  [1, {}, 200],
  [1, { DS_MAX_REACH: '0' }, 409],
  [3, { DS_MAX_REACH: '2' }, 409],
  [3, { DS_MAX_REACH: '3' }, 200],
  [3, { DS_MAX_REACH: 'any' }, 200],
])(
  'a change to %i devices with the settings %j is answered %i',
  async (devices, settings, status) => {
    proves('affected-unlimited')
    const { version, send } = await startFleet(devices, settings)
    const body = { allowed: false }
    expect((await send('PATCH', `/v3/versions/${version['id']}`, body)).status).toBe(status)
  },
)

/** A label whose key has just fetched a token, and whose uses no device has reported yet. */
async function startWithToken() {
  await startFleet(0)
  const service = ds as InProcess
  const send = async (method: string, path: string, body?: Json) =>
    service.request(method, path, { token: await service.login(), body })
  const label = await createLabel(service, await service.login())
  await getApplicationToken(service, label['apiKey'])
  return { label, send, path: `/v3/labels/${label['id']}`, service }
}

const key = '6f1f7d0c-8f0e-4a53-9d0e-1f3c5a7b9d11'

test('without a limit, an API key that was used lately is not ended, whatever devices have reported', async () => {
  proves('affected-unlimited', 'fleet-changed-unseen')
  const { label, send, path, service } = await startWithToken()
  const { id, name, orgId } = label
  const reach = getData(await send('GET', `${path}/reach`))
  const { keyUsedAt: day } = reach
  expect(reach).toEqual({ reach: 0, keyUsedAt: new Date(service.now).toISOString().slice(0, 10) })
  for (const [method, target, sent] of [
    ['POST', `${path}/key`, {}],
    ['DELETE', `${path}/key`, undefined],
    ['DELETE', path, undefined],
    ['PATCH', path, { apiKey: key }],
    ['PUT', '/v3/labels', { id, name, orgId, apiKey: key }],
  ] as const) {
    const { status, json } = await send(method, target, sent)
    expect([method, target, status, json.code]).toEqual([method, target, 409, 'reach-exceeded'])
    expect(json.reach).toBe(0)
    expect(json.description).toBe(
      `Cannot make this change: an API key of the label was used on ${day}, and devices report uses later: 0 uses in 30 days so far; check it, and send "maxReach=0" in the query`,
    )
  }
  const pages = await openPageSession(service)
  for (const step of ['rotate', 'revoke', 'remove'])
    expect(readWords((await pages.get(`labels/${id}/${step}`)).text)).toContain(
      'used card readers 0 times in the last 30 days. Devices report uses only when they sync, so recent uses may be missing.',
    )
  await getApplicationToken(service, label['apiKey'])
  // What leaves the key as it is needs no limit.
  getData(await send('PATCH', path, { name: 'Another name' }))
  const { apiKey } = label
  getData(await send('PATCH', path, { apiKey }))
  getData(await send('PUT', '/v3/labels', { id, name, orgId, apiKey }))
  await getApplicationToken(service, apiKey)
  getData(await send('DELETE', `${path}/key?maxReach=0`))
  service.now += 30 * 86_400_000
  const later = await (await openPageSession(service)).get(`labels/${id}/remove`)
  expect(readWords(later.text)).toContain('used card readers 0 times in the last 30 days.')
  expect(later.text).not.toContain('recent uses may be missing')
  getData(await send('DELETE', path))
})

test('without a limit, an application key is not revoked while labels use its tokens', async () => {
  proves('affected-unlimited', 'fleet-changed-unseen')
  const { label, send, service } = await startWithToken()
  const readSigning = async () =>
    getData(await send('GET', '/v3/signing-keys')).find(
      (one: Json) => one.use === 'application' && one.state === 'signing',
    )
  const path = `/v3/signing-keys/${(await readSigning()).id}`
  const used = { use: 'application', labels: 1 }
  expect(getData(await send('GET', `${path}/reach`))).toEqual({ ...used, reach: 0 })
  const unreported = await send('DELETE', path)
  expect([unreported.status, unreported.json.code, unreported.json.reach]).toEqual([
    ...[409, 'reach-exceeded', 0],
  ])
  expect(unreported.json.description).toBe(
    'Cannot make this change: 1 label fetched tokens today or yesterday, and devices report uses later: 0 uses in 30 days so far; check it, and send "maxReach=0" in the query',
  )
  const device = await createDevice(service, await createVersion(service, await service.login()))
  const day = new Date(service.now).toISOString().slice(0, 10)
  const entries = [
    { label: label['id'], module: 'belgian-eid', useCase: 'signature', day, count: 700 },
  ]
  await device.sync({ batches: [{ id: crypto.randomUUID(), entries }] })
  expect(getData(await send('GET', `${path}/reach`))).toEqual({ ...used, reach: 700 })
  for (const query of ['', '?maxReach=699']) {
    const { json } = await send('DELETE', `${path}${query}`)
    expect([json.code, json.reach]).toEqual(['reach-exceeded', 700])
    expect(json.description).toContain('it would now affect 700 uses in 30 days')
  }
  const shown = await (await openPageSession(service)).get(`${path.slice(4)}/withdraw`)
  expect(readWords(shown.text)).toContain(
    'Affects 1 application that requested tokens since yesterday. The announced key, or a new one, starts signing immediately. Affected pages used card readers 700 times in the last 30 days. Devices report uses only when they sync, so recent uses may be missing.',
  )
  expect(readHidden(shown.text, 'maxReach')).toBe('770')
  getData(await send('DELETE', `${path}?maxReach=700`))
  // Its tokens have expired.
  service.now += 2 * 86_400_000
  const next = `/v3/signing-keys/${(await readSigning()).id}`
  expect(getData(await send('GET', `${next}/reach`))).toEqual({ ...used, reach: 0, labels: 0 })
  const unused = await (await openPageSession(service)).get(`${next.slice(4)}/withdraw`)
  expect(readWords(unused.text)).toContain(
    'Affects no applications (none requested tokens since yesterday).',
  )
  expect(unused.text).not.toContain('Affected pages')
  getData(await send('DELETE', next))
})

test('the reach of the key of replies says how many devices do not know the next one', async () => {
  proves('affected-by-removal')
  const { send, service } = await startWithToken()
  const version = await createVersion(service, await service.login())
  const away = await createDevice(service, version)
  const [first, second] = [
    await createDevice(service, version),
    await createDevice(service, version),
  ]
  service.now += 2 * 86_400_000
  await first.sync()
  const readKeys = async (): Promise<readonly Json[]> =>
    getData(await send('GET', '/v3/signing-keys')).filter(({ use }: Json) => use === 'reply')
  const find = async (wanted: string) => (await readKeys()).find(({ state }) => state === wanted).id
  const path = `/v3/signing-keys/${await find('signing')}`
  const readReach = async () => getData(await send('GET', `${path}/reach`))
  const readPage = async () =>
    readWords((await (await openPageSession(service)).get(`${path.slice(4)}/withdraw`)).text)
  expect(await readReach()).toEqual({ use: 'reply', reach: 3, unsynced: 0 })
  expect(await readPage()).toContain('All devices have synced since then and trust it.')
  service.now += 3_600_000
  // Another one takes its place, which no device knows.
  getData(await send('DELETE', `/v3/signing-keys/${await find('standby')}`))
  service.now += 60_000
  expect(await readReach()).toEqual({ use: 'reply', reach: 3, unsynced: 3 })
  await second.sync()
  expect(await readReach()).toEqual({ use: 'reply', reach: 3, unsynced: 2 })
  expect(await readPage()).toContain(
    '2 devices haven’t synced since then. They won’t trust the service until you set CARDWIRE_DS_FINGERPRINTS on them.',
  )
  getData(await send('POST', `/v3/devices/${away.id}/block`))
  expect(await readReach()).toEqual({ use: 'reply', reach: 2, unsynced: 1 })
  expect(await readPage()).toContain(
    '1 device hasn’t synced since then. It won’t trust the service until you set CARDWIRE_DS_FINGERPRINTS on it.',
  )
  await first.sync()
  expect(await readReach()).toEqual({ use: 'reply', reach: 2, unsynced: 0 })
  const standby = await send('GET', `/v3/signing-keys/${await find('standby')}/reach`)
  expect(getData(standby)).toEqual({ use: 'reply', reach: 0 })
})
