/** NODE_TLS_REJECT_UNAUTHORIZED=0 turns off no check of the connector: each connection says itself that it verifies. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createIdentity } from '../../../test/bed/certificates.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createTransport } from '../../src/distribution/client/transport.ts'
import { createSettingsAuthority } from '../../src/distribution/token-authority.ts'
import { download } from '../../src/distribution/update/download.ts'

let folder: string
let server: ReturnType<typeof createServer>
let url: string
let requests = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-skipped-'))
  const { key, cert } = await createIdentity('localhost')
  server = createServer({ key, cert }, (_, response) => {
    requests += 1
    response.end(JSON.stringify({ keys: [] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://localhost:${(server.address() as AddressInfo).port}/`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
})
afterEach(() => {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
})

const header = { alg: 'ES256', kid: 'unknown' }
const token = { payload: '', signature: '', header }

test.each<[string, () => Promise<unknown>]>([
  ['a request to the service', () => createTransport({})({ method: 'GET', url })],
  ['a download', () => download({ url, dsUrl: url, path: join(folder, 'installer') })],
  [
    'a request for the keys of tokens',
    async () => createSettingsAuthority({ jwks: url }).getKey(header, token),
  ],
])('%s is not sent to a server whose root is not trusted', async (_, send) => {
  proves('certificate-checks-off')
  await expect(send()).rejects.toThrow(/certificate/i)
  expect(requests).toBe(0)
})
