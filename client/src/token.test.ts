/** The token in force: renewed once for all who need it. */
import { expect, test } from 'vitest'
import { createTokenStore } from './token.ts'

test('renew fetches once for all calls with the same token, and not for later calls', async () => {
  const coming = Promise.withResolvers<string>()
  let fetched = 0
  const token = createTokenStore('a.b.c', () => {
    fetched += 1
    return coming.promise
  })
  const all = Promise.all([token.renew('a.b.c'), token.renew('a.b.c')])
  coming.resolve('d.e.f')
  await all
  await token.renew('a.b.c')
  expect([fetched, token.current()]).toEqual([1, 'd.e.f'])
})

test('renew keeps the token when it fails, and can be called again', async () => {
  let fetched = 0
  const token = createTokenStore('a.b.c', async () => {
    fetched += 1
    if (fetched === 1) throw new Error('no session')
    return 'd.e.f'
  })
  await expect(token.renew('a.b.c')).rejects.toThrow('no session')
  expect(token.current()).toBe('a.b.c')
  await token.renew('a.b.c')
  expect(token.current()).toBe('d.e.f')
})
