/** Connections to the service on Node and Deno: how long one may be silent, and what is no HTTP. */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { proves } from '../../test/bed/proves.ts'
import { runtimes } from '../../test/bed/service-runtimes.ts'

/** The 10 s of a header, and 5 s until the server looks for late ones; the rest is for a loaded machine. */
const timeoutMs = 30_000

describe.each(['Node', 'Deno'] as const)('service on %s', (name) => {
  let service: DistributionService
  beforeAll(async () => {
    service = await startDistributionService(runtimes[name])
  })
  afterAll(() => service?.stop())

  const open = (bytes: string): Socket => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(bytes)
    return socket
  }

  // Their time is that of waiting, all at once: the limits are those of the real server.
  test.concurrent.each([
    ['nothing', '', /^HTTP\/1\.1 408 /],
    ['half a header', 'GET /health HTTP/1.1\r\nhost: a\r\n', /^HTTP\/1\.1 408 /],
    [
      'no body for a request that is refused',
      'POST /v3/devices/sync HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n',
      /^HTTP\/1\.1 401 /,
    ],
    [
      'no body for a request that has none',
      'GET /health HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n',
      /^HTTP\/1\.1 200 /,
    ],
    ['nothing after a response', 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n', /^HTTP\/1\.1 200 /],
  ])('closes a connection on which comes %s', { timeout: timeoutMs }, async (_, bytes, answer) => {
    proves('slow-clients')
    expect(await text(open(bytes))).toMatch(answer)
  })

  test('answers what is no HTTP with a problem', async () => {
    const answer = await text(open('HELLO\r\n\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('body-malformed')
  })
})
