/** The contract of a gateway, which every implementation passes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type Consumer,
  type Gateway,
  GatewayError,
  type GatewayErrorReason,
} from '../../src/gateway/gateway.ts'

export interface GatewayUnderTest {
  readonly gateway: Gateway
  /** Moves the gateway's clock, in seconds. */
  pass(seconds: number): void
  /** Its clock: milliseconds since 1970. */
  now(): number
  stop(): Promise<void>
}

const shop: Consumer = { kind: 'application', id: 'shop' }
const version: Consumer = { kind: 'registration', id: '1.0.0' }

export function gatewaySuite(name: string, start: () => Promise<GatewayUnderTest>): void {
  describe(name, () => {
    let under: GatewayUnderTest
    beforeEach(async () => {
      under = await start()
    })
    afterEach(() => under.stop())

    const refused = async (act: Promise<unknown>): Promise<GatewayErrorReason> => {
      const error = await act.then(
        () => undefined,
        (reason) => reason,
      )
      expect(error).toBeInstanceOf(GatewayError)
      return error.reason
    }
    const aKey = () => crypto.randomUUID()

    test('register creates a consumer whose key is found, in any case', async () => {
      proves('installation-key-generated')
      const key = aKey()
      await under.gateway.register(shop, key)
      expect(await under.gateway.lookup(key)).toEqual(shop)
      expect(await under.gateway.lookup(key.toUpperCase())).toEqual(shop)
      expect(await under.gateway.lookup(aKey())).toBeUndefined()
      expect(await under.gateway.lookup('')).toBeUndefined()
    })

    test('register refuses a consumer twice and a key of another', async () => {
      const key = aKey()
      await under.gateway.register(shop, key)
      expect(await refused(under.gateway.register(shop, aKey()))).toBe('consumer-taken')
      expect(await refused(under.gateway.register(version, key))).toBe('key-taken')
      expect(await under.gateway.count('registration')).toBe(0)
    })

    test('rotate replaces the key at once, or after an overlap', async () => {
      const [first, second, third] = [aKey(), aKey(), aKey()]
      await under.gateway.register(shop, first)
      await under.gateway.rotate(shop, second, 60)
      expect(await under.gateway.lookup(first)).toEqual(shop)
      under.pass(60)
      expect(await under.gateway.lookup(first)).toBeUndefined()
      await under.gateway.rotate(shop, third, 0)
      expect(await under.gateway.lookup(second)).toBeUndefined()
      expect(await under.gateway.lookup(third)).toEqual(shop)
    })

    test('rotate never extends the overlap of a key replaced before', async () => {
      const [first, second, third] = [aKey(), aKey(), aKey()]
      await under.gateway.register(shop, first)
      await under.gateway.rotate(shop, second, 10)
      await under.gateway.rotate(shop, third, 1000)
      under.pass(10)
      expect(await under.gateway.lookup(first)).toBeUndefined()
      expect(await under.gateway.lookup(second)).toEqual(shop)
    })

    test('rotate accepts a key that the same consumer had before', async () => {
      const [first, second] = [aKey(), aKey()]
      await under.gateway.register(shop, first)
      await under.gateway.rotate(shop, second, 60)
      await under.gateway.rotate(shop, first, 0)
      expect(await under.gateway.lookup(first)).toEqual(shop)
      expect(await under.gateway.lookup(second)).toBeUndefined()
    })

    test('rotate refuses a key of another consumer and an unregistered consumer', async () => {
      const key = aKey()
      await under.gateway.register(shop, key)
      await under.gateway.register(version, aKey())
      expect(await refused(under.gateway.rotate(version, key, 0))).toBe('key-taken')
      expect(
        await refused(under.gateway.rotate({ kind: 'application', id: 'nobody' }, aKey(), 0)),
      ).toBe('consumer-unknown')
      expect(await under.gateway.lookup(key)).toEqual(shop)
    })

    test('disable ends every key and keeps the consumer', async () => {
      const [first, second, third] = [aKey(), aKey(), aKey()]
      await under.gateway.register(shop, first)
      await under.gateway.rotate(shop, second, 60)
      await under.gateway.disable(shop)
      expect([await under.gateway.lookup(first), await under.gateway.lookup(second)]).toEqual([
        undefined,
        undefined,
      ])
      expect(await under.gateway.count('application')).toBe(1)
      await under.gateway.rotate(shop, third, 0)
      expect(await under.gateway.lookup(third)).toEqual(shop)
    })

    test('findKeys finds the consumers of a kind that have a key which works, and when replaced ones end', async () => {
      const { gateway, pass, now } = under
      const find = async (...ids: string[]) =>
        Object.fromEntries(await gateway.findKeys('application', ids))
      const current = { replacedUntil: undefined }
      expect(await find('shop')).toEqual({})
      await gateway.register(shop, aKey())
      await gateway.register(version, aKey())
      expect(await find('shop', '1.0.0', 'nobody')).toEqual({ shop: current })
      const start = now()
      await gateway.rotate(shop, aKey(), 60)
      await gateway.rotate(shop, aKey(), 30)
      expect(await find('shop')).toEqual({ shop: { replacedUntil: start + 30_000 } })
      await gateway.rotate(shop, aKey(), 60)
      expect(await find('shop')).toEqual({ shop: { replacedUntil: start + 60_000 } })
      pass(60)
      expect(await find('shop')).toEqual({ shop: current })
      await gateway.disable(shop)
      expect(await find('shop')).toEqual({})
    })

    test('remove deletes the consumer and its keys, and its id can be registered again', async () => {
      const key = aKey()
      await under.gateway.register(shop, key)
      await under.gateway.remove(shop)
      expect(await under.gateway.lookup(key)).toBeUndefined()
      await under.gateway.register(shop, key)
      expect(await under.gateway.lookup(key)).toEqual(shop)
    })

    test('count counts consumers of a kind', async () => {
      await under.gateway.register(shop, aKey())
      await under.gateway.register(version, aKey())
      await under.gateway.register({ kind: 'application', id: 'other' }, aKey())
      expect([
        await under.gateway.count('application'),
        await under.gateway.count('registration'),
      ]).toEqual([2, 1])
    })
  })
}
