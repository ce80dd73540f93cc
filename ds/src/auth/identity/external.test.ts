/** The key set of an external provider, as the clock is set. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../../../test/bed/log.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createExternalProvider } from './external.ts'

type Services = Parameters<typeof createExternalProvider>[0]

test('a clock that is set back keeps no key set, in which a key may have been withdrawn', async () => {
  proves('key-set-outlived')
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256' }
  let kid = 'first'
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ keys: [{ ...key, kid }] })),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  let now = Date.now()
  // What identifies needs no more of them.
  const services = { clock: () => now, log: silentLog } as unknown as Services
  const provider = createExternalProvider(services, {
    kind: 'external',
    issuer: undefined,
    jwksUrl: `http://127.0.0.1:${port}/`,
    audience: 'ds',
    roleNames: { administrator: 'admin', publisher: undefined, viewer: undefined },
    roleClaim: 'roles',
    login: undefined,
  })
  const identify = async (wanted: string) =>
    provider.identify(
      await new SignJWT({ roles: ['admin'] })
        .setProtectedHeader({ alg: 'ES256', kid: wanted })
        .setSubject('ada')
        .setAudience('ds')
        .setExpirationTime('5m')
        .sign(privateKey),
    )
  await identify('first')
  kid = 'second'
  await identify('first')
  now -= 1
  await expect(identify('first')).rejects.toThrow('no applicable key found')
  expect((await identify('second')).subject).toBe('ada')
})
