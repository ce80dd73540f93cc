/** What the cache does when a load ends without a word. */
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { RevocationList } from './crl.ts'
import { createRevocationListCache } from './crl-cache.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const makeList = (): RevocationList => ({
  bytes: new Uint8Array(10),
  header: {} as RevocationList['header'],
  entries: undefined,
  thisUpdate: new Date(),
  nextUpdate: new Date(Date.now() + 86_400_000),
})

test('a load that ended with the request of its caller is done again', async () => {
  proves('revocation-unchecked')
  vi.useFakeTimers()
  const cache = createRevocationListCache({ maxBytes: 100, clock: () => Date.now() })
  // As on Workers, where nothing of a request continues after it: neither its timers nor what it waits for.
  vi.spyOn(globalThis, 'setInterval').mockReturnValueOnce(0 as never)
  cache.get('list', () => new Promise(() => undefined))
  const list = makeList()
  const found: unknown[] = []
  cache.get('list', async () => list).then((one) => found.push(one))
  await vi.advanceTimersByTimeAsync(3000)
  expect(found).toEqual([list])
})
