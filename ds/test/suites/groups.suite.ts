/** Groups on each engine: which devices are in them, the configurations that they give, and the numbers before a change. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'

export function groupSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string, body?: Json) =>
    service().request(method, path, { token: await service().login(), body })
  const version = async () => createVersion(service(), await service().login())
  const put = (id: string, body: Json, query = '') =>
    admin('PUT', `/v3/groups/${id}${query}`, { name: `Group ${id}`, ...body })
  const read = async (path: string) => getData(await admin('GET', path))
  const giveTags = async (id: string, tags: readonly string[]) =>
    getData(await admin('PUT', `/v3/devices/${id}/tags`, { tags }))
  const reachOf = async (id: string, rules: Json, rest = '') =>
    read(`/v3/groups/${id}/reach?rules=${encodeURIComponent(JSON.stringify(rules))}${rest}`)

  const allowlist = (versionId: string, host: string, rest: Json = {}) => ({
    ...{ type: 'CONTEXT_CONFIG', versionId, config: { cors: [`https://${host}.example`] } },
    ...rest,
  })
  const putConfiguration = (body: Json) => admin('PUT', '/v3/configurations?maxReach=99', body)

  /** Each has a start and an end. */
  const manyHosts = (count: number, start = 'h') =>
    Array.from({ length: count }, (_, at) => `${start}-${at}*.branch.example`)

  /** As one table for the rule of a sync and for the SQL that counts: both have to agree. */
  const rules: readonly [fits: boolean, rule: (mark: string) => Json][] = [
    [true, (mark) => ({ tags: [`tag-${mark}`] })],
    [true, (mark) => ({ tags: ['paris', `tag-${mark}`] })],
    [false, (mark) => ({ tags: [`ag-${mark}`] })],
    [false, (mark) => ({ tags: [`reported-${mark}`] })],
    [true, (mark) => ({ reportedTags: [`reported-${mark}`] })],
    [false, (mark) => ({ reportedTags: [`tag-${mark}`] })],
    [true, (mark) => ({ hostnames: [`PC_%-${mark}.Branch`] })],
    [true, (mark) => ({ hostnames: [`pc_%-${mark}*`] })],
    [true, (mark) => ({ hostnames: [`*${mark}.BRANCH`] })],
    [true, (mark) => ({ hostnames: [`*-${mark}.b*`] })],
    [true, (mark) => ({ hostnames: [`pc_*${mark}.branch`] })],
    [false, (mark) => ({ hostnames: [`pc_%-${mark}`] })],
    [false, (mark) => ({ hostnames: [`pcx%-${mark}*`] })],
    [false, (mark) => ({ hostnames: [`pc_%-${mark}.branch*${mark}.branch`] })],
    [true, (mark) => ({ hostnames: [`*${mark}*`], platforms: ['UNIX', 'MACOS'] })],
    [false, (mark) => ({ hostnames: [`*${mark}*`], platforms: ['MACOS'] })],
    [false, (mark) => ({ hostnames: [`*${mark}*`], versions: ['0.0.0-none'] })],
  ]

  test('a device is in the groups whose rules it fits, by what administrators and it itself say', async () => {
    proves('group-rules')
    const mark = crypto.randomUUID().slice(0, 8)
    const context = { hostname: `PC_%-${mark}.Branch`, tags: [`reported-${mark}`] }
    const device = await createDevice(service(), await version(), { device: context })
    await device.sync({ device: context })
    expect(await giveTags(device.id, [`tag-${mark}`, 'other', 'other'])).toMatchObject({
      tags: ['other', `tag-${mark}`],
    })
    for (const [fits, toRule] of rules) {
      const [id, rule] = [crypto.randomUUID(), toRule(mark)]
      getData(await put(id, { rules: [rule], priority: 1 }))
      const { groups } = await read(`/v3/devices/${device.id}`)
      const found = groups.find((one: Json) => one.id === id)
      expect([rule, found?.rule]).toEqual([rule, fits ? rule : undefined])
      expect([rule, (await read(`/v3/groups/${id}`)).devices]).toEqual([rule, fits ? 1 : 0])
      expect((await admin('DELETE', `/v3/groups/${id}`)).status).toBe(200)
    }
    await admin('POST', `/v3/devices/${device.id}/block`)
    expect((await reachOf(crypto.randomUUID(), [{ tags: [`tag-${mark}`] }])).devices).toBe(0)
  })

  test('a device gets the configuration of its first group instead of the one for all', async () => {
    proves('group-configuration')
    const own = await version()
    const [low, high] = [crypto.randomUUID(), crypto.randomUUID()]
    const mark = `m${low.slice(0, 8)}`
    const device = await createDevice(service(), own)
    const other = await createDevice(service(), own)
    getData(await put(low, { rules: [{ tags: [mark] }], priority: 1 }))
    getData(await put(high, { rules: [{ tags: [`${mark}-2`] }], priority: 2 }))
    const all = getData(await putConfiguration(allowlist(own.id, 'all')))
    const first = getData(await putConfiguration(allowlist(own.id, 'low', { groupId: low })))
    expect(first.groupId).toBe(low)
    const second = getData(await putConfiguration(allowlist(own.id, 'high', { groupId: high })))
    const again = await putConfiguration(allowlist(own.id, 'again', { groupId: high }))
    expect([again.status, again.json.code]).toEqual([409, 'configuration-taken'])
    const corsOf = async (one: typeof device) => (await one.sync()).reply.cors
    const untouched = (await other.sync()).reply
    expect(await corsOf(device)).toEqual(['https://all.example'])
    await giveTags(device.id, [mark])
    expect(await corsOf(device)).toEqual(['https://low.example'])
    await giveTags(device.id, [mark, `${mark}-2`])
    expect(await corsOf(device)).toEqual(['https://high.example'])
    expect((await read(`/v3/devices/${device.id}`)).configurations).toEqual([
      { id: second.id, type: 'CONTEXT_CONFIG', groupId: high },
    ])
    const { state, cors } = (await other.sync()).reply
    expect({ state, cors }).toEqual({ state: untouched.state, cors: untouched.cors })
    expect(await read(`/v3/groups/${high}`)).toMatchObject({
      uses: { configurations: [{ id: second.id, versionId: own.id, type: 'CONTEXT_CONFIG' }] },
    })
    const inUse = await admin('DELETE', `/v3/groups/${high}`)
    expect([inUse.status, inUse.json.code]).toEqual([409, 'group-in-use'])
    // Removed and restored, it is one of the group again.
    getData(await admin('DELETE', `/v3/configurations/${second.id}?maxReach=99`))
    expect(await corsOf(device)).toEqual(['https://low.example'])
    const restored = await admin(
      'POST',
      `/v3/configurations/${second.id}/revisions/1/restore?maxReach=99`,
    )
    expect(getData(restored)).toMatchObject({ id: second.id, groupId: high })
    expect(await corsOf(device)).toEqual(['https://high.example'])
    expect(await corsOf(other)).toEqual(['https://all.example'])
    const moved = await putConfiguration(allowlist(own.id, 'moved', { id: second.id }))
    expect([moved.status, moved.json.code]).toEqual([409, 'configuration-moved'])
    for (const { id } of [all, first, second])
      getData(await admin('DELETE', `/v3/configurations/${id}?maxReach=99`))
    for (const id of [low, high]) getData(await admin('DELETE', `/v3/groups/${id}`))
  })

  test('a change of a group that is in use says how many devices it reaches', async () => {
    proves('group-configuration')
    const own = await version()
    const [id, mark] = [crypto.randomUUID(), `m${crypto.randomUUID().slice(0, 8)}`]
    const devices = [await createDevice(service(), own), await createDevice(service(), own)]
    for (const [at, device] of devices.entries()) await giveTags(device.id, [`${mark}-${at}`])
    const rulesOf = (...marks: readonly number[]) => [{ tags: marks.map((at) => `${mark}-${at}`) }]
    getData(await put(id, { rules: rulesOf(0) }, '?maxReach=0'))
    // Unused, it changes nothing.
    expect(await reachOf(id, rulesOf(0, 1))).toMatchObject({ devices: 2, reach: 0 })
    const refused = await admin(
      'PUT',
      '/v3/configurations?maxReach=0',
      allowlist(own.id, 'one', { groupId: id }),
    )
    expect([refused.json.code, refused.json.reach]).toEqual(['reach-exceeded', 1])
    const stored = getData(await putConfiguration(allowlist(own.id, 'one', { groupId: id })))
    expect(await reachOf(id, rulesOf(0, 1))).toMatchObject({ devices: 2, reach: 1 })
    expect(await reachOf(id, rulesOf(1))).toMatchObject({ devices: 1, reach: 2 })
    // With the priority that it has, and with another one.
    expect(await reachOf(id, rulesOf(0), '&priority=0')).toMatchObject({ devices: 1, reach: 0 })
    expect(await reachOf(id, rulesOf(0), '&priority=1')).toMatchObject({ devices: 1, reach: 1 })
    const tooMany = await put(id, { rules: rulesOf(1) }, '?maxReach=1')
    expect([tooMany.json.code, tooMany.json.reach]).toEqual(['reach-exceeded', 2])
    expect(getData(await put(id, { rules: rulesOf(1) }, '?maxReach=2'))).toMatchObject({
      revision: 2,
    })
    getData(await admin('DELETE', `/v3/configurations/${stored.id}?maxReach=99`))
    getData(await admin('DELETE', `/v3/groups/${id}`))
  })

  test('a group can have 40 values: it is counted, and so is a change of all of them', async () => {
    proves('group-rules', 'group-limits', 'groups-costly')
    const own = await version()
    const mark = `m${crypto.randomUUID().slice(0, 8)}`
    const claims = { device: { hostname: `${mark}-desk`, tags: [`${mark}-reported`] } }
    const device = await createDevice(service(), own, claims)
    await device.sync(claims)
    const id = crypto.randomUUID()
    const rulesOf = (start: string) => [
      { hostnames: manyHosts(20, start) },
      { hostnames: manyHosts(19, `${start}x`) },
      { reportedTags: [start] },
    ]
    getData(await put(id, { rules: rulesOf(`${mark}-reported`) }))
    getData(await putConfiguration(allowlist(own.id, 'one', { groupId: id })))
    expect(await read(`/v3/groups/${id}`)).toMatchObject({ devices: 1 })
    expect(await reachOf(id, rulesOf(`${mark}-other`))).toMatchObject({ devices: 0, reach: 1 })
    const changed = await put(id, { rules: rulesOf(`${mark}-other`) }, '?maxReach=1')
    expect(getData(changed)).toMatchObject({ revision: 2 })
    const tooMany = await put(id, { rules: [...rulesOf(mark), { platforms: ['MACOS'] }] })
    expect([tooMany.status, tooMany.text.includes('at most 40 values')]).toEqual([422, true])
    const [stored] = (await read(`/v3/configurations?versionId=${own.id}`)).items
    getData(await admin('DELETE', `/v3/configurations/${stored.id}?maxReach=99`))
    getData(await admin('DELETE', `/v3/groups/${id}`))
  })

  test('the configurations of a version have a limit together, with those of its groups', async () => {
    proves('groups-large')
    const [own, next] = [await version(), await version()]
    const ids = Array.from({ length: 5 }, () => crypto.randomUUID())
    const digest = `sha256:${'a'.repeat(64)}`
    // 0.9 MB each.
    const files = Array.from({ length: 2000 }, (_, at) => ({
      ...{ path: `${at}-${'p'.repeat(350)}`, digest },
    }))
    const body = (groupId: string) => ({
      ...{ type: 'FILE_DIGESTS', versionId: own.id, groupId, config: { files } },
    })
    for (const id of ids) getData(await put(id, { rules: [{ tags: [`m${id.slice(0, 8)}`] }] }))
    const [first = '', , , , last = ''] = ids
    for (const id of ids.slice(0, 4)) getData(await putConfiguration(body(id)))
    const refused = await putConfiguration(body(last))
    expect([refused.status, refused.json.code]).toEqual([409, 'configurations-large'])
    // What is replaced doesn't count.
    const { items } = await read(`/v3/configurations?versionId=${own.id}`)
    const [stored] = items.filter((one: Json) => one.groupId === first)
    getData(await putConfiguration({ ...body(first), id: stored.id }))
    const copied = await admin('POST', '/v3/configurations/copy?maxReach=99', {
      ...{ from: own.id, to: next.id },
    })
    expect(getData(copied).length).toBe(4)
    getData(await admin('DELETE', `/v3/configurations/${stored.id}?maxReach=99`))
    getData(await putConfiguration(body(last)))
    const restored = await admin(
      'POST',
      `/v3/configurations/${stored.id}/revisions/1/restore?maxReach=99`,
    )
    expect([restored.status, restored.json.code]).toEqual([409, 'configurations-large'])
    for (const one of [own.id, next.id])
      for (const { id } of (await read(`/v3/configurations?versionId=${one}`)).items)
        getData(await admin('DELETE', `/v3/configurations/${id}?maxReach=99`))
    for (const id of ids) getData(await admin('DELETE', `/v3/groups/${id}`))
  })

  test('a keystore goes only to groups that administrators fill', async () => {
    proves('group-keystore', 'group-claimed')
    const own = await version()
    const [id, mark] = [crypto.randomUUID(), `m${crypto.randomUUID().slice(0, 8)}`]
    const keystore = {
      ...{ type: 'SSL_KEYSTORE', versionId: own.id, groupId: id },
      config: { uri: 'https://downloads.example/keystore.p12', password: 'secret' },
    }
    getData(await put(id, { rules: [{ tags: [mark] }, { hostnames: [`${mark}*`] }] }))
    const refused = await putConfiguration(keystore)
    expect([refused.status, refused.json.code]).toEqual([409, 'group-untrusted'])
    getData(await put(id, { rules: [{ tags: [mark], hostnames: [`${mark}*`] }] }))
    const stored = getData(await putConfiguration(keystore))
    const loosened = await put(id, { rules: [{ hostnames: [`${mark}*`] }] }, '?maxReach=99')
    expect([loosened.status, loosened.json.code]).toEqual([409, 'group-untrusted'])
    const liar = { device: { hostname: `${mark}-1`, tags: [mark] } }
    const device = await createDevice(service(), own, liar)
    expect((await device.sync(liar)).reply.keystore).toBeUndefined()
    await giveTags(device.id, [mark])
    expect((await device.sync(liar)).reply.keystore).toMatchObject({
      uri: 'https://downloads.example/keystore.p12',
    })
    getData(await admin('DELETE', `/v3/configurations/${stored.id}?maxReach=99`))
    getData(await admin('DELETE', `/v3/groups/${id}`))
  })

  test('a group is saved once, with a name that no other has', async () => {
    proves('group-rules')
    const [id, name] = [crypto.randomUUID(), `Desks ${crypto.randomUUID()}`]
    const body = { name, rules: [{ platforms: ['MACOS'] }] }
    const created = await put(id, body)
    expect([created.status, getData(created)]).toMatchObject([201, { priority: 0, revision: 1 }])
    const taken = await put(crypto.randomUUID(), body)
    expect([taken.status, taken.json.code]).toEqual([409, 'group-taken'])
    const stale = await service().request('PUT', `/v3/groups/${id}`, {
      ...{ token: await service().login(), body, headers: { 'if-match': '"7"' } },
    })
    expect([stale.status, stale.json.code]).toEqual([412, 'revision-mismatch'])
    const [one, other] = await Promise.all([put(id, body), put(id, { ...body, priority: 3 })])
    expect([one.status, other.status].toSorted()).toEqual(
      one.status === other.status ? [200, 200] : [200, 412],
    )
    const { items } = await read('/v3/groups?size=100')
    expect(items.find((each: Json) => each.id === id)).toMatchObject({ name })
    getData(await admin('DELETE', `/v3/groups/${id}`))
    expect((await admin('DELETE', `/v3/groups/${id}`)).json.code).toBe('group-unknown')
  })

  test.each([
    ['rules', {}],
    ['rules', { rules: [] }],
    ['rules', { rules: Array.from({ length: 3 }, () => ({ hostnames: manyHosts(14) })) }],
    ['rules.0', { rules: [{}] }],
    ['rules.0.tags', { rules: [{ tags: [] }] }],
    ['rules.0.tags.0', { rules: [{ tags: ['Berlin'] }] }],
    ['rules.0.hostnames.0', { rules: [{ hostnames: ['*'] }] }],
    ['rules.0.hostnames.0', { rules: [{ hostnames: ['a*b*c'] }] }],
    ['rules.0.network', { rules: [{ network: ['10.0.0.0/8'] }] }],
    ['priority', { rules: [{ tags: ['a'] }], priority: 1001 }],
  ])('a group that is wrong in %s is refused', async (path, body) => {
    proves('group-rules')
    const { status, json } = await put(crypto.randomUUID(), body)
    expect([status, json.code]).toEqual([422, 'input-invalid'])
    expect(json.errors[0].path).toContain(path.split('.')[0])
  })
}
