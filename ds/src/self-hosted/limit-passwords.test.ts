/** How many passwords are compared at once, and how many wait. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { limitPasswords } from './limit-passwords.ts'

test('two passwords are compared at once, a hundred wait, and more are told to come again', async () => {
  proves('password-guessing')
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

test('one that comes when another ends takes no place of those that wait', async () => {
  proves('password-guessing')
  const waits: (() => void)[] = []
  let [running, most] = [0, 0]
  const { verify } = limitPasswords({
    hash: async () => '',
    verify: async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => waits.push(resolve))
      running -= 1
      return true
    },
  })
  const admitted = Array.from({ length: 10 }, () => verify('password', 'hash'))
  while (waits.length > 0) {
    waits.shift()?.()
    // In each step of what follows the end, as far as that goes, another one comes.
    for (let step = 0; step < 10 && admitted.length < 40; step += 1) {
      await Promise.resolve()
      admitted.push(verify('password', 'hash'))
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(admitted)).toEqual(Array(40).fill(true))
  expect(most).toBe(2)
})
