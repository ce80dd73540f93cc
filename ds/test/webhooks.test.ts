/** Webhooks as time passes: when events are sent again, what is noticed, and what a flood leaves behind. */
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import type { PostWebhook, WebhookRequest } from '../src/ports.ts'
import { createPrometheusMetrics } from '../src/self-hosted/prometheus.ts'
import { createWebhookRun } from '../src/webhooks/run-webhooks.ts'
import { getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

const [second, hour] = [1000, 3_600_000]
const day = 24 * hour

let ds: InProcess
let sent: Json[]
let post: PostWebhook
let run: () => Promise<void>
const metrics = createPrometheusMetrics()

const answer =
  (result: Awaited<ReturnType<PostWebhook>>): PostWebhook =>
  async () =>
    result

beforeEach(async () => {
  sent = []
  post = answer({ status: 204 })
  const postWebhook = (request: WebhookRequest) => {
    sent.push({ ...JSON.parse(request.body), url: request.url })
    return post(request)
  }
  ds = await startInProcess({ DS_MAX_REACH: 'any' }, undefined, { postWebhook, metrics })
  run = createWebhookRun(ds.services, { maxSends: 100_000 })
})
afterEach(() => ds.stop())

const admin = async (method: string, path: string, body?: Json) =>
  ds.request(method, path, { token: await ds.login(), ...(body !== undefined && { body }) })

async function create(events: readonly string[], url = 'https://hooks.example/'): Promise<string> {
  const id = crypto.randomUUID()
  getData(await admin('PUT', `/v3/webhooks/${id}`, { name: 'Test', url, events }))
  return id
}
const read = async (id: string) => getData(await admin('GET', `/v3/webhooks/${id}`))
const listDeliveries = async (id: string) =>
  getData(await admin('GET', `/v3/webhooks/${id}/deliveries?size=100`)).items
const addAdministrator = async (name: string) =>
  getData(await admin('POST', '/v3/administrators', { name, role: 'viewer' }))
const subjects = () => sent.map(({ subject }) => subject)
const runSql = (sql: string, ...params: (string | number)[]) => ds.driver.run({ sql, params })

/** Runs whenever the webhook is due, until this much time has passed; how often it was sent. */
async function passTime(id: string, ms: number): Promise<number> {
  const [end, before] = [ds.now + ms, sent.length]
  while (ds.now < end) {
    const [[at] = []] = await runSql('select next_at from webhooks where id = ?', id)
    ds.now = Math.min(end, Math.max(ds.now + second, Number(at)))
    await run()
  }
  return sent.length - before
}

test('an event is sent again after growing delays, and after a day the webhook is failing and drops nothing', async () => {
  proves('webhook-retry')
  const id = await create(['administrator.added'])
  await addAdministrator('ann')
  await addAdministrator('bob')
  post = answer({ status: 503 })
  await run()
  expect(await read(id)).toMatchObject({ state: 'active', lastFailure: { status: 503 } })
  await run()
  expect(subjects()).toEqual(['administrators/ann'])
  ds.now += 5 * second
  await run()
  expect(sent).toHaveLength(2)
  const ofADay = await passTime(id, day + 2 * hour)
  expect(ofADay).toBeGreaterThan(25)
  expect(ofADay).toBeLessThan(70)
  expect(await read(id)).toMatchObject({ state: 'failing' })
  post = answer({ reason: 'connection-failed' })
  const ofAWeek = await passTime(id, 7 * day)
  expect(ofAWeek).toBeGreaterThan(7 * 23)
  expect(new Set(subjects())).toEqual(new Set(['administrators/ann']))
  expect(new Set(sent.map(({ id: event }) => event)).size).toBe(1)
  post = answer({ status: 200 })
  ds.now += 2 * hour
  await run()
  expect(subjects().slice(-2)).toEqual(['administrators/ann', 'administrators/bob'])
  expect((await read(id)).state).toBe('active')
  expect((await read(id)).lastFailure).toBeUndefined()
})

test('an event that a receiver answers with an error for a day is recorded as rejected, and the next one is sent', async () => {
  proves('webhook-retry')
  const id = await create(['administrator.added'])
  await addAdministrator('ann')
  await addAdministrator('bob')
  post = async ({ body }) => ({ status: body.includes('ann') ? 400 : 204 })
  await passTime(id, day - hour)
  expect(new Set(subjects())).toEqual(new Set(['administrators/ann']))
  await passTime(id, 3 * hour)
  expect(subjects().at(-1)).toBe('administrators/bob')
  const outcomes = (await listDeliveries(id)).map((one: Json) => [one.subject, one.outcome])
  expect(outcomes.slice(0, 3)).toEqual([
    ['administrators/bob', 'delivered'],
    ['administrators/ann', 'rejected'],
    ['administrators/ann', 'failed'],
  ])
  expect((await read(id)).state).toBe('active')
})

test('a slow receiver delays no other one, and two runs at once send an event once', async () => {
  proves('webhook-receiver', 'webhook-events')
  const [slow, quick] = ['https://slow.example/', 'https://quick.example/']
  await create(['administrator.added'], slow)
  await create(['administrator.added'], quick)
  const gate = Promise.withResolvers<{ status: number }>()
  post = async ({ url }) => (url === slow ? gate.promise : { status: 204 })
  await addAdministrator('ann')
  const runs = [run(), run()]
  await expect.poll(() => sent.length).toBe(2)
  await addAdministrator('bob')
  await createWebhookRun(ds.services, { maxSends: 10 })()
  expect(sent.map(({ url, subject }) => [url, subject]).toSorted()).toEqual([
    [quick, 'administrators/ann'],
    [quick, 'administrators/bob'],
    [slow, 'administrators/ann'],
  ])
  gate.resolve({ status: 204 })
  await Promise.all(runs)
  await run()
  expect(sent.filter(({ url }) => url === slow)).toHaveLength(2)
  expect((await metrics.render(undefined)).text).toMatch(
    /cardwire_ds_webhook_deliveries_total\{outcome="delivered"\} \d/,
  )
})

test('a run whose lease was over moves nothing, and a lease from a clock that was ahead ends', async () => {
  proves('webhook-retry')
  const id = await create(['administrator.added'])
  const gates = [0, 1].map(() => Promise.withResolvers<{ status: number }>())
  post = async () => gates[sent.length - 1]?.promise ?? { status: 204 }
  await addAdministrator('ann')
  const first = run()
  await expect.poll(() => sent.length).toBe(1)
  ds.now += 61 * second
  const other = run()
  await expect.poll(() => sent.length).toBe(2)
  gates[0]?.resolve({ status: 500 })
  await first
  expect((await read(id)).lastFailure).toBeUndefined()
  gates[1]?.resolve({ status: 204 })
  await other
  expect((await listDeliveries(id)).map(({ outcome }: Json) => outcome)).toEqual(['delivered'])
  await addAdministrator('bob')
  await runSql('update webhooks set lease_until = ?, next_at = ?', ds.now + day, ds.now + 30 * day)
  await run()
  expect(subjects().at(-1)).toBe('administrators/bob')
})

test('100,000 approved devices leave no rows but those of the audit, and few deliveries', async () => {
  proves('webhook-flood')
  const id = await create(['device.approved'])
  await runSql(
    `insert into audit (at, subject, name, operation, kind, id, fields)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)
     select ?, 'admin', 'admin', 'changeDevices', 'device', 'device-' || n, 'approve change' from numbers`,
    ds.now,
  )
  let [count, isOrdered] = [0, true]
  post = async ({ body }) => {
    count += 1
    isOrdered &&= body.includes(`"devices/device-${count}"`)
    sent.length = 0
    return { status: 204 }
  }
  await createWebhookRun(ds.services, { maxSends: 700 })()
  expect([count, isOrdered]).toEqual([700, true])
  // Those of one part of the entries are stored before the older ones go.
  expect((await listDeliveries(id)).length).toBe(100)
  const [[rows] = []] = await runSql('select count(*) from webhook_deliveries')
  expect(Number(rows)).toBeLessThanOrEqual(400)
})

/** The form of a value: what has names keeps them, and the rest has its type. */
const toForm = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toForm(one)]))
    : typeof value

/** Makes each event happen, in the order of the list. */
const causes: Readonly<Record<string, () => Promise<unknown>>> = {
  'rollout.halted': async () => {
    const version = { id: '4.1.0', recommended: false, mandatory: false, allowed: true, uris: [] }
    getData(await admin('PUT', '/v3/versions', version))
    const path = `/v3/rollouts/${crypto.randomUUID()}`
    const stages = [{ share: 100, holdS: 86_400 }]
    getData(await admin('PUT', path, { version: '4.1.0', flag: 'recommended', stages }))
    for (const state of ['running', 'paused', 'running'])
      getData(await admin('PUT', `${path}/state`, { state }))
    getData(await admin('POST', '/v3/rollouts/halt', {}))
  },
  'device-faults.raised': async () => {
    const version = { id: '4.0.0', recommended: false, mandatory: false, allowed: true, uris: [] }
    const stored = getData(await admin('PUT', '/v3/versions', version))
    for (let count = 0; count < 5; count += 1) {
      await run()
      const device = await createDevice(ds, stored)
      const at = new Date(ds.now).toISOString()
      await device.sync({ faults: [{ kind: 'pcsc-unavailable', at, detail: 'No service' }] })
    }
  },
  'registrations.rejected': async () => {
    const headers = { apikey: 'a-key-that-nobody-has' }
    const { status } = await ds.request('POST', '/v3/devices', { headers, body: {} })
    expect(status).toBe(401)
  },
  'keystore.expiring': async () => {
    const config = { uri: 'https://keys.example/k.p12', password: 'a-password' }
    const body = { versionId: '4.1.0', type: 'SSL_KEYSTORE', config }
    getData(await admin('PUT', '/v3/configurations', body))
    const notAfter = new Date(ds.now + 6 * day).toISOString()
    await runSql(
      `update configurations set config = json_set(config, '$.certificate', json_object('notAfter', ?))`,
      notAfter,
    )
  },
  'signing-key.expiring': async () => {
    await ds.services.keyring.list('reply')
    await runSql(
      `update signing_keys set created_at = ?, signs_from = 0 where "use" = 'reply'`,
      ds.now - 360 * day,
    )
  },
  'administrator.added': () => addAdministrator('ann'),
  'device.approved': async () => {
    await runSql('update devices set approved = false')
    const [[device] = []] = await runSql('select id from devices limit 1')
    getData(await admin('POST', `/v3/devices/${device}/approve`))
  },
}

test.each([
  ['hides no faults of others', 60, 3, 0],
  ['raises no alarm', 0, 0, 6],
])('a device that waits for approval %s', async (_, waiting, faulty, waitingFaulty) => {
  proves('webhook-events', 'strangers-are-no-evidence')
  const version = { id: '4.0.0', recommended: false, mandatory: false, allowed: true, uris: [] }
  const stored = getData(await admin('PUT', '/v3/versions', version))
  await create(['device-faults.raised'])
  const report = async (device: Awaited<ReturnType<typeof createDevice>>) => {
    const at = new Date(ds.now).toISOString()
    await device.sync({ faults: [{ kind: 'pcsc-unavailable', at, detail: 'No service' }] })
  }
  for (let count = 0; count < 2 * faulty; count += 1) await report(await createDevice(ds, stored))
  await runSql('update devices set approved = true')
  for (let count = 0; count < waiting + waitingFaulty; count += 1) {
    const device = await createDevice(ds, stored)
    if (count < waitingFaulty) await report(device)
    else await device.sync()
    await runSql('update devices set approved = false where id = ?', device.id)
  }
  ds.now += 301 * second
  await run()
  expect(sent.map(({ type, data }) => [type, data.devices, data.faulty])).toEqual(
    faulty === 0 ? [] : [['device-faults.raised', 2 * faulty, 2 * faulty]],
  )
})

test('versions and keystores that need no notice hide none that do', async () => {
  proves('webhook-events', 'notice-hidden')
  const insertDevices = (version: string, count: number, of: string) =>
    runSql(
      `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count} - 1)
      insert into devices (id, fingerprint, key, version, platform, device, user, blocked, approved, registrations,
        registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
      select '${of}' || n, '${of}' || n, '{}', ${version}, 'UNIX', '{}', '{}', 0, 1, 1, 0, 0, 0, 0, 99999, 0, '[{"kind":"x"}]'
      from numbers`,
    )
  // One device with a fault is an accident; five are not.
  await insertDevices("'1.0.' || n", 201, 'accident-')
  await insertDevices("'9.0.0'", 5, 'fault-')
  const version = { id: '4.0.0', recommended: false, mandatory: false, allowed: true, uris: [] }
  getData(await admin('PUT', '/v3/versions', version))
  await runSql(
    `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 200)
    insert into configurations (id, version_id, type, group_id, config, revision, created_at, updated_at)
    select 'keystore-' || n, '4.0.0', 'SSL_KEYSTORE', 'group-' || n,
      json_object('certificate', json_object('notAfter', case n when 200 then ? else ? end)), 1, 1, 1 from numbers`,
    new Date(ds.now + hour).toISOString(),
    new Date(ds.now + 29 * day).toISOString(),
  )
  await create(['device-faults.raised', 'keystore.expiring'])
  await run()
  ds.now += 301 * second
  await run()
  const found = subjects().filter((one) => /9\.0\.0|keystore-200/.test(one))
  expect(found.toSorted()).toEqual(['configurations/keystore-200', 'versions/9.0.0'])
})

test('each event has the form that docs/webhooks.md shows, and a notice comes once', async () => {
  proves('webhook-events')
  const text = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([a-z.-]+)` \| .* \| `([^`]+)` \| `(\{.*\})` \|$/gm)]
  const shown = new Map(rows.map(([, type = '', , data = '']) => [type, JSON.parse(data)]))
  expect([...shown.keys()]).toEqual(Object.keys(causes))
  const [example] = /^\{\n {2}"id"[\s\S]*?^\}/m.exec(text) ?? []
  for (const [type, cause] of Object.entries(causes)) {
    const id = await create([type])
    await cause()
    ds.now += 301 * second
    await run()
    expect([type, sent.length]).toEqual([type, 1])
    const { url, ...event } = sent[0]
    expect(event.type).toBe(type)
    const { issuer, ...by } = shown.get(type).by ?? {}
    expect([type, toForm(event.data)]).toEqual([
      type,
      toForm(
        type === 'rollout.halted'
          ? { ...shown.get(type), by: { ...by, issuer: 'https://ds.example' } }
          : shown.get(type),
      ),
    ])
    if (type === 'rollout.halted')
      expect(Object.keys(event)).toEqual(Object.keys(JSON.parse(example ?? '')))
    ds.now += 301 * second
    await run()
    expect([type, sent.length]).toEqual([type, 1])
    await admin('DELETE', `/v3/webhooks/${id}`)
    sent.length = 0
  }
})
