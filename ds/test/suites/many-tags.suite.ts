/** Tags that many devices get or lose at once: which devices, which groups, and the way back to what each had. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'

export function manyTagsSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string, body?: Json) =>
    service().request(method, path, { token: await service().login(), body })
  const version = async () => createVersion(service(), await service().login())
  const change = async (query: string, body: Json, id: string = crypto.randomUUID()) =>
    getData(await admin('PUT', `/v3/device-changes/${id}?${query}`, body))
  const reach = async (query: string) => getData(await admin('GET', `/v3/devices/reach?${query}`))
  const tag = (id: string, tags: readonly string[]) =>
    admin('PUT', `/v3/devices/${id}/tags`, { tags })
  const tagsOf = async (id: string) => getData(await admin('GET', `/v3/devices/${id}`)).tags

  /** Devices with these tags, and the filter that finds them and no others. */
  async function createTagged(...tags: readonly (readonly string[])[]) {
    const own = await version()
    const ids: string[] = []
    for (const [at, each] of tags.entries()) {
      const device = { hostname: `tagged-${at}` }
      const { id } = await createDevice(service(), own, { device })
      if (each.length > 0) await tag(id, each)
      ids.push(id)
    }
    return { ids, filter: `version=${own.id}` }
  }

  test('the groups that a change of tags moves devices between are counted for groups with the most values', async () => {
    proves('tag-changes', 'group-limits')
    const mark = `m${crypto.randomUUID().slice(0, 8)}`
    const { ids, filter } = await createTagged([], [`${mark}-0`])
    const group = crypto.randomUUID()
    const tags = Array.from({ length: 40 }, (_, at) => `${mark}-${at}`)
    const rules = [{ tags: tags.slice(0, 20) }, { tags: tags.slice(20) }]
    getData(await admin('PUT', `/v3/groups/${group}`, { name: mark, rules }))
    const given = tags.slice(10, 20)
    const added = await reach(`${filter}&change=addTags&tags=${given}`)
    expect(added.tagged.groups).toMatchObject([{ id: group, entering: 1, leaving: 0 }])
    const removed = await reach(`${filter}&change=removeTags&tags=${tags.slice(0, 10)}`)
    expect(removed.tagged.groups).toMatchObject([{ id: group, entering: 0, leaving: 1 }])
    const { id } = await change(`${filter}&maxReach=2`, { change: 'addTags', tags: given })
    expect((await tagsOf(ids[0] ?? '')).length).toBe(10)
    const back = await reach(`changedBy=${id}&change=restoreTags`)
    expect(back.tagged.groups).toMatchObject([{ id: group, entering: 0, leaving: 1 }])
    getData(await admin('DELETE', `/v3/groups/${group}`))
  })

  test('PUT /v3/device-changes/{id} adds tags and removes tags, and gives each device back exactly what it had', async () => {
    proves('tag-changes', 'many-devices-confirmed')
    const { ids, filter } = await createTagged([], ['kiosk', 'b'], ['a', 'c'])
    const all = () => Promise.all(ids.map(tagsOf))
    expect(await reach(`${filter}&change=addTags&tags=c,a`)).toMatchObject({
      reach: 2,
      tagged: { refused: { count: 0, devices: [] }, groups: [] },
    })
    const added = await change(`${filter}&maxReach=2`, { change: 'addTags', tags: ['c', 'a', 'c'] })
    expect(added).toMatchObject({ tags: ['a', 'c'], reach: 2, done: 2, refused: 0, finished: true })
    expect(await all()).toEqual([
      ['a', 'c'],
      ['a', 'b', 'c', 'kiosk'],
      ['a', 'c'],
    ])
    const removed = await change(`${filter}&tag=kiosk&maxReach=1`, {
      ...{ change: 'removeTags', tags: ['b', 'c', 'z'] },
    })
    expect(removed).toMatchObject({ tags: ['b', 'c', 'z'], done: 1 })
    expect(await all()).toEqual([
      ['a', 'c'],
      ['a', 'kiosk'],
      ['a', 'c'],
    ])
    const { total } = getData(await admin('GET', `/v3/devices?${filter}&tag=b`))
    expect(total).toBe(0)
    // The second device was tagged again since: only the first one is left of those that got tags.
    expect(await reach(`changedBy=${added.id}&change=restoreTags`)).toMatchObject({
      ...{ reach: 1, changedSince: 1 },
    })
    await change(`changedBy=${added.id}&maxReach=1`, { change: 'restoreTags' })
    const back = await change(`changedBy=${removed.id}&maxReach=1`, { change: 'restoreTags' })
    expect(await all()).toEqual([[], ['a', 'b', 'c', 'kiosk'], ['a', 'c']])
    // The undo is undone like any other change.
    await change(`changedBy=${back.id}&maxReach=1`, { change: 'restoreTags' })
    expect(await tagsOf(ids[1] ?? '')).toEqual(['a', 'kiosk'])
  })

  test('PUT /v3/device-changes/{id} leaves devices alone whose tags were changed since, and says how many', async () => {
    proves('tag-changes', 'change-left')
    const { ids, filter } = await createTagged([], [], [], ['old'])
    const [byHand = '', same = '', blocked = '', removed = ''] = ids
    const { id } = await change(`${filter}&maxReach=4`, { change: 'addTags', tags: ['new'] })
    await tag(byHand, ['mine'])
    // Neither of these changes the tags.
    await tag(same, ['new'])
    await admin('POST', `/v3/devices/${blocked}/block`)
    await admin('DELETE', `/v3/devices/${removed}`)
    expect(getData(await admin('GET', `/v3/device-changes/${id}`))).toMatchObject({
      ...{ done: 4, changedSince: 2 },
    })
    const undone = await change(`changedBy=${id}&maxReach=2`, { change: 'restoreTags' })
    expect(undone).toMatchObject({ reach: 2, done: 2, finished: true })
    expect(await Promise.all([byHand, same, blocked].map(tagsOf))).toEqual([['mine'], [], []])
    expect(await reach(`changedBy=${id}&change=restoreTags`)).toMatchObject({ reach: 0 })
  })

  test('PUT /v3/device-changes/{id} gives a device all of the tags or none: one with too many is counted and named', async () => {
    proves('tag-changes')
    const many = (most: number) => Array.from({ length: most }, (_, at) => `t${at}`)
    const { ids, filter } = await createTagged(many(31), many(30), ['t0', 'x'])
    const [full = '', fits = '', other = ''] = ids
    expect(await reach(`${filter}&change=addTags&tags=x,y`)).toMatchObject({
      reach: 2,
      tagged: { refused: { count: 1, devices: [{ id: full, hostname: 'tagged-0' }] } },
    })
    // The limit is about those that change.
    const done = await change(`${filter}&maxReach=2`, { change: 'addTags', tags: ['x', 'y'] })
    expect(done).toMatchObject({ reach: 2, done: 2, refused: 1, finished: true })
    expect(await tagsOf(full)).toEqual(many(31).toSorted())
    expect(await tagsOf(fits)).toEqual([...many(30), 'x', 'y'].toSorted())
    expect(await tagsOf(other)).toEqual(['t0', 'x', 'y'])
    const { items } = getData(await admin('GET', `/v3/audit?kind=devices&id=${done.id}`))
    expect(items.map(({ fields }: Json) => fields)).toEqual([['addTags', '2', filter, 'tags=x,y']])
    expect(getData(await admin('GET', `/v3/audit?kind=device&id=${fits}`)).items[0].fields).toEqual(
      ['addTags', done.id],
    )
  })

  test('GET /v3/devices/reach says how many devices enter and leave which group by a change of tags', async () => {
    proves('tag-changes', 'group-rules')
    const [one, other] = [`g${crypto.randomUUID()}`, `g${crypto.randomUUID()}`]
    const groups = [
      { name: one, rules: [{ tags: [one, 'none'] }] },
      { name: other, rules: [{ tags: [other], hostnames: ['tagged-0', 'tagged-2'] }] },
      { name: `${one}-x`, rules: [{ tags: ['none'] }] },
    ]
    const groupIds = groups.map(() => crypto.randomUUID())
    for (const [at, group] of groups.entries())
      getData(await admin('PUT', `/v3/groups/${groupIds[at]}`, group))
    const { ids, filter } = await createTagged([], [one], [other], [])
    await admin('POST', `/v3/devices/${ids[3]}/block`)
    const read = async (query: string) => {
      const { reach: devices, tagged } = await reach(`${filter}&${query}`)
      const counts = tagged.groups.map(({ name, entering, leaving }: Json) => [
        ...[name, entering, leaving],
      ])
      return [devices, Object.fromEntries(counts.map(([name, ...rest]: Json) => [name, rest]))]
    }
    expect(await read(`change=addTags&tags=${one}`)).toEqual([3, { [one]: [2, 0] }])
    expect(await read(`change=addTags&tags=${one},${other}`)).toEqual([
      4,
      { [one]: [2, 0], [other]: [1, 0] },
    ])
    expect(await read(`change=removeTags&tags=${one},${other}`)).toEqual([
      2,
      { [one]: [0, 1], [other]: [0, 1] },
    ])
    const { id } = await change(`${filter}&maxReach=9`, { change: 'addTags', tags: [other] })
    expect(await read(`change=restoreTags&changedBy=${id}`)).toEqual([3, { [other]: [0, 1] }])
    for (const groupId of groupIds) await admin('DELETE', `/v3/groups/${groupId}`)
  })

  test.each([
    ['addTags', undefined],
    ['addTags', []],
    ['removeTags', ['Berlin']],
    ['addTags', Array.from({ length: 11 }, (_, at) => `t${at}`)],
    ['block', ['berlin']],
    ['restoreTags', ['berlin']],
  ])('PUT /v3/device-changes/{id} refuses %s with the tags %j', async (name, tags) => {
    proves('tag-changes')
    const path = `/v3/device-changes/${crypto.randomUUID()}?maxReach=1`
    const answer = await admin('PUT', path, { change: name, ...(tags && { tags }) })
    expect([answer.status, answer.json.code]).toEqual([422, 'input-invalid'])
    const query = tags === undefined ? '' : `&tags=${tags.join(',')}`
    expect((await admin('GET', `/v3/devices/reach?change=${name}${query}`)).status).toBe(422)
  })

  test('PUT /v3/device-changes/{id} restores no tags where there is no change of tags, and takes no other tags under one ID', async () => {
    proves('tag-changes')
    const { ids, filter } = await createTagged(['a'])
    const blocking = await change(`${filter}&maxReach=1`, { change: 'block' })
    for (const query of [filter, `changedBy=${blocking.id}`, `changedBy=${crypto.randomUUID()}`])
      expect(await change(`${query}&maxReach=9`, { change: 'restoreTags' })).toMatchObject({
        ...{ reach: 0, done: 0, finished: true },
      })
    const { id } = await change(`${filter}&maxReach=1`, { change: 'addTags', tags: ['b'] })
    const path = `/v3/device-changes/${id}?${filter}&maxReach=1`
    const other = await admin('PUT', path, { change: 'addTags', tags: ['c'] })
    expect([other.status, other.json.code]).toEqual([409, 'change-taken'])
    expect(await tagsOf(ids[0] ?? '')).toEqual(['a', 'b'])
  })
}
