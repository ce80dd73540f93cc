/** Changes of all devices that a filter finds: how many they are, in steps, never more than was confirmed, and the way back. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'

export function manyDevicesSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string, body?: Json) =>
    service().request(method, path, { token: await service().login(), body })
  const version = async () => createVersion(service(), await service().login())
  const change = (id: string, query: string, name: string) =>
    admin('PUT', `/v3/device-changes/${id}?${query}`, { change: name })
  const count = async (query: string) => getData(await admin('GET', `/v3/devices?${query}`)).total
  const entries = async (query: string) =>
    getData(await admin('GET', `/v3/audit?${query}`)).items.map(
      ({ operation, kind, id, fields }: Json) => ({ operation, kind, id, fields }),
    )

  /** As many copies of a device as a step has, and 200 more. */
  async function createMany(): Promise<{ readonly filter: string; readonly prefix: string }> {
    const { id: versionId, ...own } = await version()
    const device = await createDevice(service(), { id: versionId, ...own })
    const prefix = `m${crypto.randomUUID().slice(0, 8)}`
    await storeCopies(device.id, prefix, 1, 699)
    return { filter: `version=${versionId}`, prefix }
  }

  const storeCopies = (id: string, prefix: string, from: number, to: number) =>
    withDatabase(service(), ({ run }) =>
      run(
        `with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to})
          insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
            registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
          select '${prefix}-' || n, '${prefix}-' || n, key, version, platform, device, "user", blocked,
            approved, registrations, registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults
          from devices, numbers where id = ?`,
        id,
      ),
    )

  test('GET /v3/devices/reach counts the devices that a change affects, by version and system', async () => {
    proves('many-devices-confirmed')
    const own = await version()
    const [one] = [await createDevice(service(), own), await createDevice(service(), own)]
    await createDevice(service(), own, { platform: 'WIN64' })
    await admin('POST', `/v3/devices/${one.id}/block`)
    const read = async (name: string) =>
      getData(await admin('GET', `/v3/devices/reach?version=${own.id}&change=${name}`))
    expect(await read('block')).toMatchObject({
      reach: 2,
      groups: expect.arrayContaining([
        { version: own.id, platform: 'UNIX', count: 1 },
        { version: own.id, platform: 'WIN64', count: 1 },
      ]),
    })
    expect(await read('unblock')).toMatchObject({
      reach: 1,
      groups: [{ version: own.id, platform: 'UNIX', count: 1 }],
    })
    expect((await read('remove')).reach).toBe(3)
    expect((await read('approve')).reach).toBe(0)
    expect(await count(`version=${own.id}&blocked=true`)).toBe(1)
  })

  test('PUT /v3/device-changes/{id} changes what was confirmed, records it, and exactly these devices are changed back', async () => {
    proves('many-devices-confirmed', 'many-devices-audited', 'change-left')
    const own = await version()
    const before = await createDevice(service(), own)
    const device = await createDevice(service(), own)
    await createDevice(service(), await version())
    await admin('POST', `/v3/devices/${before.id}/block`)
    const filter = `version=${own.id}`
    const [id, back] = [crypto.randomUUID(), crypto.randomUUID()]
    // The limit may be higher than what is there.
    expect(getData(await change(id, `${filter}&maxReach=9`, 'block'))).toEqual({
      ...{ id, change: 'block', filter, reach: 1, done: 1, changedSince: 0, finished: true },
      ...{ at: expect.any(String), who: expect.objectContaining({ name: 'admin' }) },
    })
    expect((await device.sync()).status).toBe(403)
    expect(await entries(`kind=devices&id=${id}`)).toEqual([
      { operation: 'changeDevices', kind: 'devices', id, fields: ['block', '1', filter] },
    ])
    const each = {
      operation: 'changeDevices',
      kind: 'device',
      id: device.id,
      fields: ['block', id],
    }
    expect(await entries(`kind=device&id=${device.id}`)).toEqual([each])
    expect(await entries('size=2')).toEqual([
      each,
      expect.objectContaining({ kind: 'devices', id }),
    ])
    expect(await entries('size=2&summarized=true')).toEqual([
      expect.objectContaining({ kind: 'devices', id }),
      expect.objectContaining({ operation: 'blockDevice', kind: 'device', id: before.id }),
    ])
    const csv = (query: string) => admin('GET', `/v3/audit.csv?${query}`)
    expect((await csv('')).text).toContain(`changeDevices,device,${device.id},`)
    expect((await csv('summarized=true')).text).not.toContain('changeDevices,device,')
    expect(await count(`changedBy=${id}`)).toBe(1)
    await change(back, `changedBy=${id}&maxReach=1`, 'unblock')
    expect((await device.sync()).status).toBe(200)
    expect((await before.sync()).status).toBe(403)
  })

  test('PUT /v3/device-changes/{id} changes nothing without the number, or where more devices match', async () => {
    proves('many-devices-confirmed')
    const own = await version()
    await createDevice(service(), own)
    await createDevice(service(), own)
    for (const query of ['', '&maxReach=0', '&maxReach=1']) {
      const answer = await change(crypto.randomUUID(), `version=${own.id}${query}`, 'remove')
      expect([answer.status, answer.json.code]).toEqual([409, 'reach-exceeded'])
      expect(answer.json.reach).toBe(2)
    }
    expect(await count(`version=${own.id}`)).toBe(2)
    expect((await change('x', 'maxReach=1', 'block')).status).toBe(422)
    expect((await change(crypto.randomUUID(), 'maxReach=1', 'forget')).status).toBe(422)
  })

  test('PUT /v3/device-changes/{id} works in steps, and changes no device that came after the confirmation', async () => {
    proves('many-devices-confirmed', 'many-devices-steps')
    const { filter, prefix } = await createMany()
    const id = crypto.randomUUID()
    const query = `${filter}&maxReach=700`
    expect(getData(await change(id, query, 'block'))).toMatchObject({ done: 500, finished: false })
    expect(await count(`${filter}&blocked=true`)).toBe(500)
    await storeCopies(`${prefix}-699`, `${prefix}-z`, 1, 50)
    expect(getData(await change(id, query, 'block'))).toMatchObject({ done: 700, finished: true })
    expect(getData(await change(id, query, 'block'))).toMatchObject({ done: 700, finished: true })
    expect(await count(`${filter}&blocked=true`)).toBe(700)
    expect(await count(`changedBy=${id}`)).toBe(700)
    const totals = await entries(`kind=devices&id=${id}`)
    expect(totals.map(({ fields }: Json) => fields)).toEqual([
      ['block', '200', filter],
      ['block', '500', filter],
    ])
    await withDatabase(service(), ({ run }) =>
      run(`delete from devices where id like '${prefix}%'`),
    )
  })

  test('PUT /v3/device-changes/{id} changes each device once, however many requests come at once', async () => {
    proves('many-devices-steps')
    const { filter, prefix } = await createMany()
    const id = crypto.randomUUID()
    const send = () => change(id, `${filter}&maxReach=700`, 'unblock')
    await withDatabase(service(), ({ run }) =>
      run(`update devices set blocked = not blocked where id like '${prefix}%'`),
    )
    await Promise.all([send(), send(), send(), send()])
    await Promise.all([send(), send()])
    expect(getData(await send())).toMatchObject({ done: 699, finished: true })
    expect(await count(`${filter}&blocked=true`)).toBe(0)
    const totals = await entries(`kind=devices&id=${id}`)
    const changed = totals.map(({ fields }: Json) => Number(fields[1]))
    expect(changed.reduce((sum: number, one: number) => sum + one, 0)).toBe(699)
    await withDatabase(service(), ({ run }) =>
      run(`delete from devices where id like '${prefix}%'`),
    )
  })

  test('PUT /v3/device-changes/{id} refuses the ID of another change', async () => {
    proves('many-devices-confirmed')
    const own = await version()
    const device = await createDevice(service(), own)
    const id = crypto.randomUUID()
    await change(id, `version=${own.id}&maxReach=1`, 'block')
    for (const answer of [
      await change(id, `version=${own.id}&maxReach=1`, 'remove'),
      await change(id, `q=${device.id}&maxReach=1`, 'block'),
      await change(id, 'maxReach=999999', 'block'),
    ])
      expect([answer.status, answer.json.code]).toEqual([409, 'change-taken'])
    expect(await count(`version=${own.id}&blocked=true`)).toBe(1)
  })

  test('PUT /v3/device-changes/{id} approves and removes', async () => {
    proves('many-devices-steps')
    const own = await version()
    const device = await createDevice(service(), own)
    await withDatabase(service(), ({ run }) =>
      run('update devices set approved = not approved where id = ?', device.id),
    )
    const filter = `version=${own.id}&maxReach=1`
    await change(crypto.randomUUID(), filter, 'approve')
    expect(await count(`version=${own.id}&approved=true`)).toBe(1)
    const id = crypto.randomUUID()
    expect(getData(await change(id, filter, 'remove'))).toMatchObject({ done: 1, finished: true })
    expect(await count(`version=${own.id}`)).toBe(0)
    expect((await admin('GET', `/v3/devices/${device.id}`)).status).toBe(404)
  })

  test('GET /v3/device-changes finds a change that was left, so that it is continued or undone', async () => {
    proves('many-devices-kept', 'change-left')
    const { filter, prefix } = await createMany()
    const [id, back, none] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    await change(id, `${filter}&maxReach=5000`, 'block')
    const left = getData(await admin('GET', `/v3/device-changes/${id}`))
    expect(left).toEqual({
      ...{ id, change: 'block', filter, reach: 700, done: 500, changedSince: 0, finished: false },
      at: expect.stringMatching(/^20\d\d-.*Z$/),
      who: { subject: expect.any(String), issuer: expect.any(String), name: 'admin' },
    })
    const first = async () => getData(await admin('GET', '/v3/device-changes?size=1')).items
    expect(await first()).toEqual([left])
    await change(id, `${left.filter}&maxReach=${left.reach}`, left.change)
    expect(await first()).toEqual([{ ...left, done: 700, finished: true }])
    await change(back, `changedBy=${id}&maxReach=700`, 'unblock')
    await change(back, `changedBy=${id}&maxReach=700`, 'unblock')
    expect(await count(`${filter}&blocked=true`)).toBe(0)
    // One that finds nothing leaves nothing.
    expect(getData(await change(none, `${filter}&maxReach=5`, 'unblock')).finished).toBe(true)
    const unknown = await admin('GET', `/v3/device-changes/${none}`)
    expect([unknown.status, unknown.json.code]).toEqual([404, 'change-unknown'])
    await withDatabase(service(), ({ run }) =>
      run(`delete from devices where id like '${prefix}%'`),
    )
  })

  test('PUT /v3/device-changes/{id} undoes a change only where it is the newest, and says where it is not', async () => {
    proves('many-devices-kept', 'change-left')
    const own = await version()
    const [byHand, byOther, unblocked, removed, as] = [
      await createDevice(service(), own),
      await createDevice(service(), own, { platform: 'WIN64' }),
      await createDevice(service(), own),
      await createDevice(service(), own),
      await createDevice(service(), own),
    ]
    const [first, other, back] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const read = async (id: string) => getData(await admin('GET', `/v3/device-changes/${id}`))
    await change(first, `version=${own.id}&maxReach=5`, 'block')
    for (const { id } of [byHand, byOther, unblocked])
      await admin('POST', `/v3/devices/${id}/unblock`)
    await admin('POST', `/v3/devices/${byHand.id}/block`)
    await change(other, `version=${own.id}&os=WIN64&maxReach=1`, 'block')
    await admin('DELETE', `/v3/devices/${removed.id}`)
    await admin('POST', `/v3/devices/${as.id}/approve`)
    expect(await read(first)).toMatchObject({ reach: 5, done: 5, changedSince: 4 })
    expect(await read(other)).toMatchObject({ reach: 1, done: 1, changedSince: 0 })
    const undo = `changedBy=${first}`
    const reach = (name: string) => admin('GET', `/v3/devices/reach?${undo}&change=${name}`)
    expect(getData(await reach('unblock'))).toEqual({
      reach: 1,
      isLarge: expect.any(Boolean),
      groups: [{ version: own.id, platform: 'UNIX', count: 1 }],
      changedSince: 3,
    })
    // What is no undo changes all of them.
    expect(getData(await reach('remove'))).toMatchObject({ reach: 4, changedSince: 0 })
    const undone = getData(await change(back, `${undo}&maxReach=1`, 'unblock'))
    expect(undone).toMatchObject({ reach: 1, done: 1, finished: true })
    expect(await read(first)).toMatchObject({ done: 5, changedSince: 5 })
    const isBlocked = async ({ id }: { readonly id: string }) =>
      getData(await admin('GET', `/v3/devices/${id}`)).blocked
    expect([await isBlocked(byHand), await isBlocked(byOther), await isBlocked(as)]).toEqual([
      true,
      true,
      false,
    ])
    expect(getData(await reach('unblock'))).toMatchObject({ reach: 0, changedSince: 4 })
    // The other one is undone in full, and so is the undo.
    const reachOf = async (id: string, name: string) =>
      getData(await admin('GET', `/v3/devices/reach?changedBy=${id}&change=${name}`)).reach
    expect([await reachOf(other, 'unblock'), await reachOf(back, 'block')]).toEqual([1, 1])
  })

  test('PUT /v3/device-changes/{id} finishes a change whose last devices are gone, and old changes are not listed', async () => {
    proves('many-devices-kept', 'change-left')
    const { filter, prefix } = await createMany()
    const id = crypto.randomUUID()
    await change(id, `${filter}&maxReach=700`, 'block')
    await withDatabase(service(), ({ run }) =>
      run('delete from devices where version = ? and not blocked', filter.slice(8)),
    )
    const last = getData(await change(id, `${filter}&maxReach=700`, 'block'))
    expect(last).toMatchObject({ done: 500, finished: true })
    expect(getData(await admin('GET', `/v3/device-changes/${id}`)).finished).toBe(true)
    // Once finished, it takes no device that came later, even below its limit.
    const { items: blocked } = getData(await admin('GET', `/v3/devices?${filter}&size=1`))
    await storeCopies(blocked[0].id, `${prefix}-z`, 1, 5)
    await withDatabase(service(), ({ run }) =>
      run(`update devices set blocked = not blocked where id like '${prefix}-z%'`),
    )
    expect(getData(await change(id, `${filter}&maxReach=700`, 'block'))).toMatchObject({
      done: 500,
    })
    expect(await count(`${filter}&blocked=false`)).toBe(5)
    await withDatabase(service(), ({ run }) =>
      run('delete from devices where version = ?', filter.slice(8)),
    )
    await withDatabase(service(), ({ run }) =>
      run(
        'update device_changes set created_at = created_at - ? where id = ?',
        31 * 86_400_000,
        id,
      ),
    )
    expect((await admin('GET', `/v3/device-changes/${id}`)).status).toBe(404)
    const { items } = getData(await admin('GET', '/v3/device-changes?size=100'))
    expect(items.map((one: Json) => one.id)).not.toContain(id)
  })
}
