/** Rollouts on each engine: what syncs note, what is counted, and the end of one by itself. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'

/** A system that devices of other tests do not have: a rollout reaches all devices of its systems. */
const platform = 'MACOSARM'
const uris = [{ os: platform, uri: 'https://downloads.example/connector.pkg' }]

export function rolloutSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string, body?: Json) =>
    service().request(method, path, { token: await service().login(), body })
  const version = async () => createVersion(service(), await service().login(), { uris })

  /** A rollout to all devices at once. */
  async function start(id: string, own: string, rates: Json = {}) {
    const stages = [{ share: 100, holdS: 86_400 }]
    const body = { version: own, flag: 'recommended', stages, ...rates }
    getData(await admin('PUT', `/v3/rollouts/${id}`, body))
    return getData(await change(id, 'running'))
  }
  const change = (id: string, state: string) =>
    admin('PUT', `/v3/rollouts/${id}/state?maxReach=999999`, { state })
  const read = async (id: string) => getData(await admin('GET', `/v3/rollouts/${id}`))

  const readLastHour = async (id: string) =>
    getData(await admin('GET', `/v3/rollouts/${id}/hours`)).hours.at(-1)

  test('a rollout notes what its devices do, and is listed, withdrawn and removed', async () => {
    proves('rollout-stages', 'rollout-hours')
    const [id, old, own] = [crypto.randomUUID(), await version(), await version()]
    const device = await createDevice(service(), old, { platform })
    expect(await start(id, own.id)).toMatchObject({ state: 'running', stage: 0, revision: 2 })
    expect((await device.sync()).reply.verdict).toMatchObject({
      ...{ action: 'recommend', offer: { version: own.id } },
    })
    expect((await read(id)).evidence.reached).toMatchObject({ devices: 1, installed: 0 })
    await device.sync({ version: own.id })
    await device.sync({ version: own.id })
    expect((await read(id)).evidence).toMatchObject({
      reached: { ...{ devices: 1, installed: 1, successes: 1, faults: 0, wentBack: 0, silent: 0 } },
      control: { devices: 0 },
    })
    await device.sync({ version: old.id })
    expect((await read(id)).evidence.reached).toMatchObject({ successes: 0, wentBack: 1 })
    // What changes a rollout makes the service count its devices again.
    await change(id, 'paused')
    await device.sync({ version: old.id })
    await expect
      .poll(() => readLastHour(id))
      .toMatchObject({
        ...{ offered: 1, installed: 1, successes: 0, failures: 1, silent: 0 },
      })
    const { items } = getData(await admin('GET', '/v3/rollouts'))
    expect(items.find((one: Json) => one.id === id)).toMatchObject({ version: own.id })
    expect(getData(await change(id, 'halted'))).toMatchObject({ halt: { who: { name: 'admin' } } })
    expect((await device.sync()).reply.verdict.action).toBe('none')
    expect((await admin('DELETE', `/v3/rollouts/${id}`)).status).toBe(200)
    expect((await admin('GET', `/v3/rollouts/${id}`)).json.code).toBe('rollout-unknown')
  })

  test('a rollout that is finished gives its version the flag, with a revision of both', async () => {
    proves('rollout-stages')
    const [id, own] = [crypto.randomUUID(), await version()]
    await start(id, own.id)
    expect(getData(await change(id, 'finished'))).toMatchObject({ state: 'finished', revision: 3 })
    const changed = getData(await admin('GET', `/v3/versions/${own.id}`))
    expect(changed).toMatchObject({ recommended: true, mandatory: false, revision: 2 })
    const { items } = getData(await admin('GET', `/v3/audit?kind=version&id=${own.id}`))
    expect(items[0]).toMatchObject({ operation: 'changeRollout', fields: ['recommended'] })
    await admin('PATCH', `/v3/versions/${own.id}?maxReach=999999`, { recommended: false })
  })

  test('an emergency stop halts every rollout and blocks a version at once, and both can be undone', async () => {
    proves('emergency-stop', 'affected-known')
    const [id, paused, old] = [crypto.randomUUID(), crypto.randomUUID(), await version()]
    const [own, other] = [await version(), await version()]
    const devices = [
      await createDevice(service(), old, { platform }),
      await createDevice(service(), old, { platform }),
    ] as const
    await start(id, own.id)
    await devices[0].sync()
    await devices[1].sync()
    await devices[1].sync({ version: own.id })
    await start(paused, other.id)
    getData(await change(paused, 'paused'))
    const stop = (query: string) => admin('POST', `/v3/rollouts/halt${query}`, { version: own.id })
    const isOwn = (one: Json) => one.id === id || one.id === paused

    const found = getData(await admin('GET', `/v3/rollouts/reach?version=${own.id}`))
    expect(found.rollouts.find((one: Json) => one.id === id)).toEqual({
      ...{ id, version: own.id, flag: 'recommended', state: 'running', offered: 1, installed: 1 },
    })
    expect(found.block).toMatchObject({ reach: 1, stopped: 1 })
    const offered = found.rollouts.reduce((sum: number, one: Json) => sum + one.offered, 0)
    expect(found.reach).toBe(offered + 1)

    const exceeded = await stop('?maxReach=0')
    expect([exceeded.status, exceeded.json.code, exceeded.json.reach]).toEqual([
      ...[409, 'reach-exceeded', 1],
    ])
    const unknown = await admin('POST', '/v3/rollouts/halt', { version: '77.0.0' })
    expect([unknown.status, unknown.json.code]).toEqual([404, 'version-unknown'])
    expect([(await read(id)).state, (await read(paused)).state]).toEqual(['running', 'paused'])

    const stopped = getData(await stop('?maxReach=1'))
    expect(stopped.halted.filter(isOwn)).toHaveLength(2)
    expect(stopped.version).toMatchObject({ id: own.id, allowed: false, revision: 2 })
    expect(await read(id)).toMatchObject({ state: 'halted', halt: { who: { name: 'admin' } } })
    expect((await read(paused)).state).toBe('halted')
    expect((await devices[0].sync()).reply.verdict.action).toBe('none')
    expect((await devices[1].sync({ version: own.id })).reply.verdict.action).toBe('stop')
    const listEntries = async (kind: string, of: string) =>
      getData(await admin('GET', `/v3/audit?kind=${kind}&id=${of}`)).items.filter(
        ({ operation }: Json) => operation === 'haltRollouts',
      )
    expect(await listEntries('rollout', id)).toMatchObject([{ fields: ['state'] }])
    expect(await listEntries('version', own.id)).toMatchObject([{ fields: ['allowed'] }])
    const revisions = getData(await admin('GET', `/v3/versions/${own.id}/revisions`)).items
    expect(revisions.map(({ operation }: Json) => operation)).toEqual([
      ...['haltRollouts', 'putVersion'],
    ])

    const again = getData(await stop(''))
    expect([again.halted, again.version.revision]).toEqual([[], 2])
    expect(await listEntries('rollout', id)).toHaveLength(1)
    getData(await admin('PATCH', `/v3/versions/${own.id}?maxReach=1`, { allowed: true }))
    expect((await change(id, 'running')).status).toBe(200)
    // Without a limit it is the same: a halt takes nothing from a device.
    expect(getData(await admin('POST', '/v3/rollouts/halt?maxReach=0', {})).halted).toMatchObject([
      { id, state: 'halted' },
    ])
    for (const one of [id, paused]) await admin('DELETE', `/v3/rollouts/${one}?maxReach=999999`)
  })

  test('a version is blocked, whatever else changes it at the same moment', async () => {
    proves('emergency-stop')
    const own = await version()
    const token = await service().login()
    const send = (method: string, path: string, body: Json) =>
      service().request(method, path, { token, body })
    const answers = await Promise.all([
      send('PATCH', `/v3/versions/${own.id}`, { uris: [] }),
      send('PATCH', `/v3/versions/${own.id}`, { uris }),
      send('POST', '/v3/rollouts/halt', { version: own.id }),
      send('PATCH', `/v3/versions/${own.id}`, { uris: [] }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const stored = getData(await admin('GET', `/v3/versions/${own.id}`))
    expect(stored).toMatchObject({ allowed: false, revision: 5 })
  })

  test('a halt takes effect, whatever else changes the rollout at the same moment', async () => {
    proves('rollout-stages')
    const [id, own] = [crypto.randomUUID(), await version()]
    await start(id, own.id)
    const [halted, paused] = await Promise.all([change(id, 'halted'), change(id, 'paused')])
    expect(halted.status).toBe(200)
    if (paused.status !== 200) expect(paused.json.code).toBe('rollout-state')
    expect((await read(id)).state).toBe('halted')
    await admin('DELETE', `/v3/rollouts/${id}`)
  })
}
