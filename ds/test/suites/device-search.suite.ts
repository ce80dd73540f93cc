/** Devices that administrators look for: the search, the filters, and the tables that they take away. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice, type Device } from '../harness/device.ts'
import { openPageSession } from '../harness/page-session.ts'
import { withDatabase } from '../harness/stored-data.ts'

export function deviceSearchSuite(service: () => DistributionService): void {
  const version = async () => createVersion(service(), await service().login())
  const admin = async (method: string, path: string) =>
    service().request(method, path, { token: await service().login() })
  const list = async (query: Record<string, string>) =>
    getData(await admin('GET', `/v3/devices?${new URLSearchParams(query)}`))
  const ids = async (query: Record<string, string>) =>
    (await list(query)).items.map(({ id }: Json) => id)
  /** A beginning of names that no other test has. */
  const nextPrefix = () => `n${crypto.randomUUID().slice(0, 8)}`
  const report = (device: Device, hostname: string, rest: Json = {}) =>
    device.sync({ device: { hostname }, ...rest })

  test('GET /v3/devices?q= finds a device by its id, its fingerprint and any part of its host name', async () => {
    proves('device-filters')
    const prefix = nextPrefix()
    const device = await createDevice(service(), await version(), {
      device: { hostname: `${prefix}-Till.Example` },
    })
    for (const q of [device.id, device.id.toUpperCase(), device.fingerprint, prefix.toUpperCase()])
      expect(await list({ q })).toMatchObject({ items: [{ id: device.id }], total: 1, more: false })
    const own = prefix.slice(1)
    for (const q of [`${prefix}-till.example`, `${own}-TILL`, `${own.slice(4)}-till.exam`])
      expect(await ids({ q })).toEqual([device.id])
    for (const q of [
      `${prefix}x`,
      `${prefix}%`,
      `${prefix}_till`,
      `${own}*`,
      device.id.slice(0, 8),
    ])
      expect(await ids({ q })).toEqual([])
    expect((await admin('GET', '/v3/devices?q=')).status).toBe(422)
  })

  test('GET /v3/devices?q= finds a part of a user name, and hostname= only one of a host name', async () => {
    proves('device-filters')
    const prefix = nextPrefix()
    const own = await version()
    const one = await createDevice(service(), own)
    await report(one, `${prefix}-host`)
    const user = JSON.stringify({ username: `A.${prefix}-user` })
    await withDatabase(service(), ({ run }) =>
      run('update devices set "user" = ? where id = ?', user, one.id),
    )
    for (const q of [`${prefix}-user`, `a.${prefix}`, `${prefix}-HOST`])
      expect(await ids({ q })).toEqual([one.id])
    expect(await ids({ hostname: `${prefix}-user` })).toEqual([])
    expect(await ids({ hostname: `${prefix.slice(2)}-HOST` })).toEqual([one.id])
  })

  test('GET /v3/devices?q= finds parts of one and two characters', async () => {
    proves('device-filters')
    const own = await version()
    const name = async (hostname: string) =>
      (await createDevice(service(), own, { device: { hostname } })).id
    const [letters, marks] = [await name('qZ'), await name('ß%_"')]
    const find = (q: string) => ids({ q, version: own.id })
    expect([await find('q'), await find('Qz')]).toEqual([[letters], [letters]])
    for (const q of ['ß', '%', '_', '"', '%_']) expect(await find(q)).toEqual([marks])
    expect([await find('*'), await find('zq')]).toEqual([[], []])
  })

  test('GET /v3/devices?sort= orders by name, last sync and version, both ways and page by page', async () => {
    proves('device-sort')
    const shared = nextPrefix()
    const [older, newer] = [await version(), await version()]
    const name = async (own: Json, hostname: string) =>
      (await createDevice(service(), own, { device: { hostname } })).id
    const [c, a, b] = [
      await name(newer, `${shared}-c`),
      await name(older, `${shared}-A`),
      await name(newer, `${shared}-b`),
    ]
    await withDatabase(service(), async ({ run }) => {
      const change = (version_: string, day: number, id: string) =>
        run('update devices set version = ?, last_seen_day = ? where id = ?', version_, day, id)
      await change('4.9.0', 20_003, c)
      await change('4.10.0-rc.1', 20_001, a)
      await change('4.10.0', 20_002, b)
    })
    const filter = { hostname: shared }
    const sorted = (sort: string, rest: Record<string, string> = {}) =>
      ids({ ...filter, sort, ...rest })
    expect(await sorted('name')).toEqual([a, b, c])
    expect(await sorted('-name')).toEqual([c, b, a])
    expect(await sorted('lastSeen')).toEqual([a, b, c])
    expect(await sorted('-lastSeen')).toEqual([c, b, a])
    expect(await sorted('version')).toEqual([c, a, b])
    expect(await sorted('-version')).toEqual([b, a, c])
    expect(await ids({ q: shared, sort: 'version' })).toEqual([c, a, b])
    for (const sort of ['name', '-name', 'lastSeen', '-lastSeen', 'version', '-version']) {
      const pages = await Promise.all(
        ['1', '2', '3', '4'].map((page) => sorted(sort, { page, size: '1' })),
      )
      expect(pages.flat()).toEqual(await sorted(sort))
    }
    expect((await admin('GET', '/v3/devices?sort=id')).status).toBe(422)
  })

  test('GET /v3/devices?sort=name has devices without a host name last, both ways', async () => {
    proves('device-sort')
    const own = await version()
    const [nameless, other] = [
      (await createDevice(service(), own)).id,
      (await createDevice(service(), own)).id,
    ].toSorted()
    const { id: named } = await createDevice(service(), own, { device: { hostname: 'zz' } })
    await withDatabase(service(), ({ run }) =>
      run(`update devices set device = '{}' where id in (?, ?)`, String(nameless), String(other)),
    )
    for (const sort of ['name', '-name']) {
      const filter = { version: own.id, sort }
      expect(await ids(filter)).toEqual([named, nameless, other])
      expect(await ids({ ...filter, size: '2', page: '2' })).toEqual([other])
      expect(await list({ ...filter, size: '1', page: '3' })).toMatchObject({
        items: [{ id: other }],
        total: 3,
      })
    }
  })

  test('GET /v3/devices?q= lists by name, each device once, page by page', async () => {
    proves('device-filters')
    const prefix = nextPrefix()
    const own = await version()
    const [last, first, middle] = [
      await createDevice(service(), own, { device: { hostname: `${prefix}-c` } }),
      await createDevice(service(), own, { device: { hostname: `${prefix}-A` } }),
      await createDevice(service(), own, { device: { hostname: `${prefix}-b` } }),
    ]
    expect(await ids({ q: prefix })).toEqual([first.id, middle.id, last.id])
    expect(await list({ q: prefix, size: '2', page: '2' })).toMatchObject({
      items: [{ id: last.id }],
      total: 3,
    })
    expect(await ids({ q: prefix, version: own.id, hostname: '-B' })).toEqual([middle.id])
  })

  test('GET /v3/devices?q= finds the name that a device reported last, and not the one before', async () => {
    proves('device-filters')
    const [before, after] = [nextPrefix(), nextPrefix()]
    const device = await createDevice(service(), await version(), { device: { hostname: before } })
    await report(device, after)
    expect([await ids({ q: before }), await ids({ q: after })]).toEqual([[], [device.id]])
    await report(device, after)
    await report(device, before, {
      faults: [{ kind: 'a-fault', detail: '', at: '2026-01-01T00:00:00Z' }],
    })
    expect([await ids({ q: before }), await ids({ q: after })]).toEqual([[device.id], []])
    const shown = getData(await admin('GET', `/v3/devices/${device.id}`))
    expect(shown).toMatchObject({ device: { hostname: before }, faults: [{ kind: 'a-fault' }] })
    await admin('DELETE', `/v3/devices/${device.id}`)
    expect(await ids({ q: before })).toEqual([])
  })

  test('GET /v3/devices?q= takes names of any characters', async () => {
    const prefix = nextPrefix()
    const names = ['Ärzte', "'; drop table devices; --", '\u{1f600}', '"kind":"x"', '\\u0000']
    const own = await version()
    for (const name of names) {
      const hostname = `${prefix}${name}`
      const device = await createDevice(service(), own, { device: { hostname } })
      if (name !== '\\u0000') expect(await ids({ q: hostname })).toEqual([device.id])
    }
    expect(await ids({ q: prefix })).toHaveLength(names.length)
  })

  test('GET /v3/devices?tag= finds the tags that administrators gave and those that the device reports now', async () => {
    proves('device-tags')
    const prefix = nextPrefix()
    const own = await version()
    const put = async (id: string, tags: unknown) =>
      service().request('PUT', `/v3/devices/${id}/tags`, {
        token: await service().login(),
        body: { tags },
      })
    const [given, reported] = [`${prefix}-given`, `${prefix}:site.1_a`]
    const one = await createDevice(service(), own, {
      device: { hostname: `${prefix}-a`, tags: [reported] },
    })
    const other = await createDevice(service(), own, { device: { hostname: `${prefix}-b` } })
    expect(await ids({ tag: reported })).toEqual([one.id])

    expect(getData(await put(other.id, [reported, given, given]))).toMatchObject({
      id: other.id,
      tags: [given, reported],
      device: { hostname: `${prefix}-b` },
    })
    expect((await ids({ tag: reported })).toSorted()).toEqual([one.id, other.id].toSorted())
    expect(await ids({ tag: given, q: `${prefix}-b`, version: own.id })).toEqual([other.id])
    expect(await ids({ tag: given, q: `${prefix}-a` })).toEqual([])
    expect(await ids({ tag: prefix })).toEqual([])
    expect(getData(await admin('GET', `/v3/devices/reach?tag=${given}`))).toMatchObject({
      reach: 1,
    })

    await report(one, `${prefix}-a`)
    expect(await ids({ tag: reported })).toEqual([other.id])
    await report(one, `${prefix}-a`, { device: { tags: [given, given] } })
    expect((await ids({ tag: given })).toSorted()).toEqual([one.id, other.id].toSorted())
    const { text } = await admin('GET', `/v3/devices.csv?tag=${reported}`)
    expect(text).toContain(`,${given} ${reported},\r\n`)

    await put(other.id, [])
    expect(await ids({ tag: given })).toEqual([one.id])
    await admin('DELETE', `/v3/devices/${one.id}`)
    expect(await list({ tag: given })).toMatchObject({ items: [], total: 0, more: false })
    const rows = await withDatabase(service(), ({ run }) =>
      run('select tag from device_tags where device_id in (?, ?)', one.id, other.id),
    )
    expect(rows).toEqual([])
  })

  test('a device that registers again keeps the tags that administrators gave it', async () => {
    proves('device-tags')
    const own = await version()
    const device = await createDevice(service(), own)
    const path = `/v3/devices/${device.id}`
    const token = await service().login()
    expect(getData(await admin('GET', path))).toMatchObject({ tags: [] })
    await service().request('PUT', `${path}/tags`, { token, body: { tags: ['kiosk', 'berlin'] } })
    await createDevice(service(), own, { device: { tags: ['floor-2'] } }, device)
    expect(getData(await admin('GET', path))).toMatchObject({
      registrations: 2,
      tags: ['berlin', 'kiosk'],
      device: { tags: ['floor-2'] },
    })
    expect(await ids({ tag: 'berlin', q: device.id })).toEqual([device.id])
    expect(await ids({ tag: 'floor-2', q: device.id })).toEqual([device.id])
  })

  test.each([
    ['a capital letter', ['Berlin']],
    ['a space', ['new york']],
    ['nothing', ['']],
    ['65 letters', ['a'.repeat(65)]],
    ['a colon first', [':a']],
    ['33 tags', Array.from({ length: 33 }, (_, at) => `t${at}`)],
  ])('PUT /v3/devices/{id}/tags refuses %s', async (_, tags) => {
    proves('device-tags')
    const device = await createDevice(service(), await version())
    const token = await service().login()
    const path = `/v3/devices/${device.id}/tags`
    const { status, json } = await service().request('PUT', path, { token, body: { tags } })
    expect([status, json.code]).toEqual([422, 'input-invalid'])
    expect((await device.sync({ device: { tags } })).status).toBe(422)
  })

  test('GET /v3/devices filters by a kind of fault, and by any', async () => {
    proves('device-filters')
    const own = await version()
    const kind = `kind-${crypto.randomUUID()}`
    const fault = (name: string) => ({
      kind: name,
      detail: '"kind":"any-text"',
      at: '2026-01-01T00:00:00Z',
    })
    const [one, other, healthy] = [
      await createDevice(service(), own),
      await createDevice(service(), own),
      await createDevice(service(), own),
    ]
    await one.sync({ faults: [fault('reply-refused'), fault(kind)] })
    await other.sync({ faults: [fault('reply-refused')] })
    await healthy.sync()
    expect(await ids({ fault: kind })).toEqual([one.id])
    expect(await ids({ fault: 'any', version: own.id })).toHaveLength(2)
    expect(await ids({ fault: 'any-text' })).toEqual([])
    await one.sync({ faults: [] })
    expect(await ids({ fault: kind })).toEqual([])
  })

  test('GET /v3/devices filters by standing, and shows it', async () => {
    proves('device-filters')
    const own = await version()
    const [active, blocked, waiting, silent] = [
      await createDevice(service(), own),
      await createDevice(service(), own),
      await createDevice(service(), own),
      await createDevice(service(), own),
    ]
    await admin('POST', `/v3/devices/${blocked.id}/block`)
    await withDatabase(service(), async ({ run }) => {
      await run('update devices set approved = not approved where id = ?', waiting.id)
      await run('update devices set last_seen_day = last_seen_day - 9 where id = ?', silent.id)
    })
    const expected = { active, blocked, waiting, silent }
    for (const [standing, { id }] of Object.entries(expected)) {
      expect(await ids({ standing, version: own.id })).toEqual([id])
      expect(getData(await admin('GET', `/v3/devices/${id}`)).standing).toBe(standing)
    }
  })

  test('a device whose version was removed has a standing that says so, and is offered no update', async () => {
    proves('device-filters')
    const own = await version()
    const [device, waiting, blocked] = [
      await createDevice(service(), own),
      await createDevice(service(), own),
      await createDevice(service(), own),
    ]
    await withDatabase(service(), ({ run }) =>
      run('update devices set approved = not approved where id = ?', waiting.id),
    )
    await admin('POST', `/v3/devices/${blocked.id}/block`)
    const unserved = async () =>
      getData(await admin('GET', '/v3/devices/summary')).unserved as number
    const before = await unserved()
    expect(await ids({ standing: 'unserved', version: own.id })).toEqual([])
    getData(await admin('DELETE', `/v3/versions/${own.id}?maxReach=2`))
    expect((await device.sync()).json.code).toBe('version-unknown')
    const inOrder = [device.id, waiting.id].toSorted()
    expect((await ids({ standing: 'unserved', version: own.id })).toSorted()).toEqual(inOrder)
    for (const standing of ['active', 'waiting', 'silent'])
      expect(await ids({ standing, version: own.id })).toEqual([])
    expect(await ids({ standing: 'blocked', version: own.id })).toEqual([blocked.id])
    expect(getData(await admin('GET', `/v3/devices/${device.id}`)).standing).toBe('unserved')
    expect(await unserved()).toBe(before + 2)
    const session = await openPageSession(service())
    const page = await session.get(`devices/${device.id}`)
    expect(page.text).toContain('Version not registered')
    const noUpdate = `Version ${own.id} isn’t registered, so the device can’t sync and isn’t offered an update.`
    expect(page.text).toContain(noUpdate)
    expect(page.text).not.toContain('The device syncs regularly.')
    expect((await session.get(`devices/${blocked.id}`)).text).toContain(noUpdate)
  })

  test('GET /v3/devices counts what it searches to 10,000, says that there are more, and has their pages', async () => {
    proves('device-filters')
    const own = await version()
    const { id } = await createDevice(service(), own)
    const prefix = nextPrefix()
    await storeCopies(id, 10_050, prefix)
    const names = Array.from({ length: 10_050 }, (_, at) => `${prefix}-${at + 1}`).toSorted()
    const filter = { version: own.id, size: '100' }
    const { items, ...counts } = await list(filter)
    expect([items.length, counts]).toEqual([
      100,
      { total: 10_051, more: false, page: 1, size: 100 },
    ])
    for (const sort of ['name', 'version'])
      expect((await list({ ...filter, sort })).total).toBe(10_051)
    expect(await ids({ ...filter, page: '101' })).toHaveLength(51)
    expect(await list({ ...filter, hostname: prefix.slice(1) })).toMatchObject({
      total: 10_000,
      more: true,
      items: { length: 100 },
    })
    expect(await list({ ...filter, q: prefix })).toMatchObject({ total: 10_000, more: true })
    expect(await ids({ ...filter, q: prefix, page: '100' })).toHaveLength(100)
    expect(await ids({ ...filter, q: prefix, page: '101' })).toHaveLength(50)
    const byName = await ids({ ...filter, sort: 'name', q: `${prefix}-`, page: '2' })
    expect(byName).toEqual(names.slice(100, 200))
    const reversed = await ids({ ...filter, sort: '-name', q: prefix, page: '1' })
    expect(reversed).toEqual(names.toReversed().slice(0, 100))
    expect(await ids({ ...filter, sort: '-version', page: '2' })).toEqual(
      await ids({ ...filter, page: '2' }),
    )
    expect(await list({ q: `${prefix}-1005` })).toMatchObject({ total: 2, more: false })
    const table = await admin('GET', `/v3/devices.csv?version=${own.id}`)
    expect(table.text.split('\r\n')).toHaveLength(10_053)
    const none = await admin('GET', `/v3/devices.csv?version=${own.id}&q=${prefix}-1005`)
    expect(none.text.split('\r\n')).toHaveLength(4)
    await withDatabase(service(), ({ run }) => run('delete from devices where version = ?', own.id))
  })

  const storeCopies = (id: string, count: number, prefix: string) =>
    withDatabase(service(), ({ run }) =>
      run(
        `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
          insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
            registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
          select '${prefix}-' || n, '${prefix}-' || n, key, version, platform, '{"hostname":"${prefix}-' || n || '"}', "user", blocked,
            approved, registrations, registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults
          from devices, numbers where id = ?`,
        id,
      ),
    )

  test('GET /v3/devices.csv exports what a filter finds, without spreadsheet formulas', async () => {
    proves('csv-export', 'device-name-markup')
    const own = await version()
    const device = await createDevice(service(), own, { device: { hostname: '=cmd|"x",y' } })
    await createDevice(service(), await version())
    await report(device, '=cmd|"x",y', {
      faults: [{ kind: 'reply-refused', detail: 'x', at: '2026-01-01T00:00:00Z' }],
    })
    const { status, headers, text } = await admin('GET', `/v3/devices.csv?version=${own.id}`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(headers.get('content-type')).toMatch(/^text\/csv; *charset=utf-8/)
    expect(headers.get('content-disposition')).toBe('attachment; filename="devices.csv"')
    const [columns, row, ...rest] = text.split('\r\n')
    expect(columns).toBe(
      'id,hostname,username,standing,version,platform,os,osVersion,architecture,verdict,faults,registrations,createdAt,registeredAt,lastSeenAt,keystore,fingerprint,tags,reportedTags',
    )
    expect(row).toContain(`${device.id},"'=cmd|""x"",y",,active,${own.id},UNIX,`)
    expect(row).toContain(',reply-refused,1,')
    expect(rest).toEqual([''])
  })

  test('GET /v3/audit.csv exports the entries that a filter finds, newest first', async () => {
    proves('csv-export')
    const device = await createDevice(service(), await version())
    await admin('POST', `/v3/devices/${device.id}/block`)
    await admin('POST', `/v3/devices/${device.id}/unblock`)
    const query = `kind=device&id=${device.id}`
    const { items } = getData(await admin('GET', `/v3/audit?${query}`))
    expect(items.map(({ operation }: Json) => operation)).toEqual(['unblockDevice', 'blockDevice'])
    const { headers, text } = await admin('GET', `/v3/audit.csv?${query}`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    const lines = text.split('\r\n')
    expect(lines[0]).toBe(
      'sequence,at,subject,issuer,name,operation,kind,id,fields,address,requestId',
    )
    const [newest] = items
    const { who, address, requestId } = newest
    expect(lines[1]).toBe(
      [newest.sequence, newest.at, who.subject, who.issuer, who.name, newest.operation]
        .concat(['device', device.id, 'blocked', address, requestId])
        .join(','),
    )
    expect(lines).toHaveLength(4)
  })
}
