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

  test('GET /v3/devices/reach counts the devices of groups with as many values as a group can have', async () => {
    proves('tag-changes')
    const [one, groupId] = [`g${crypto.randomUUID()}`, crypto.randomUUID()]
    const tags = Array.from({ length: 40 }, (_, at) => (at === 0 ? one : `none-${at}`))
    const rules = [{ tags: tags.slice(20) }, { tags: tags.slice(0, 20) }]
    getData(await admin('PUT', `/v3/groups/${groupId}`, { name: one, rules }))
    const { filter } = await createTagged([], [])
    const added = [one, ...Array.from({ length: 9 }, (_, at) => `u${at}`)]
    const query = `${filter}&hostname=tagged&os=UNIX&blocked=false`
    const entering = { id: groupId, name: one, entering: 2, leaving: 0 }
    expect((await reach(`${query}&change=addTags&tags=${added}`)).tagged.groups).toEqual([entering])
    const { id } = await change(`${filter}&maxReach=2`, { change: 'addTags', tags: added })
    const leaving = [{ ...entering, entering: 0, leaving: 2 }]
    expect((await reach(`${query}&change=restoreTags&changedBy=${id}`)).tagged.groups).toEqual(
      leaving,
    )
    expect((await reach(`${query}&change=removeTags&tags=${added}`)).tagged.groups).toEqual(leaving)
    await admin('DELETE', `/v3/groups/${groupId}`)
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

  const upload = async (text: string, id: string = crypto.randomUUID()) =>
    service().request('PUT', `/v3/tag-imports/${id}`, {
      ...{ token: await service().login(), body: text, headers: { 'content-type': 'text/csv' } },
    })

  test('PUT /v3/tag-imports/{id} counts what a file changes, and PUT /v3/device-changes/{id} changes exactly that', async () => {
    proves('tag-import', 'tag-changes')
    const { ids, filter } = await createTagged(['a'], ['a', 'b'], ['same'], [], ['left'])
    const [one = '', two = '', same = '', fourth = '', left = ''] = ids
    const name = `only-${crypto.randomUUID()}`
    const own = await version()
    const named = await createDevice(service(), own, { device: { hostname: name } })
    const file = [
      'hostname;Tags;id',
      `ignored;"b c, a b";${one.toUpperCase()}`,
      `;;${two}`,
      `;same;${same}`,
      `${name.toUpperCase()};by-name;`,
      ';x;not-there',
      'no-such-host-name;x;',
      'tagged-0;x;',
      `;Berlin;${fourth}`,
      `;${Array.from({ length: 33 }, (_, at) => `t${at}`).join(' ')};${fourth}`,
      `;again;${one}`,
      ';x;',
      'short',
      `;new;${left}`,
    ].join('\r\n')
    const second = await createTagged([])
    const answer = await upload(file)
    const { id } = getData(answer)
    expect(getData(answer)).toMatchObject({
      ...{ rows: 13, reach: 4, unchanged: 1, groups: [] },
      unknown: { count: 2, names: ['not-there', 'no-such-host-name'] },
      ambiguous: { count: 1, names: ['tagged-0'] },
      faults: {
        count: 5,
        rows: [
          { line: 9, fault: 'tags' },
          { line: 10, fault: 'too-many' },
          { line: 11, fault: 'repeated' },
          { line: 12, fault: 'device' },
          { line: 13, fault: 'cells' },
        ],
      },
    })
    const kinds = getData(answer).changes.map(({ added, removed, devices }: Json) =>
      [added, removed, devices].join(' '),
    )
    expect(kinds.toSorted()).toEqual(['0 2 1', '1 0 1', '1 1 1', '2 0 1'])
    expect(getData(await admin('GET', `/v3/tag-imports/${id}`))).toEqual(getData(answer))
    const all = () => Promise.all([...ids, named.id].map(tagsOf))
    expect(await all()).toEqual([['a'], ['a', 'b'], ['same'], [], ['left'], []])

    // The tags of one device change before the file is confirmed.
    await tag(left, ['by-hand'])
    const done = await change('maxReach=4', { change: 'importTags' }, id)
    expect(done).toMatchObject({ change: 'importTags', reach: 3, done: 3, finished: true })
    expect(await all()).toEqual([['a', 'b', 'c'], [], ['same'], [], ['by-hand'], ['by-name']])
    expect(await tagsOf(second.ids[0] ?? '')).toEqual([])
    await tag(two, ['later'])
    const undone = await change(`changedBy=${id}&maxReach=2`, { change: 'restoreTags' })
    expect(undone).toMatchObject({ reach: 2, done: 2 })
    expect(await all()).toEqual([['a'], ['later'], ['same'], [], ['by-hand'], []])
    expect(filter).toContain('version=')
    const again = await upload(file, id)
    expect([again.status, again.json.code]).toEqual([409, 'change-taken'])
  })

  test('an import that is sent several times at once is read once, and one that is not there changes nothing', async () => {
    proves('tag-import')
    const id = crypto.randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => upload('hostname,tags\nnone,a\n', id)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const path = `/v3/device-changes/${crypto.randomUUID()}?maxReach=9`
    const missing = await admin('PUT', path, { change: 'importTags' })
    expect([missing.status, missing.json.code]).toEqual([404, 'change-unknown'])
  })

  test('PUT /v3/tag-imports/{id} takes what the export writes, and finds nothing to change', async () => {
    proves('tag-import', 'csv-export')
    const own = await version()
    const device = await createDevice(service(), own, {
      device: { hostname: '=cmd|1', tags: ['reported'] },
    })
    await tag(device.id, ['b', 'a'])
    const { text } = await admin('GET', `/v3/devices.csv?version=${own.id}`)
    expect(text.trim().split('\r\n')[1]).toMatch(/,a b,reported$/)
    expect(getData(await upload(text))).toMatchObject({ rows: 1, reach: 0, unchanged: 1 })
    const edited = text.replace(',a b,', ',a c,')
    const { id } = getData(await upload(`\ufeff${edited}`))
    await change('maxReach=1', { change: 'importTags' }, id)
    expect(await tagsOf(device.id)).toEqual(['a', 'c'])
  })

  test('PUT /v3/device-changes/{id} imports no tags of an import that is not there, or without its number', async () => {
    proves('tag-import', 'many-devices-confirmed')
    const { ids } = await createTagged([], [])
    const { id } = getData(await upload(`id,tags\n${ids.map((one) => `${one},x`).join('\n')}`))
    const path = `/v3/device-changes/${id}?maxReach=1`
    const answer = await admin('PUT', path, { change: 'importTags' })
    expect([answer.status, answer.json.code, answer.json.reach]).toEqual([409, 'reach-exceeded', 2])
    expect(await Promise.all(ids.map(tagsOf))).toEqual([[], []])
    const missing = await admin('GET', `/v3/tag-imports/${crypto.randomUUID()}`)
    expect([missing.status, missing.json.code]).toEqual([404, 'change-unknown'])
  })

  test.each([
    ['no tags', 'id,name\nx,y', 'its first line has no column "tags"'],
    ['no device', 'name,tags\nx,y', 'no column "id" and no column "hostname"'],
    ['nothing', '', 'it is empty'],
    ['an open quote', 'id,tags\nx,"y', 'a quote in line 2 is not closed'],
  ])('PUT /v3/tag-imports/{id} refuses a file with %s', async (_, text, reason) => {
    proves('tag-import')
    const { status, json } = await upload(text)
    expect([status, json.code]).toEqual([400, 'body-malformed'])
    expect(json.detail ?? json.description).toContain(reason)
  })

  test('PUT /v3/tag-imports/{id} takes 100,000 rows, and no more', {
    timeout: 120_000,
  }, async () => {
    proves('tag-import')
    const { ids } = await createTagged([])
    const rows = (most: number) =>
      `id,tags\n${Array.from({ length: most }, (__, at) => `x${at},t${at}`).join('\n')}\n`
    const { status, json } = await upload(`${rows(100_000)}${ids[0]},late\n`)
    expect([status, json.code]).toEqual([413, 'body-too-large'])
    expect(getData(await upload(`${rows(99_999)}${ids[0]},late\n`))).toMatchObject({
      ...{ rows: 100_000, reach: 1, unknown: { count: 99_999 } },
    })
  })
}
