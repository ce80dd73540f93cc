/** Clients that send slowly: what they cost the others. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createVersion } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'

/** More than the service synchronizes at once. */
const crowd = 70

/** How long the slow ones are there for certain, in milliseconds. */
const heldMs = 4000

/** Not through the proxy of `wrangler dev`, which keeps a response back until the whole request has come. */
export function earlyRefusalSuite(service: () => DistributionService): void {
  test.each([
    ['POST', '/v3/devices/sync'],
    ['PUT', '/v3/versions'],
    ['POST', '/v3/devices'],
  ])(
    '%s %s refuses a request without credentials before its body has come',
    async (method, path) => {
      proves('slow-clients')
      const socket = await beginRequest(service(), method, path)
      expect(await readStatus(socket)).toBe(401)
      socket.destroy()
    },
  )
}

export function slowPeerSuite(service: () => DistributionService): void {
  test('devices synchronize while others send their bodies slowly, with assertions and without', async () => {
    proves('slow-clients')
    const token = await service().login()
    const version = await createVersion(service(), token)
    const [slow, quick] = [
      await createDevice(service(), version),
      await createDevice(service(), version),
    ]
    const sockets: Socket[] = []
    for (let n = 0; n < crowd; n += 1) {
      const headers =
        n % 2 === 0 ? '' : `authorization: Bearer ${await slow.createAssertion('{}')}\r\n`
      sockets.push(await beginRequest(service(), 'POST', '/v3/devices/sync', headers))
    }
    const more = Array.from({ length: crowd }, async () =>
      beginRequest(
        service(),
        'POST',
        '/v3/devices/sync',
        `authorization: Bearer ${await slow.createAssertion('{}')}\r\n`,
      ),
    )
    sockets.push(...(await Promise.all(more)))
    // While so many assertions are verified it is told to come back; the slow bodies have five seconds for their next part.
    await expect
      .poll(async () => (await quick.sync()).status, { timeout: heldMs, interval: 200 })
      .toBe(200)
    for (const socket of sockets) socket.destroy()
  })
}

/** Sends the head of a request and the first byte of its body, and waits until the service has them. */
async function beginRequest(
  { url }: DistributionService,
  method: string,
  path: string,
  headers = '',
): Promise<Socket> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${headers}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
  )
  return socket
}

async function readStatus(socket: Socket): Promise<number> {
  const [head] = await once(socket, 'data')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(head))?.[1])
}
