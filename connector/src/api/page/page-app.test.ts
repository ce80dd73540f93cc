/** What the local page does with what goes wrong. */
import { expect, test } from 'vitest'
import { createPageAccess } from './page-access.ts'
import { createPageApp, type PageActions } from './page-app.ts'

test('an action that fails is answered with 500 and an id, by which its error is reported', async () => {
  const failure = new Error('the disk is gone')
  const failures: unknown[][] = []
  const access = createPageAccess(() => 0)
  const token = access.exchange(access.ticket)
  const app = createPageApp({
    files: {},
    access,
    language: 'en',
    ownerOf: async () => ({ kind: 'ours' }),
    actions: { trust: () => Promise.reject(failure) } as Partial<PageActions> as PageActions,
    onWatching: () => undefined,
    onUse: () => undefined,
    onFailure: (...failed) => failures.push(failed),
  })
  const headers = {
    host: '127.0.0.1:50000',
    origin: 'http://127.0.0.1:50000',
    authorization: `Bearer ${token}`,
  }
  const request = new Request('http://127.0.0.1:50000/trust', { method: 'POST', headers })
  const peer = { address: '127.0.0.1', port: 40_000 }
  const response = await app.fetch(request, { peer, port: 50_000, keepOpen: () => undefined })
  expect(response.status).toBe(500)
  const { requestId, reason } = (await response.json()) as Record<string, string>
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(reason).toContain(requestId)
  expect(failures).toEqual([[failure, requestId]])
})
