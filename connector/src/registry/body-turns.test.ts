/** The order in which bodies are handled. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { flushPromises } from '../../test/registry/manual-clock.ts'
import { createBodyTurns } from './body-turns.ts'

test('bodies are handled one at a time, the accounts in turn, each in the order in which they came', async () => {
  proves('processor-kept-busy')
  const deferred: (() => void)[] = []
  const waitForTurn = createBodyTurns((next) => void deferred.push(next))
  const handled: string[] = []
  const send = (user: string | undefined, name: string) =>
    void waitForTurn(user).then(() => handled.push(name))
  for (const name of ['m1', 'm2', 'm3', 'm4']) send('mallory', name)
  send('ada', 'a1')
  send(undefined, 'u1')
  send('ada', 'a2')
  const counts: number[] = []
  for (;;) {
    await flushPromises()
    counts.push(handled.length)
    const next = deferred.shift()
    if (!next) break
    next()
  }
  expect(handled).toEqual(['m1', 'm2', 'a1', 'u1', 'm3', 'a2', 'm4'])
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 7])
  send('mallory', 'm5')
  await flushPromises()
  expect(handled.at(-1)).toBe('m5')
})
