/** The key set that the settings name by an address. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createSettingsAuthority } from './token-authority.ts'

test('a clock that is set back keeps no key set, in which a key may have been withdrawn', async () => {
  proves('key-set-outlived')
  const { publicKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256' }
  let kid = 'first'
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ keys: [{ ...key, kid }] })),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  let now = 1000
  const { getKey } = createSettingsAuthority({ jwks: `http://127.0.0.1:${port}/` }, () => now)
  const find = (wanted: string) =>
    Promise.resolve(getKey({ alg: 'ES256', kid: wanted }, { payload: '', signature: '' }))
  await find('first')
  kid = 'second'
  await find('first')
  now -= 1
  await expect(find('first')).rejects.toThrow('no applicable key found')
  await find('second')
})
