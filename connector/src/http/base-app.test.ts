/** What a page and the log get when the connector cannot use its own disk. */
import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { csrfToken } from '@cardwire/protocol/csrf'
import { expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createBaseApp } from './base-app.ts'

function fillDatabase(): void {
  const database = new Database(':memory:')
  database.run('CREATE TABLE texts (text TEXT)')
  database.run('PRAGMA max_page_count = 2')
  database.run('INSERT INTO texts VALUES (zeroblob(100000))')
}

/** Resolves with the answer to a request whose work fails like this, and with the log. */
async function answer(act: () => void) {
  const logged: string[] = []
  const app = createBaseApp({
    log: createLog(logged),
    names: () => new Set(['localhost']),
    allowlist: () => [],
    ownerOf: async () => ({ kind: 'ours', user: '1000' }),
    servesEveryone: false,
  })
  app.post('/change', (context) => {
    act()
    return context.body(null, 204)
  })
  const headers = { host: 'localhost', 'x-csrf-token': csrfToken }
  const peer = { family: 'IPv4', address: '127.0.0.1', port: 1 }
  const response = await app.request('/change', { method: 'POST', headers }, { peer, port: 2 })
  return { ...((await response.json()) as { type: string; description: string }), logged }
}

test.each([
  ['a database without room', fillDatabase, 'disk-full'],
  ['a file on a full disk', () => writeFileSync('/dev/full', 'text'), 'disk-full'],
  ['a file that cannot be written', () => writeFileSync('/proc', 'text'), 'disk-failed'],
])('%s is a problem of one sentence, and no stack in the log', async (_, act, problem) => {
  proves('connector-disk-full')
  const { type, description, logged } = await answer(act)
  expect(type).toContain(problem)
  expect(description).toMatch(/^Cannot do this: [^/]*disk[^/]*$/)
  expect(logged.join()).toContain('disk not usable')
  expect(logged.join()).not.toMatch(/stack|defect/)
})

test('any other failure is a defect with its stack in the log', async () => {
  const { type, logged } = await answer(() => {
    throw new TypeError('undefined is not an object')
  })
  expect(type).toContain('internal')
  expect(logged.join()).toMatch(/defect.*stack/)
})
