/** How many passwords are compared at once, and how many wait. */
import { expect, test } from 'vitest'
import { limitPasswords } from './limit-passwords.ts'

test('two passwords are compared at once, a hundred wait, and more are told to come again', async () => {
  const waits: (() => void)[] = []
  const { verify } = limitPasswords({
    hash: async () => '',
    verify: () => new Promise((resolve) => waits.push(() => resolve(true))),
  })
  const admitted = Array.from({ length: 102 }, () => verify('password', 'hash'))
  await expect(verify('password', 'hash')).rejects.toMatchObject({ name: 'service-busy' })
  expect(waits).toHaveLength(2)
  while (waits.length > 0) {
    waits.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(admitted)).toEqual(Array(102).fill(true))
})
