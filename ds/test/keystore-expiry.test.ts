/** Keystores over time, with a clock that the test sets: the overview and their pages say when they expire. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openExpiry, readKeystoreFile } from '../../test/bed/keystore-file.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'

const dayMs = 86_400_000
const end = Date.parse(openExpiry)

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
  const file = readKeystoreFile()
  await ds.services.keystores.store({
    key: 'keystore.p12',
    size: file.length,
    body: new Blob([Buffer.from(file)]).stream(),
    commit: async () => undefined,
  })
})
afterEach(() => ds.stop())

/** A version with a keystore. */
async function configure(): Promise<Json> {
  const token = await ds.login()
  const version = await createVersion(ds, token)
  const uri = 'file:///keystore.p12'
  const body = { type: 'SSL_KEYSTORE', versionId: version.id, config: { uri, password: 'x' } }
  getData(await ds.request('PUT', '/v3/configurations', { token, body }))
  return version
}

/** The text of a page, without its elements. */
const readPage = async (to: string) =>
  (await (await openPageSession(ds)).get(to)).text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')

test('the overview names a keystore from 30 days before it expires, and after', async () => {
  proves('keystore-expiry')
  const { id } = await configure()
  const link = `Replace the keystore for version ${id}`
  ds.now = end - 30 * dayMs - 1000
  expect(await readPage('')).not.toContain(link)
  ds.now = end - 29 * dayMs
  expect(await readPage('')).toContain(`${link} (expires Nov 4, 2126, 7:16 AM UTC)`)
  ds.now = end + dayMs
  expect(await readPage('')).toContain(`${link} (expired Nov 4, 2126, 7:16 AM UTC)`)
})

test('the overview names five keystores, those of versions that devices have first', async () => {
  proves('keystore-expiry')
  const versions: Json[] = []
  for (let count = 0; count < 7; count += 1) versions.push(await configure())
  ds.now = end - 10 * dayMs
  const last = versions.at(-1)
  await (await createDevice(ds, last, { clock: ds.clock })).sync()
  const text = await readPage('')
  const named = [...text.matchAll(/keystore for version (\S+)/g)].map(([, version]) => version)
  expect(named).toHaveLength(5)
  expect(named[0]).toBe(last.id)
  expect(text).toContain('2 more keystores')
})

test.each([
  ['before its certificate begins', Date.UTC(2026, 0, 1), 'isn’t valid yet'],
  ['within its time', Date.UTC(2030, 0, 1), undefined],
  ['30 days before its end', end - 30 * dayMs + 1000, 'expires Nov 4, 2126, 7:16 AM UTC. Upload'],
  ['after its end', end, 'has expired'],
])('the page of a keystore says so %s', async (_, now, note) => {
  proves('keystore-expiry')
  await configure()
  const token = await ds.login()
  const [{ id }] = getData(await ds.request('GET', '/v3/configurations', { token })).items
  ds.now = now
  const text = await readPage(`configurations/${id}`)
  expect(text).toContain('EC, 256 bits')
  for (const each of ['isn’t valid yet', 'This keystore expires', 'has expired'])
    expect(text.includes(each)).toBe(note !== undefined && `This keystore ${note}`.includes(each))
  if (note !== undefined) expect(text).toContain(note)
})

test('a keystore that has expired cannot be saved, and devices of its version still sync', async () => {
  proves('keystore-expiry', 'keystore-opened')
  const version = await configure()
  ds.now = end
  const token = await ds.login()
  const { items } = getData(await ds.request('GET', '/v3/configurations', { token }))
  const refused = await ds.request('PATCH', `/v3/configurations/${items[0].id}`, {
    token,
    body: { config: { password: 'y' } },
  })
  expect([refused.status, refused.json.code]).toEqual([422, 'keystore-expired'])
  const device = await createDevice(ds, version, { clock: ds.clock })
  expect((await device.sync()).reply.keystore.digest).toBe(items[0].config.digest)
  const { id: next } = await createVersion(ds, token)
  const body = { from: version.id, to: next }
  const copied = await ds.request('POST', '/v3/configurations/copy', { token, body })
  expect(copied.status).toBe(201)
})

test('a keystore that an earlier version of the service saved works, and its page says how to see more', async () => {
  proves('keystore-opened')
  const version = await configure()
  const token = await ds.login()
  const list = async () =>
    getData(await ds.request('GET', '/v3/configurations', { token })).items[0] as Json
  const { id, config } = await list()
  const { certificate, ...before } = config
  await ds.driver.run({
    sql: 'update configurations set config = ? where id = ?',
    params: [JSON.stringify(before), id],
  })
  expect((await list()).config).toEqual(before)
  const device = await createDevice(ds, version, { clock: ds.clock })
  expect((await device.sync()).reply.keystore.digest).toBe(before.digest)
  expect(await readPage(`configurations/${id}`)).toContain('an earlier version of the service')
  const path = `/v3/configurations/${id}`
  const saved = await ds.request('PATCH', path, { token, body: { config: {} } })
  expect(getData(saved).config.certificate).toEqual(certificate)
})
