/** An issuer that does not respond holds up few requests, and is not asked for a moment. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createFederatedTokens } from './federated-token.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

let server: Server
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** An issuer that accepts requests, and ends them when the test wants; resolves with its URL. */
async function startIssuer(pending: (() => void)[]): Promise<string> {
  server = createServer((_, response) => pending.push(() => response.writeHead(500).end()))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an issuer that hangs is asked by four requests at once, and by none for two seconds after a failure', async () => {
  proves('issuer-hangs')
  let now = 1_000_000
  const pending: (() => void)[] = []
  const issuer = await startIssuer(pending)
  const verify = createFederatedTokens({ clock: () => now, log: silent })
  const ask = () =>
    verify(issuer, 'x.y.z').then(
      () => 'fine',
      ({ name }) => name as string,
    )
  const failures: string[] = []
  const asked = Array.from({ length: 10 }, () => ask().then((name) => failures.push(name)))
  await expect.poll(() => [pending.length, failures.length]).toEqual([4, 6])
  for (const end of pending) end()
  await Promise.all(asked)
  expect(new Set(failures)).toEqual(new Set(['issuer-unreachable']))

  expect(await ask()).toBe('issuer-unreachable')
  expect(pending).toHaveLength(4)
  now += 2001
  const again = ask()
  await expect.poll(() => pending.length).toBe(5)
  pending[4]?.()
  expect(await again).toBe('issuer-unreachable')
})
