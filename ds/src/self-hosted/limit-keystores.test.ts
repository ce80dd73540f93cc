/** How many keystores are opened at once, and how many wait. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { OpenedKeystore } from '../ports.ts'
import { limitKeystores } from './limit-keystores.ts'

test('one keystore is opened at once, ten wait, and more have to come again', async () => {
  proves('keystore-hostile')
  const refused: OpenedKeystore = { kind: 'refused', problem: 'keystore-locked', reason: 'wrong' }
  const waits: (() => void)[] = []
  const open = limitKeystores(() => new Promise((resolve) => waits.push(() => resolve(refused))))
  const ask = () => open(new Uint8Array(), 'x', { now: 0, signal: new AbortController().signal })
  const admitted = Array.from({ length: 11 }, ask)
  // Without turns it would never be answered.
  const beyond = ask().catch(({ name }) => name)
  expect(waits).toHaveLength(1)
  expect(await beyond).toBe('service-busy')
  while (waits.length > 0) {
    waits.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(admitted)).toEqual(Array(11).fill(refused))
})
