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

  const late: readonly [what: string, bytes: string, answer: RegExp][] = [
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
  ]
  // They wait at the same time, from the first test on: the limits are those of the real server.
  const answers = new Map<string, Promise<string>>()

  test.each(late)(
    'closes a connection on which comes %s',
    async (what, _, expected) => {
      proves('slow-clients')
      if (answers.size === 0) for (const [name, bytes] of late) answers.set(name, text(open(bytes)))
      expect(await answers.get(what)).toMatch(expected)
    },
    timeoutMs,
  )

  test('answers what is no HTTP with a problem', async () => {
    const answer = await text(open('HELLO\r\n\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('body-malformed')
  })
})
