/** Loads of answers: together, in order, one at a time, none too large. */
import { expect, test } from 'vitest'
import { settled } from '../../test/registry/manual-clock.ts'
import { openOutbox } from './outbox.ts'
import type { Answer } from './protocol.ts'

const no = (): Answer => ({ kind: 'no', id: crypto.randomUUID() })

test('what is ready while a load is on its way goes together with the next', async () => {
  const loads: (readonly Answer[])[] = []
  const sent = Promise.withResolvers<void>()
  const put = openOutbox(async (answers) => {
    loads.push(answers)
    await sent.promise
  })
  const answers = [no(), no(), no()]
  for (const answer of answers) put(answer)
  expect(loads).toEqual([answers.slice(0, 1)])
  sent.resolve()
  await settled()
  expect(loads).toEqual([answers.slice(0, 1), answers.slice(1)])
})

test('no load is larger than what the registry reads', async () => {
  const loads: (readonly Answer[])[] = []
  const put = openOutbox(async (answers) => void loads.push(answers))
  const large = (): Answer => ({
    kind: 'granted',
    id: crypto.randomUUID(),
    // As many bytes as thirty-two consents.
    proof: 'x'.repeat(200_000),
    granted: { consent: '', agent: {} as never },
  })
  for (let count = 0; count < 7; count += 1) put(large())
  await settled()
  expect(loads.flat()).toHaveLength(7)
  for (const load of loads) expect(JSON.stringify(load).length).toBeLessThan(1024 * 1024)
})
