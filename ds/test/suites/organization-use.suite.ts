/** Use by organization: uses and unique devices of a month. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createLabel, createOrganization, createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'

/** The first day of a month, by how many months ago it was. */
function toFirstDay(monthsAgo: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo))
    .toISOString()
    .slice(0, 10)
}
const [day, dayBefore, folded] = [toFirstDay(0), toFirstDay(1), toFirstDay(5)]
const toMonth = (date: string) => date.slice(0, 7)

export function organizationUseSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string, body?: Json) =>
    service().request(method, path, {
      token: await service().login(),
      ...(body !== undefined && { body }),
    })
  const aVersion = async () => createVersion(service(), await service().login())
  const device = async () => createDevice(service(), await aVersion())
  const organization = async () => createOrganization(service(), await service().login())
  /** The id of a label of an organization. */
  const label = async ({ id: orgId }: Json, name = `Used ${crypto.randomUUID()}`) =>
    (await createLabel(service(), await service().login(), { name, orgId })).id
  const entry = (label: string, overrides: Json = {}) => ({
    ...{ label, module: 'belgian-eid', useCase: 'signature', day, count: 1 },
    ...overrides,
  })
  const batch = (...entries: Json[]) => ({ id: crypto.randomUUID(), entries })
  const report = async (month: string, query = '') =>
    getData(await admin('GET', `/v3/counters/organizations?month=${month}&size=100${query}`))
  /** What a month says about an organization: its uses and devices, and those of each label. */
  const ofOrganization = async ({ id }: Json, date = day) => {
    const { total } = await report(toMonth(date))
    for (let page = 1; page <= total / 100 + 1; page += 1) {
      const { items } = await report(toMonth(date), `&page=${page}`)
      const found = items.find(({ orgId }: Json) => orgId === id)
      if (found)
        return [
          [found.uses, found.devices],
          ...found.labels.map(({ label, uses, devices }: Json) => [label, uses, devices]),
        ]
    }
    return undefined
  }

  test('a device that waits for approval counts when it is approved', async () => {
    proves('strangers-are-no-evidence')
    const owner = await organization()
    const a = await label(owner)
    const one = await device()
    const approve = (isApproved: boolean) =>
      withDatabase(service(), ({ run }) =>
        run(`update devices set approved = ${isApproved} where id = ?`, one.id),
      )
    await approve(false)
    const batches = [batch(entry(a))]
    await one.sync({ batches })
    expect(await ofOrganization(owner)).toBe(undefined)
    await approve(true)
    await one.sync({ batches })
    expect(await ofOrganization(owner)).toEqual([
      [1, 1],
      [a, 1, 1],
    ])
  })

  test('a device counts once a month for a label, an organization and in all, however often it is used', async () => {
    proves('unique-devices')
    const owner = await organization()
    const [a, b] = [await label(owner, 'A first label'), await label(owner, 'B second label')]
    const before = await report(toMonth(day))
    const [one, two] = [await device(), await device()]
    const first = batch(entry(a), entry(a, { useCase: 'print', count: 6 }), entry(b))
    await one.sync({ batches: [first] })
    await one.sync({ batches: [first, batch(entry(a, { module: 'luxtrust' }))] })
    await two.sync({ batches: [batch(entry(a)), batch(entry(a, { day: dayBefore, count: 3 }))] })
    expect(await ofOrganization(owner)).toEqual([
      [10, 2],
      [a, 9, 2],
      [b, 1, 1],
    ])
    expect(await ofOrganization(owner, dayBefore)).toEqual([
      [3, 1],
      [a, 3, 1],
    ])
    const after = await report(toMonth(day))
    expect([after.uses - before.uses, after.devices - before.devices]).toEqual([10, 2])
  })

  test('a device that is deleted and registers again counts once', async () => {
    proves('unique-devices')
    const owner = await organization()
    const name = await label(owner)
    const version = await aVersion()
    const one = await createDevice(service(), version)
    await one.sync({ batches: [batch(entry(name))] })
    await admin('DELETE', `/v3/devices/${one.id}`)
    const again = await createDevice(service(), version, {}, one)
    expect(again.id).not.toBe(one.id)
    await again.sync({ batches: [batch(entry(name))] })
    expect(await ofOrganization(owner)).toEqual([
      [2, 1],
      [name, 2, 1],
    ])
  })

  test('what is stored of a device is a hash that differs from month to month, and no hash is of its fingerprint or id', async () => {
    proves('use-reidentified')
    const name = await label(await organization())
    const one = await device()
    await one.sync({ batches: [batch(entry(name), entry(name, { day: dayBefore }))] })
    const rows = await withDatabase(service(), ({ run }) =>
      run('select * from use_devices where label = ? order by month', name),
    )
    expect(rows.map(({ month, label }) => [month, label])).toEqual([
      [toMonth(dayBefore), name],
      [toMonth(day), name],
    ])
    const hashes = rows.map(({ hash }) => hash)
    expect(new Set(hashes).size).toBe(2)
    for (const hash of hashes) expect(hash).toMatch(/^[\w-]{22}$/)
    for (const row of rows) expect(Object.keys(row).toSorted()).toEqual(['hash', 'label', 'month'])
    const plain = [one.id, one.fingerprint].map(async (text) =>
      Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
        .subarray(0, 16)
        .toString('base64url'),
    )
    for (const hash of await Promise.all(plain)) expect(hashes).not.toContain(hash)
  })

  test('a use of an earlier month counts as a use, and no longer as a device', async () => {
    proves('unique-devices-folded')
    const owner = await organization()
    const name = await label(owner)
    const [one, earlier] = [await device(), toFirstDay(4)]
    await one.sync({ batches: [batch(entry(name, { day: earlier }))] })
    expect(await ofOrganization(owner, earlier)).toEqual([
      [1, null],
      [name, 1, null],
    ])
    await withDatabase(service(), async ({ run }) => {
      await run('delete from use_months where month = ?', toMonth(folded))
      for (const [scope, id, devices] of [
        ['label', name, 3],
        ['organization', owner.id, 4],
        ['total', '', 5],
      ] as const)
        await run('insert into use_months values (?, ?, ?, ?)', toMonth(folded), scope, id, devices)
    })
    await one.sync({ batches: [batch(entry(name, { day: folded, count: 7 }))] })
    expect((await report(toMonth(folded))).devices).toBe(5)
    expect(await ofOrganization(owner, folded)).toEqual([
      [7, 4],
      [name, 7, 3],
    ])
    await withDatabase(service(), ({ run }) => run('delete from use_months'))
  })

  test('uses without an application, and of labels that were removed, have no organization', async () => {
    const name = await label(await organization())
    const one = await device()
    await one.sync({ batches: [batch(entry(name), entry('-'))] })
    await admin('DELETE', `/v3/labels/${name}?maxReach=99`)
    const { total } = await report(toMonth(day))
    const page = await report(toMonth(day), `&page=${Math.ceil(total / 100)}`)
    const last = page.items.at(-1)
    expect(last).not.toHaveProperty('orgId')
    expect(last.labels).toContainEqual({ label: name, uses: 1, devices: 1 })
    expect(last.labels.find(({ label }: Json) => label === '-').devices).toBeGreaterThan(0)
  })

  test('a device counts for a hundred labels a month, and its uses of all', async () => {
    proves('devices-flood')
    const owner = await organization()
    await withDatabase(service(), async ({ run }) => {
      for (let at = 0; at < 101; at += 1)
        await run(
          'insert into labels (id, name, org_id, revision, created_at, updated_at) values (?, ?, ?, 1, 1, 1)',
          ...[`${owner.id}.${at}`, `Label ${at}`, owner.id],
        )
    })
    const one = await device()
    const entries = Array.from({ length: 101 }, (_, at) => entry(`${owner.id}.${at}`))
    await one.sync({ batches: [batch(...entries)] })
    await one.sync({ batches: [batch(entry(`${owner.id}.100`))] })
    const found = await ofOrganization(owner)
    expect(found?.[0]).toEqual([102, 1])
    expect(found?.slice(1).filter(([, , devices]: Json[]) => Number(devices) === 1)).toHaveLength(
      100,
    )
  })

  test('GET /v3/counters, its summary and its table filter by organization, and the table names it', async () => {
    proves('use-by-organization')
    const [owner, other] = [await organization(), await organization()]
    const [mine, elses] = [await label(owner), await label(other)]
    const one = await device()
    await one.sync({ batches: [batch(entry(mine, { count: 2 }), entry(elses))] })
    const filter = `orgId=${owner.id}`
    expect(getData(await admin('GET', `/v3/counters?${filter}`)).items).toEqual([
      entry(mine, { count: 2 }),
    ])
    expect(getData(await admin('GET', `/v3/counters/summary?${filter}`)).total).toBe(2)
    expect((await admin('GET', `/v3/counters.csv?${filter}`)).text.split('\r\n')).toEqual([
      'day,label,module,useCase,tag,count,orgId,organization',
      `${day},${mine},belgian-eid,signature,,2,${owner.id},${owner.name}`,
      '',
    ])
  })

  test('GET /v3/counters/organizations.csv has the total, each organization and each of its labels', async () => {
    proves('use-by-organization')
    const owner = await organization()
    const name = await label(owner, '=1+1')
    await (await device()).sync({ batches: [batch(entry(name, { count: 5 }))] })
    const { status, text, headers } = await admin(
      'GET',
      `/v3/counters/organizations.csv?month=${toMonth(day)}`,
    )
    const month = toMonth(day)
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="use-${month}.csv"`,
    ])
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('month,of,orgId,organization,label,application,uses,devices')
    expect(lines[1]).toMatch(new RegExp(`^${month},total,,,,,\\d+,\\d+$`))
    expect(lines.filter((line) => line.includes(`,${owner.id},`))).toEqual([
      `${month},organization,${owner.id},${owner.name},,,5,1`,
      `${month},label,${owner.id},${owner.name},${name},'=1+1,5,1`,
    ])
  })

  test.each(['2026-13', '2026-1', '2026', '2026-11-01'])(
    'GET /v3/counters/organizations refuses the month %s',
    async (month) => {
      const { status, json } = await admin('GET', `/v3/counters/organizations?month=${month}`)
      expect([status, json.errors[0].path]).toEqual([422, 'month'])
    },
  )
}
