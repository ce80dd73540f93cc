/** An administrator rolls a version out to a large fleet with the pages only: a planted fault halts it, a repaired version reaches all. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createAssertion, createDevice, createIdentity, type Identity } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession, type PageSession } from './harness/page-session.ts'
import { readHiddenFields, readWords } from './harness/page-text.ts'

/** As many devices as the environment says: what they take is measured with a hundred thousand. */
const fleet = Number(process.env['WALK_DEVICES'] ?? 100_000)

const hour = 3_600_000
const [first, faulty, repaired] = ['4.0.0', '4.1.0', '4.1.1']

/** The share of devices on which the faulty version fails. */
const faultShare = 0.1
/** A control group of this size is enough; all others are only counted. */
const controls = 2000

type SimulatedDevice = Pick<Identity, 'privateKey'> & { readonly id: string; version: string }

/** Copies of a registered device; those that sync get a key later. */
async function addDevices(ds: InProcess): Promise<void> {
  const version = await createVersion(ds, await ds.login(), { id: first })
  await createDevice(ds, version)
  const columns = (
    await ds.driver.run({
      sql: 'select name from pragma_table_xinfo(?) where hidden = 0',
      params: ['devices'],
    })
  ).map(([name]) => String(name))
  const id = ['4', '2', '2', '2', '6']
    .map((bytes) => `lower(hex(randomblob(${bytes})))`)
    .join(" || '-' || ")
  const values = columns.map((name) =>
    name === 'id' ? id : name === 'fingerprint' ? 'hex(randomblob(32))' : `"${name}"`,
  )
  await ds.driver.run({
    sql: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into devices (${columns.map((name) => `"${name}"`)})
      select ${values} from (select * from devices limit 1), numbers`,
    params: [fleet - 1],
  })
}

/** Gives rows keys, so that they can sync. */
async function wake(ds: InProcess, ids: readonly string[]): Promise<SimulatedDevice[]> {
  const devices: SimulatedDevice[] = []
  for (const id of ids) {
    const { privateKey, key, fingerprint } = await createIdentity()
    await ds.driver.run({
      sql: 'update devices set "key" = ?, fingerprint = ? where id = ?',
      params: [JSON.stringify(key), fingerprint, id],
    })
    devices.push({ id, privateKey, version: first })
  }
  return devices
}

/** Resolves with the version that the device is offered. */
async function sync(ds: InProcess, device: SimulatedDevice, faults: readonly string[] = []) {
  const at = new Date(ds.now).toISOString()
  const body = JSON.stringify({
    ...{ version: device.version, platform: 'UNIX' },
    faults: faults.map((kind) => ({ kind, detail: '', at })),
  })
  const token = await createAssertion(ds, device, device.id, body)
  const headers = { 'content-type': 'application/json' }
  const { status, json, text } = await ds.request('POST', '/v3/devices/sync', {
    token,
    body,
    headers,
  })
  if (status !== 200) throw new Error(`Cannot sync: ${status} ${text}`)
  const [, payload = ''] = json.data.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).verdict?.offer?.version
}

/** As many at a time as the service takes. */
async function forAll<T>(items: readonly T[], act: (item: T, at: number) => Promise<void>) {
  const size = 32
  for (let at = 0; at < items.length; at += size)
    await Promise.all(items.slice(at, at + size).map((item, offset) => act(item, at + offset)))
}

/** Sends a form, and confirms what the pages ask; resolves with the words of each review. */
async function submit(
  session: PageSession,
  path: string,
  fields: Readonly<Record<string, string>>,
) {
  const reviews: string[] = []
  let sent = fields
  for (let round = 0; round < 4; round += 1) {
    const { status, text } = await session.post(path, sent)
    if (status === 303) return reviews
    expect(status, readWords(text)).toBe(200)
    // What is shown once, such as a key, comes at once.
    if (!('maxReach' in readHiddenFields(text))) return reviews
    reviews.push(readWords(text))
    const confirm = /Type “([^”]*)” to confirm/.exec(text)?.[1]
    sent = { ...readHiddenFields(text), ...(confirm !== undefined && { confirm }) }
  }
  throw new Error(`${path} asks again and again`)
}

test(`a fault halts a rollout to ${fleet} devices at its first share, and the repaired version reaches all`, async () => {
  proves('rollout-stages', 'rollout-halts', 'bad-version-everywhere')
  const ds = await startInProcess()
  try {
    await addDevices(ds)
    // Time passes faster than a session lasts.
    const open = () => openPageSession(ds)
    const read = async (path: string) => readWords((await (await open()).get(path)).text)
    const register = async (id: string) =>
      submit(await open(), 'versions/new', {
        ...{ id, allowed: 'yes', 'uri-UNIX': `https://downloads.example/${id}.deb` },
      })
    const ids = (
      await ds.driver.run({ sql: 'select id from devices order by id', params: [] })
    ).map(([id]) => String(id))
    expect(ids.length).toBe(fleet)

    /** Saves a rollout with these shares, and starts it; resolves with where it puts each device. */
    async function roll(version: string) {
      const session = await open()
      const { text } = await session.get('rollouts/new')
      const stages = { share: '1', hold: '48' }
      const id = readHiddenFields(text)['id'] ?? ''
      const form = new URLSearchParams({
        id,
        version,
        flag: 'recommended',
        goodRate: '1',
        badRate: '4',
      })
      for (const share of [stages.share, '10', '100']) {
        form.append('share', share)
        form.append('hold', stages.hold)
      }
      expect((await session.post('rollouts/new', [...form])).status).toBe(303)
      const start = await session.get(`rollouts/${id}/start`)
      const confirm = /Type “([^”]*)” to confirm/.exec(start.text)?.[1] ?? ''
      const started = await session.post(`rollouts/${id}/start`, {
        ...readHiddenFields(start.text),
        confirm,
      })
      expect(started.status, readWords(started.text)).toBe(303)
      const [[salt] = []] = await ds.driver.run({
        sql: 'select salt from rollouts where id = ?',
        params: [id],
      })
      const place = (device: string) =>
        (createHash('sha256').update(`${salt} ${device}`).digest().readUInt32BE(0) / 2 ** 32) * 100
      return { id, review: readWords(start.text), place }
    }

    await register(faulty)
    const bad = await roll(faulty)
    expect(bad.review).toContain(`${fleet.toLocaleString('en-US')} devices`)
    const known = new Map<string, SimulatedDevice>()
    const wakeAll = async (wanted: readonly string[]) => {
      const sleeping = wanted.filter((id) => !known.has(id))
      for (const device of await wake(ds, sleeping)) known.set(device.id, device)
      return wanted.map((id) => known.get(id) as SimulatedDevice)
    }
    const reached = await wakeAll(ids.filter((id) => bad.place(id) < 1))
    const control = await wakeAll(ids.filter((id) => bad.place(id) >= 50).slice(0, controls))
    const offers: (string | undefined)[] = []
    await forAll(reached, async (device, at) => {
      offers[at] = await sync(ds, device)
    })
    expect(new Set(offers)).toEqual(new Set([faulty]))
    await forAll(control, async (device) => {
      expect(await sync(ds, device)).toBeUndefined()
    })
    let tried = 0
    for (const part of Array.from({ length: 20 }, (_, at) => at)) {
      ds.now += hour
      const some = reached.filter((_, at) => at % 20 === part)
      await forAll(some, async (device, at) => {
        device.version = faulty
        await sync(ds, device, at / some.length < faultShare ? ['card-lost'] : [])
      })
      tried += some.length
      await forAll(
        control.slice(part * 50, part * 50 + 50),
        async (device) => void (await sync(ds, device)),
      )
      if ((await read(`rollouts/${bad.id}`)).includes('Halted')) break
    }
    const halted = await read(`rollouts/${bad.id}`)
    process.stderr.write(`halted after ${tried} of ${fleet} devices\n`)
    expect(halted).toContain('Halted')
    expect(tried).toBeLessThan(fleet / 100)
    const [next] = await wakeAll(
      ids.filter((id) => bad.place(id) >= 1 && bad.place(id) < 2).slice(0, 1),
    )
    if (next) expect(await sync(ds, next)).toBeUndefined()

    await register(repaired)
    const good = await roll(repaired)
    for (const share of [1, 10]) {
      const mine = await wakeAll(ids.filter((id) => good.place(id) < share))
      const others = await wakeAll(ids.filter((id) => good.place(id) >= 50).slice(0, controls))
      for (const step of ['offered', 'installed', 'works']) {
        ds.now += hour
        await forAll([...mine, ...others], async (device) => {
          const offered = await sync(ds, device)
          if (good.place(device.id) < share && offered === repaired) device.version = repaired
        })
        expect(await read(`rollouts/${good.id}`), step).toContain(`Running. ${share}%`)
      }
      // Later than the hold time and than what tells silent devices; all of them are seen meanwhile.
      for (let waited = 0; waited < 6 * 24; waited += 48) {
        ds.now += 48 * hour
        await forAll([...mine, ...others], async (device) => void (await sync(ds, device)))
      }
      await read('versions')
    }
    expect(await read(`rollouts/${good.id}`)).toContain('Running. 100%')
    const last = await wakeAll(ids.filter((id) => good.place(id) > 99).slice(0, 50))
    await forAll(last, async (device) => expect(await sync(ds, device)).toBe(repaired))
    ds.now += 49 * hour
    await forAll(last, async (device) => void (await sync(ds, device)))
    await read('versions')
    expect(await read(`rollouts/${good.id}`)).toContain('Finished.')
    expect(
      getData(await ds.request('GET', `/v3/versions/${repaired}`, { token: await ds.login() })),
    ).toMatchObject({
      recommended: true,
    })
  } finally {
    await ds.stop()
  }
}, 3_600_000)
