import { expect, test } from 'vitest'
import { createNextFlight } from './next-flight.ts'

test('those that come while it is asked share the next question, not this one', async () => {
  const join = createNextFlight<number>()
  const answers = [0, 1, 2].map(() => Promise.withResolvers<number>())
  let asked = 0
  const ask = () => {
    const answer = answers[asked]
    asked += 1
    return answer?.promise ?? Promise.reject(new Error('asked too often'))
  }
  const first = join('a', ask)
  const others = [join('a', ask), join('a', ask)]
  expect(asked).toBe(1)
  answers[0]?.reject(new Error('the first failed'))
  await expect(first).rejects.toThrow('the first failed')
  answers[1]?.resolve(1)
  expect(await Promise.all(others)).toEqual([1, 1])
  expect(asked).toBe(2)
  answers[2]?.resolve(2)
  expect(await join('a', ask)).toBe(2)
})
