/** What the local page does with what goes wrong. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createPageAccess } from './page-access.ts'
import { createPageApp, type PageActions } from './page-app.ts'

test('an action that fails is answered with 500 and an id, by which its error is reported', async () => {
  const failure = new Error('the disk is gone')
  const { response, failures } = await send('/trust', { trust: () => Promise.reject(failure) })
  expect(response.status).toBe(500)
  const { requestId, reason } = (await response.json()) as Record<string, string>
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(reason).toContain(requestId)
  expect(failures).toEqual([[failure, requestId]])
})

test.each([
  ['nests deeper than 32', '['.repeat(300_000)],
  ['is no JSON', '{'],
  ['lacks a field', '{}'],
])('a body that %s is refused with 400', async (_, body) => {
  proves('deep-json')
  const { response, failures } = await send('/service', {}, body)
  expect(response.status).toBe(400)
  expect(failures).toEqual([])
})

async function send(path: string, actions: Partial<PageActions>, body?: string) {
  const failures: unknown[][] = []
  const access = createPageAccess(() => 0)
  const token = access.exchange(access.ticket)
  const app = createPageApp({
    files: {},
    access,
    language: 'en',
    ownerOf: async () => ({ kind: 'ours' }),
    actions: actions as PageActions,
    onWatching: () => undefined,
    onUse: () => undefined,
    onFailure: (...failed) => failures.push(failed),
  })
  const headers = {
    host: '127.0.0.1:50000',
    origin: 'http://127.0.0.1:50000',
    authorization: `Bearer ${token}`,
  }
  const init = { method: 'POST', headers, ...(body !== undefined && { body }) }
  const request = new Request(`http://127.0.0.1:50000${path}`, init)
  const peer = { address: '127.0.0.1', port: 40_000 }
  const response = await app.fetch(request, { peer, port: 50_000, keepOpen: () => undefined })
  return { response, failures }
}
