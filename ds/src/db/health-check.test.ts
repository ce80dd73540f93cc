/** How often /health writes, and how often it reads the whole file. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createDatabase, type Statement } from './database.ts'
import { createHealthCheck, createIntegrityCheck } from './health-check.ts'

const day = 86_400_000
const silent = () => undefined

function arrange(checkIntegrity: () => Promise<string | undefined>) {
  const writes: Statement[] = []
  const state = { now: 0 }
  const run = async (statement: Statement) => {
    writes.push(statement)
    return []
  }
  const check = createHealthCheck({
    db: createDatabase({ run, batch: async () => [] }),
    clock: () => state.now,
    log: { info: silent, warn: silent, error: silent },
    checkIntegrity,
  })
  return { check, writes, state }
}

test('writes once in five seconds, however often it is asked', async () => {
  const { check, writes, state } = arrange(async () => undefined)
  for (let n = 0; n < 10; n += 1) await check()
  expect(writes).toHaveLength(1)
  state.now += 5000
  await check()
  expect(writes).toHaveLength(2)
})

test('writes once for all that ask while it writes', async () => {
  proves('one-reading')
  const { check, writes } = arrange(async () => undefined)
  await Promise.all(Array.from({ length: 50 }, check))
  expect(writes).toHaveLength(1)
})

test('checks the file once a day, and reports damage until the service is restarted', async () => {
  proves('database-damaged')
  const results = [undefined, 'page 7 is never used']
  let checks = 0
  const { check, state } = arrange(async () => results[checks++])
  await check()
  expect(checks).toBe(0)
  state.now += day
  await check()
  await check()
  expect(checks).toBe(1)
  state.now += day
  for (let n = 0; n < 2; n += 1)
    await expect(check()).rejects.toMatchObject({ name: 'database-unavailable' })
  expect(checks).toBe(2)
})

test('createIntegrityCheck returns what SQLite says is wrong', async () => {
  proves('database-damaged')
  const checkWith = (answer: () => string) => createIntegrityCheck(async () => [[answer()]])()
  expect(await checkWith(() => 'ok')).toBeUndefined()
  expect(await checkWith(() => 'wrong # of entries in index')).toBe('wrong # of entries in index')
  expect(await checkWith(() => '*** in database main ***\nTree 19 page 19')).toBe('Tree 19 page 19')
  const malformed = () => {
    throw new Error('database disk image is malformed')
  }
  expect(await checkWith(malformed)).toBe('the database is damaged')
  const failing = () => {
    throw new Error('disk I/O error')
  }
  await expect(checkWith(failing)).rejects.toThrow('disk I/O error')
})
