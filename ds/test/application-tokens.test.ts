/** Application tokens under a clock that the test sets: when one is signed anew. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../test/bed/service-request.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
let apikey: string
beforeEach(async () => {
  ds = await startInProcess()
  const { id: orgId } = await put('organizations', { name: 'Org' })
  apikey = (await put('labels', { name: 'shop', orgId })).apiKey
})
afterEach(() => ds.stop())

const put = async (kind: string, body: Json): Promise<Json> =>
  (await ds.request('PUT', `/v3/${kind}`, { token: await ds.login(), body })).json.data
const exchange = async (headers: Record<string, string> = { apikey }): Promise<string> =>
  (await ds.request('GET', '/v3/tokens/application', { headers })).json.data

test('a label gets one token for all requests of a second, and another in the next', async () => {
  const first = await exchange()
  ds.now += 999
  expect(await exchange()).toBe(first)
  ds.now += 1
  const next = await exchange()
  expect(decodeJwt(next).iat).toBe((decodeJwt(first).iat ?? 0) + 1)
})

test('another label gets a token of its own in the same second', async () => {
  const { id: orgId } = await put('organizations', { name: 'Other' })
  const other = await put('labels', { name: 'till', orgId })
  const tokens = [await exchange(), await exchange({ apikey: other.apiKey })]
  expect(tokens.map((token) => decodeJwt(token).sub)).toEqual(['shop', 'till'])
})

test('a signing key that is retired signs nothing more in the same second', async () => {
  const { kid } = decodeProtectedHeader(await exchange())
  const token = await ds.login()
  expect(
    (await ds.request('DELETE', `/v3/signing-keys/${kid}?maxReach=999999999`, { token })).status,
  ).toBe(200)
  expect(decodeProtectedHeader(await exchange()).kid).not.toBe(kid)
})

test('a key that is replaced gets no token in the same second', async () => {
  await exchange()
  const token = await ds.login()
  const { status } = await ds.request('DELETE', '/v3/labels/shop/key?maxReach=0', { token })
  expect(status).toBe(200)
  const refused = await ds.request('GET', '/v3/tokens/application', { headers: { apikey } })
  expect([refused.status, refused.json.code]).toEqual([401, 'api-key-refused'])
})
