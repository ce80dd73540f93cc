/** The metrics of a running service, and the sample alert rules that use them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { openExpiry } from '../../test/bed/keystore-file.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'
import { createLabel, createRollout, createVersion, uploadKeystore } from './harness/arrange.ts'
import { createDevice, createIdentity, register } from './harness/device.ts'
import { withDatabase } from './harness/stored-data.ts'

let service: DistributionService
beforeAll(async () => {
  service = await startDistributionService()
})
afterAll(() => service.stop())

const scrape = async () => (await service.request('GET', '/metrics')).text

/** The value of a sample; undefined when there is none. */
async function read(sample: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

/** Until it is counted anew. */
const expectSample = (sample: string) => expect.poll(() => read(sample))

const admin = async (method: string, path: string) =>
  service.request(method, path, { token: await service.login() })

/** A device registers and synchronizes, another one is refused, and an application gets a token. */
async function useService(): Promise<void> {
  const version = await createVersion(service, await service.login())
  const device = await createDevice(service, version)
  await device.sync()
  await register(service, await createIdentity(), crypto.randomUUID(), { version: version.id })
  const { apiKey } = await createLabel(service, await service.login())
  await service.request('GET', '/v3/tokens/application', { headers: { apikey: apiKey } })
}

test('GET /metrics counts the devices by version and standing', async () => {
  const version = await createVersion(service, await service.login())
  const devices = []
  for (let n = 0; n < 4; n += 1) devices.push(await createDevice(service, version))
  const [blocked, waiting, silent] = devices.map(({ id }) => id)
  await admin('POST', `/v3/devices/${blocked}/block`)
  await withDatabase(service, async ({ run }) => {
    await run('update devices set approved = false where id = ?', String(waiting))
    await run('update devices set last_seen_day = last_seen_day - 8 where id = ?', String(silent))
  })
  for (const standing of ['blocked', 'waiting', 'silent', 'active']) {
    const sample = `cardwire_ds_devices{version="${version.id}",standing="${standing}"}`
    await expectSample(sample).toBe(1)
  }
  const removed = await createVersion(service, await service.login())
  await createDevice(service, removed)
  await admin('DELETE', `/v3/versions/${removed.id}?maxReach=1`)
  await expectSample(`cardwire_ds_devices{version="${removed.id}",standing="unserved"}`).toBe(1)
  await admin('POST', `/v3/devices/${blocked}/unblock`)
  await expectSample(`cardwire_ds_devices{version="${version.id}",standing="active"}`).toBe(2)
  expect(await read(`cardwire_ds_devices{version="${version.id}",standing="blocked"}`)).toBe(
    undefined,
  )
})

test('GET /metrics counts refused registrations by reason, tokens by kind, and times synchronizations', async () => {
  await useService()
  const refused = 'cardwire_ds_registrations_refused_total{reason="api-key-refused"}'
  expect(await read(refused)).toBe(1)
  expect(await read('cardwire_ds_tokens_issued_total{kind="application"}')).toBe(1)
  expect(await read('cardwire_ds_tokens_issued_total{kind="administrator"}')).toBeGreaterThan(0)
  const durations = 'cardwire_ds_synchronization_duration_seconds'
  expect(await read(`${durations}_count{outcome="accepted"}`)).toBe(1)
  expect(await read(`${durations}_bucket{le="+Inf",outcome="accepted"}`)).toBe(1)
})

test('GET /metrics tells how old the keys of labels and versions are, and the keys that sign', async () => {
  const token = await service.login()
  const { id, apiKey } = await createLabel(service, token)
  const { id: version } = await createVersion(service, token)
  const started = Date.now() / 1000
  for (const [kind, owner] of [
    ['label', id],
    ['installation', version],
    ['signing', 'application'],
    ['signing', 'reply'],
  ]) {
    const sample = `cardwire_ds_key_created_timestamp_seconds{kind="${kind}",id="${owner}"}`
    // The keys that sign are those of the run.
    await expectSample(sample).toBeGreaterThan(started - 7200)
  }
  expect(await read('cardwire_ds_keys{kind="signing"}')).toBe(3)
  const text = await scrape()
  expect(text).not.toContain(apiKey)
})

/** A version with a keystore. */
async function saveKeystore(): Promise<string> {
  const token = await service.login()
  const { id: versionId } = await createVersion(service, token)
  const { uri } = await uploadKeystore(service, token)
  const body = { versionId, type: 'SSL_KEYSTORE', config: { uri, password: 'x' } }
  await service.request('PUT', '/v3/configurations', { token, body })
  return versionId
}

test('GET /metrics tells when the keystores of versions expire', async () => {
  proves('keystore-expiry')
  const version = await saveKeystore()
  const sample = `cardwire_ds_keystore_expiry_timestamp_seconds{version="${version}"}`
  await expectSample(sample).toBe(Date.parse(openExpiry) / 1000)
})

test('GET /metrics counts the devices by the kinds of their faults and by version', async () => {
  proves('counted-devices')
  const version = await createVersion(service, await service.login())
  const devices = []
  for (let n = 0; n < 3; n += 1) devices.push(await createDevice(service, version))
  const [first, second, silent] = devices
  const reader = { kind: 'readers-unavailable', detail: 'x', at: '2026-01-01T00:00:00Z' }
  const keystore = { ...reader, kind: 'keystore-refused' }
  await first?.sync({ faults: [reader, keystore, reader] })
  await second?.sync({ faults: [reader] })
  await silent?.sync({ faults: [reader] })
  await withDatabase(service, ({ run }) =>
    run('update devices set last_seen_day = last_seen_day - 8 where id = ?', String(silent?.id)),
  )
  const sampleOf = (kind: string) =>
    `cardwire_ds_device_faults{kind="${kind}",version="${version.id}"}`
  await expectSample(sampleOf('readers-unavailable')).toBe(2)
  expect(await read(sampleOf('keystore-refused'))).toBe(1)
  await first?.sync({ faults: [] })
  await expectSample(sampleOf('readers-unavailable')).toBe(1)
  expect(await read(sampleOf('keystore-refused'))).toBe(undefined)
  await second?.sync({ faults: [] })
  await silent?.sync({ faults: [] })
  await expectSample(sampleOf('readers-unavailable')).toBe(undefined)
})

test.each(['approved', 'blocked'])(
  'GET /metrics counts no faults of a device while %s says that it is no evidence',
  async (column) => {
    proves('strangers-are-no-evidence')
    const version = await createVersion(service, await service.login())
    const devices = []
    for (let n = 0; n < 3; n += 1) devices.push(await createDevice(service, version))
    for (const device of devices)
      await device.sync({ faults: [{ kind: column, detail: '', at: '2026-01-01T00:00:00Z' }] })
    const sample = `cardwire_ds_device_faults{kind="${column}",version="${version.id}"}`
    const turn = (id = '') =>
      withDatabase(service, ({ run }) =>
        run(`update devices set ${column} = not ${column} where id = ?`, id),
      )
    await expectSample(sample).toBe(3)
    await turn(devices[0]?.id)
    await expectSample(sample).toBe(2)
    await turn(devices[0]?.id)
    await expectSample(sample).toBe(3)
    for (const device of devices) await device.sync({ faults: [] })
  },
)

test('GET /metrics names the versions of approved devices before those of strangers', async () => {
  proves('strangers-are-no-evidence')
  const version = await createVersion(service, await service.login())
  await createDevice(service, version)
  await withDatabase(service, ({ run }) =>
    run(
      `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 149)
      insert into devices (id, fingerprint, key, version, platform, device, user, blocked, approved, registrations,
        registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
      select 'stranger-' || n, 'stranger-' || n, '{}', '8.0.' || (n % 50), 'UNIX', '{}', '{}', 0, 0, 1, 0, 0, 0, 0, 99999, 0, '[]'
      from numbers`,
    ),
  )
  const strangers = /^cardwire_ds_devices\{version="(8\.0\.|other)/m
  await expect.poll(scrape).toMatch(strangers)
  expect(await read(`cardwire_ds_devices{version="${version.id}",standing="active"}`)).toBe(1)
  await withDatabase(service, ({ run }) => run("delete from devices where id like 'stranger-%'"))
  await expect.poll(scrape).not.toMatch(strangers)
})

describe('many versions and devices', () => {
  const number = 120

  test('GET /metrics names 50 versions, and counts the others as one', async () => {
    const before = await countAll()
    // More than one statement counts.
    await withDatabase(service, ({ run }) =>
      run(
        `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 4999)
        insert into devices (id, fingerprint, key, version, platform, device, user, blocked, approved, registrations,
          registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
        select 'many-' || n, 'many-' || n, '{}', '7.0.' || (n % ${number}), 'UNIX', '{}', '{}', 0, 1, 1, 0, 0, 0, 0, 99999, 0, '[]'
        from numbers`,
      ),
    )
    await expect.poll(countAll).toBe(before + 5000)
    const lines = (await scrape()).match(/^cardwire_ds_devices\{.*$/gm) ?? []
    const versions = new Set(lines.map((line) => /version="([^"]*)"/.exec(line)?.[1]))
    expect(versions.size).toBe(51)
    expect(versions).toContain('other')
  })

  test('GET /metrics names 20 kinds of faults, and counts the others as one', async () => {
    await withDatabase(service, ({ run }) =>
      run(
        `update devices set last_seen_day = cast(strftime('%s', 'now') as integer) / 86400,
          faults = '[{"kind":"kind-' || (cast(substr(id, 6) as integer) % 40) || '"}]'
          where id like 'many-%' and cast(substr(id, 6) as integer) < 4000`,
      ),
    )
    const readKinds = async () => {
      const lines = (await scrape()).match(/^cardwire_ds_device_faults\{.*$/gm) ?? []
      const many = lines.filter((line) => /kind="(kind-|other)/.test(line))
      return {
        sum: many.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
        kinds: new Set(many.map((line) => /kind="([^"]*)"/.exec(line)?.[1])).size,
        versions: new Set(many.map((line) => /version="([^"]*)"/.exec(line)?.[1])).size,
      }
    }
    await expect.poll(readKinds).toEqual({ sum: 4000, kinds: 21, versions: 51 })
  })

  async function countAll(): Promise<number> {
    const lines = (await scrape()).match(/^cardwire_ds_devices\{.*$/gm) ?? []
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
})

let started: Promise<void> | undefined
const startRolloutOnce = () => {
  started ??= startRollout()
  return started
}

/** A rollout that runs, and is counted. */
async function startRollout(): Promise<void> {
  const token = await service.login()
  const { version } = await createRollout(service, token, 'running')
  await service.request('GET', '/v3/versions/latest', { token })
  await expectSample(`cardwire_ds_rollout_share{version="${version}"}`).toBe(0.5)
  await expectSample(`cardwire_ds_rollout_test_ratio{version="${version}"}`).toBe(0)
  expect(await read('cardwire_ds_rollouts{state="running"}')).toBe(1)
}

test.each(['prometheus-alerts.yml', 'grafana-dashboard.json'])(
  'every metric and label that docs/%s names is in what GET /metrics answers',
  async (name) => {
    proves('alert-rules')
    const file = await readFile(join(root, 'docs', name), 'utf8')
    // In JSON, quotes are escaped.
    const rules = file.replaceAll('\\"', '"')
    await useService()
    await saveKeystore()
    await startRolloutOnce()
    const token = await service.login()
    const device = await createDevice(service, await createVersion(service, token))
    await device.sync({
      faults: [{ kind: 'readers-unavailable', detail: '', at: new Date().toISOString() }],
    })
    await expect.poll(scrape).toMatch(/^cardwire_ds_device_faults\{/m)
    const names = new Set(rules.match(/\b(?:cardwire|process|nodejs)_\w+/g))
    const samples = new Set((await scrape()).match(/^\w+(?=[{ ])/gm))
    expect(names.size).toBeGreaterThan(8)
    expect([...names].filter((name) => !samples.has(name))).toEqual([])
    const labels = [...rules.matchAll(/\b(?:cardwire_ds_\w+)\{(\w+)=~?"/g)].map(
      ([, label]) => label,
    )
    // Prometheus adds this one.
    const known = new Set((await scrape()).match(/\w+(?==")/g)).add('instance')
    expect(labels.filter((label) => !known.has(label ?? ''))).toEqual([])
  },
)
