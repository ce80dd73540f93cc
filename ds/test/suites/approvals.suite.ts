/** Changes that a second administrator has to approve, on every engine; who counts as a second one is in `ds/test/two-administrators.test.ts`. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { addAccount } from '../harness/accounts.ts'
import { createRollout, createVersion, getData } from '../harness/arrange.ts'
import { makeAdministratorCheap } from '../harness/cheap-passwords.ts'
import { createDevice } from '../harness/device.ts'
import { storeApproval, withDatabase } from '../harness/stored-data.ts'

export function approvalSuite(runtime: Runtime): void {
  describe('changes that a second administrator approves', () => {
    let service: DistributionService
    let second: string
    let version: Json
    let rollout: Json
    let count = 0

    beforeAll(async () => {
      service = await startDistributionService(runtime, { DS_TWO_ADMINISTRATORS: '1' })
      // Its first request starts a Worker.
      const token = await service.login()
      await makeAdministratorCheap(service)
      second = (await addAccount(service, 'administrator')).token
      version = await createVersion(service, token, { id: '1.0.0' })
      for (const _ of [1, 2]) await createDevice(service, version)
    })
    afterAll(() => service?.stop())

    /** A rollout of a new version to both devices, and no pending requests. */
    beforeEach(async () => {
      const token = await service.login()
      for (const { id } of await list()) await remove(token, id)
      count += 1
      const later = await createVersion(service, token, { id: `1.1.${count}` })
      rollout = await createRollout(service, token, 'draft', { version: later.id })
    })

    const toOutcome = ({ status, json }: ServiceResponse) => [status, json.code, json.reach]
    const waits = [403, 'second-administrator', 2]
    const first = () => service.login()
    const start = (token: string, { query = '?maxReach=9', approves = '' } = {}) =>
      service.request('PUT', `/v3/rollouts/${rollout.id}/state${query}`, {
        ...{ token, body: { state: 'running' } },
        ...(approves !== '' && { headers: { approves } }),
      })
    const list = async (): Promise<Json[]> =>
      getData(await service.request('GET', '/v3/approvals', { token: await first() })).items
    const remove = (token: string, id: string) =>
      service.request('DELETE', `/v3/approvals?id=${id}`, { token })
    const readState = async () =>
      getData(await service.request('GET', `/v3/rollouts/${rollout.id}`, { token: await first() }))
        .state

    test('one asks, is refused as the second one, and another one approves', async () => {
      proves('second-administrator', 'one-administrator')
      expect(toOutcome(await start(await first()))).toEqual(waits)
      const [asked] = await list()
      expect(asked).toMatchObject({
        ...{ operation: 'changeRollout', params: { id: rollout.id }, query: {} },
        ...{ body: { state: 'running' }, reach: 2, maxReach: 9, changedSince: false },
        who: { name: 'admin' },
      })
      expect(toOutcome(await start(await first()))).toEqual(waits)
      const [{ tag: approves }] = (await list()) as [Json]
      const own = await start(await first(), { approves })
      expect(toOutcome(own)).toEqual([404, 'approval-unknown', undefined])
      expect([await readState(), (await list()).length]).toEqual(['draft', 1])

      expect(getData(await start(second, { approves })).state).toBe('running')
      expect(await list()).toEqual([])
      const { items } = getData(
        await service.request('GET', '/v3/audit?size=3', { token: await first() }),
      )
      expect(items.map(({ kind, fields }: Json) => [kind, fields])).toEqual([
        ['approval', ['approved', 'admin']],
        ['rollout', ['state']],
        ['approval', ['requested']],
      ])
    })

    test('of two approvals at the same moment, one makes the change', async () => {
      proves('second-administrator')
      const third = (await addAccount(service, 'administrator')).token
      await start(await first())
      const [{ tag: approves }] = (await list()) as [Json]
      const both = await Promise.all([start(second, { approves }), start(third, { approves })])
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
      expect([await readState(), await list()]).toEqual(['running', []])
    })

    test('a change that is another by now is not approved', async () => {
      proves('second-administrator', 'one-administrator')
      await start(await first())
      const [{ tag: approves }] = (await list()) as [Json]
      await createVersion(service, await first())
      expect(await list()).toMatchObject([{ changedSince: true }])
      const old = await start(second, { approves })
      expect(toOutcome(old)).toEqual([404, 'approval-unknown', undefined])
      // Without the tag, it is a request by the second one.
      expect(toOutcome(await start(second))).toEqual(waits)
      const [again] = await list()
      expect(again).toMatchObject({ changedSince: false, maxReach: 9 })
      expect(again?.['tag']).not.toBe(approves)
      expect(await readState()).toBe('draft')
      expect(getData(await start(await first())).state).toBe('running')
    })

    test('a change that was withdrawn is not approved', async () => {
      proves('second-administrator')
      await start(await first())
      const [{ id, tag: approves }] = (await list()) as [Json]
      expect((await remove(await first(), id)).status).toBe(200)
      expect(toOutcome(await start(second, { approves }))).toEqual([
        ...[404, 'approval-unknown', undefined],
      ])
      expect([await readState(), await list()]).toEqual(['draft', []])
      expect(toOutcome(await remove(await first(), id))).toEqual([
        ...[404, 'approval-unknown', undefined],
      ])
    })

    test('the limit of the one who asked holds for the one who approves', async () => {
      proves('second-administrator', 'affected-more-refused')
      expect(toOutcome(await start(await first(), { query: '?maxReach=2' }))).toEqual(waits)
      const [{ tag: approves }] = (await list()) as [Json]
      const device = await createDevice(service, version)
      const more = await start(second, { approves })
      expect(toOutcome(more)).toEqual([409, 'reach-exceeded', 3])
      expect([await readState(), (await list()).length]).toEqual(['draft', 1])
      const removed = await service.request('DELETE', `/v3/devices/${device.id}`, {
        token: await first(),
      })
      expect(removed.status).toBe(200)
      expect(getData(await start(second, { approves })).state).toBe('running')
    })

    test('at most 50 changes wait', async () => {
      proves('second-administrator')
      await withDatabase(service, async ({ run }) => {
        for (let stored = 0; stored < 50; stored += 1) await storeApproval(run)
      })
      const refused = await start(await first())
      expect(toOutcome(refused)).toEqual([409, 'approval-limit', 2])
      const [{ id }] = (await list()) as [Json]
      getData(await remove(second, id))
      expect(toOutcome(await start(await first()))).toEqual(waits)
      expect(await list()).toHaveLength(50)
    })
  })
}
