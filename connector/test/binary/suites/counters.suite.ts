/** Uses that a compiled connector has counted: listed on its machine, and counted once by the service, whatever is lost. */

import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Connector, homePaths } from '../../../../test/bed/connector.ts'
import { proves } from '../../../../test/bed/proves.ts'
import type { Managed } from '../managed.ts'
import { openWay, type Way } from '../withholding-proxy.ts'

const today = () => new Date().toISOString().slice(0, 10)
const synchronize = (connector: Connector) => connector.request('/v3/sync', { method: 'POST' })
const uses = { label: 'shop', module: 'eid', useCase: 'signature' } as const

export const countersSuite = (managed: Managed) =>
  describe('counters', () => {
    let way: Way
    beforeAll(async () => {
      way = await openWay()
      await managed.service.createLabel(uses.label)
    })
    afterAll(() => way?.close())

    /** Another one for each test, by which its counts are found. */
    let tag: string
    beforeEach(() => {
      tag = crypto.randomUUID()
    })

    const start = () => managed.start({ HTTP_PROXY: way.proxy })

    /** A connector that is registered, and finds what modules have counted before. */
    async function counting(count: number): Promise<Connector> {
      const first = await start()
      await synchronize(first)
      await first.stop()
      const database = new DatabaseSync(join(homePaths(managed.home).runtime, 'state.db'))
      const { label, module, useCase } = uses
      database
        .prepare('INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?)')
        .run(label, module, useCase, tag, today(), count)
      database.close()
      return start()
    }

    const shown = async (connector: Connector) =>
      (await connector.request('/ds/transactions')).json.data
    const counted = async () =>
      (await managed.service.admin('GET', `/v3/counters?tag=${tag}`)).items

    test('Use is shown until the service has counted it, by label, module, use case, tag and day', async () => {
      proves('transactions-listed')
      const connector = await counting(7)
      expect(await shown(connector)).toEqual([{ ...uses, tag, txDate: today(), counter: 7 }])
      await synchronize(connector)
      expect(await shown(connector)).toEqual([])
      expect(await counted()).toEqual([{ ...uses, tag, day: today(), count: 7 }])
      await synchronize(connector)
      expect(await counted()).toEqual([expect.objectContaining({ count: 7 })])
      const table = await managed.service.admin('GET', `/v3/counters.csv?tag=${tag}`)
      expect(table).toContain(`\r\n${today()},shop,eid,signature,${tag},7,`)
    })

    test('Use is counted once when the answer is lost, and shown until one comes', async () => {
      proves('use-reported-once')
      const connector = await counting(3)
      const withheld = way.withholdNext()
      const failed = synchronize(connector)
      const drop = await withheld
      expect(await counted()).toEqual([expect.objectContaining({ count: 3 })])
      drop()
      expect((await failed).json.data.standing).toBe('unreachable')
      expect(await shown(connector)).toEqual([expect.objectContaining({ counter: 3 })])
      expect((await synchronize(connector)).json.data.standing).toBe('good')
      expect(await shown(connector)).toEqual([])
      expect(await counted()).toEqual([expect.objectContaining({ count: 3 })])
    })

    test('Use is counted once when the connector is killed before it gets the reply', async () => {
      proves('use-reported-once')
      const connector = await counting(5)
      const withheld = way.withholdNext()
      synchronize(connector).catch(() => undefined)
      await withheld
      const ended = once(connector.child, 'exit')
      connector.child.kill('SIGKILL')
      await ended
      const next = await start()
      expect(await shown(next)).toEqual([expect.objectContaining({ counter: 5 })])
      expect((await synchronize(next)).json.data.standing).toBe('good')
      expect(await counted()).toEqual([expect.objectContaining({ count: 5 })])
    })

    test('Use is counted once when the service ends before it has answered', async () => {
      proves('use-reported-once')
      const connector = await counting(4)
      const withheld = way.withholdNext()
      const failed = synchronize(connector)
      const drop = await withheld
      await managed.pause()
      drop()
      await failed
      await managed.service.resume()
      expect((await synchronize(connector)).json.data.standing).toBe('good')
      expect(await counted()).toEqual([expect.objectContaining({ count: 4 })])
      expect(await shown(connector)).toEqual([])
    })
  })
