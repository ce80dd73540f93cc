/** Whose requests the local page answers. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { PeerOwner } from '../../system/peer-owner.ts'
import { checkPeer, checkSource } from './page-checks.ts'

const peer = { address: '127.0.0.1', port: 40_000 }
const connection = { peer, port: 50_000, keepOpen: () => undefined }

test.each<[PeerOwner['kind'], boolean]>([
  ['ours', true],
  ['other', false],
  ['gone', false],
  ['unknown', false],
])('a connection whose owner is %s is answered: %s', async (kind, isAnswered) => {
  proves('open-url-read')
  const refusal = await checkPeer(connection, async () => ({ kind }))
  expect(refusal === undefined).toBe(isAnswered)
})

test('a connection that was reset is refused', async () => {
  const refusal = await checkPeer({ ...connection, peer: undefined }, async () => ({
    kind: 'ours',
  }))
  expect(refusal).toBeDefined()
})

const address = 'http://127.0.0.1:50000'
const own = { host: '127.0.0.1:50000' }
const sameOrigin = { ...own, origin: address, 'sec-fetch-site': 'same-origin' }

test.each<[string, string, Record<string, string>, boolean]>([
  ['GET', '/', { ...own, 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }, true],
  ['GET', '/', own, true],
  ['GET', '/', { ...own, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, false],
  ['GET', '/', { ...own, 'sec-fetch-site': 'none', 'sec-fetch-dest': 'iframe' }, false],
  ['GET', '/', { ...own, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }, false],
  ['GET', '/', { host: 'localhost:50000' }, false],
  ['GET', '/', { host: '127.0.0.1:50001' }, false],
  ['GET', '/', { host: 'rebound.example' }, false],
  ['GET', '/main.ts', { ...own, 'sec-fetch-site': 'same-origin' }, true],
  ['GET', '/main.ts', { ...own, 'sec-fetch-site': 'none' }, false],
  ['GET', '/main.ts', { ...own, 'sec-fetch-site': 'cross-site' }, false],
  ['GET', '/main.ts', { ...own, 'sec-fetch-site': 'same-site' }, false],
  ['POST', '/view', sameOrigin, true],
  ['POST', '/view', own, false],
  ['POST', '/view', { ...sameOrigin, origin: 'null' }, false],
  ['POST', '/view', { ...sameOrigin, origin: 'https://shop.example' }, false],
  ['POST', '/view', { ...sameOrigin, 'sec-fetch-site': 'same-site' }, false],
  ['POST', '/', { ...sameOrigin, 'sec-fetch-site': 'none' }, false],
])('%s %s with %j is answered: %s', (method, path, headers, isAnswered) => {
  proves('open-page-attacked')
  const refusal = checkSource(new Request(`${address}${path}`, { method, headers }), address)
  expect(refusal === undefined).toBe(isAnswered)
})
