/** How OCSP responses are requested, and responses that are not what they should be. */

import process from 'node:process'
import type { RevocationCheckerOptions } from '@cardwire/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import { encode, sequence, tags } from '../../server/src/der.ts'
import type { Holder } from '../harness/authority.ts'
import { makeList, makeRequest, respond } from '../harness/revocation-authority.ts'
import {
  type CheckOptions,
  type Handler,
  makeChecker,
  type RevocationServer,
  startRevocationServer,
  summarize,
  valid,
} from '../harness/revocation-server.ts'

const tryLater = Buffer.from('30030a0103', 'hex')

let bed: RevocationServer
let user: Holder
let keptAnswer: Buffer
let neighboursAnswer: Buffer

const ocsp =
  (...args: Parameters<RevocationServer['ocsp']>): Handler =>
  (body, response) =>
    bed.ocsp(...args)(body, response)

beforeAll(async () => {
  bed = await startRevocationServer()
  const { ocspAt, makeUser, root } = bed
  const [one, neighbour] = await Promise.all([makeUser([ocspAt('/ocsp')]), makeUser([])])
  user = one
  const answer = async (holder: Holder) =>
    respond(await makeRequest(root, holder), { issuer: root, entries: [valid(holder)] })
  ;[keptAnswer, neighboursAnswer] = await Promise.all([answer(user), answer(neighbour)])
})

afterAll(() => bed.close())

test.each<[string, string, Handler, CheckOptions?]>([
  ['that says tryLater', 'unknown certificate: OCSP HOST: it says tryLater', async () => tryLater],
  [
    'that says successful and nothing else',
    'unknown certificate: OCSP HOST: it is not a basic response',
    async () => Buffer.from('30030a0100', 'hex'),
  ],
  [
    'of garbage',
    'unknown certificate: OCSP HOST: it cannot be read',
    async () => Buffer.alloc(2000, 0x30),
  ],
  [
    'that is empty',
    'unknown certificate: OCSP HOST: it cannot be read',
    async () => Buffer.alloc(0),
  ],
  [
    'with status 500',
    'unknown certificate: OCSP HOST: its status is 500',
    async () => Promise.reject(new Error('broken')),
  ],
  [
    'that leads elsewhere',
    'unknown certificate: OCSP HOST: its status is 307',
    async (_, response) => void response.writeHead(307, { location: '/moved' }).end(),
  ],
  [
    'of 65,537 bytes, which it announces',
    'unknown certificate: OCSP HOST: it is larger than 65536 bytes',
    async (_, response) => void response.writeHead(200, { 'content-length': 65_537 }).write('0'),
  ],
  [
    'of 131,072 bytes, which it does not announce',
    'unknown certificate: OCSP HOST: it is larger than 65536 bytes',
    async (_, response) => {
      response.write(Buffer.alloc(65_536, 0x30))
      response.end(Buffer.alloc(65_536, 0x30))
      return undefined
    },
  ],
  [
    'without an end',
    'unknown certificate: OCSP HOST: it is larger than 65536 bytes',
    async (_, response) => {
      const part = Buffer.alloc(16_384, 0x30)
      const send = () => void response.write(part, (error) => error || send())
      send()
      return undefined
    },
  ],
  [
    'that does not come',
    'unknown certificate: OCSP HOST: it took too long',
    async () => undefined,
    { timeoutMs: 4000 },
  ],
  [
    'that stops in the middle',
    'unknown certificate: OCSP HOST: it took too long',
    async (_, response) => void response.writeHead(200).write('0'),
    { timeoutMs: 4000 },
  ],
  [
    'of a connection that is cut',
    'unknown certificate: OCSP HOST: the connection failed',
    async (_, response) => void response.destroy(),
  ],
  [
    'at a private address that is not allowed',
    'unknown certificate: OCSP HOST: its URL is private or not of the web',
    ocsp(() => [valid(user)]),
    { allowPrivateAddresses: false },
  ],
])('a response %s: %s', async (_, expected, handler, options) => {
  proves('revocation-costly')
  expect(summarize(await bed.check([user, bed.root], { '/ocsp': handler }, options))).toBe(expected)
})
test('each request has another nonce of 32 bytes', async () => {
  const bodies: Buffer[] = []
  for (const _ of [1, 2])
    await bed.check([user, bed.root], {
      '/ocsp': async (body) => {
        bodies.push(body)
        return tryLater
      },
    })
  // OCTET STRING { OCTET STRING { 32 bytes } }
  const nonces = bodies.map((body) => /04220420(.{64})/.exec(body.toString('hex'))?.[1])
  expect(nonces).toEqual([expect.any(String), expect.any(String)])
  expect(nonces[0]).not.toBe(nonces[1])
})

test.each<[string, Partial<RevocationCheckerOptions>]>([
  ['a fetch that never settles', { fetch: () => new Promise(() => undefined) }],
  [
    'a body that never ends and ignores the signal',
    {
      fetch: async () =>
        new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
    },
  ],
])('%s ends with the time limit', async (_, options) => {
  const result = await bed.check([user, bed.root], {}, { timeoutMs: 1000, ...options })
  expect(summarize(result)).toMatch(/^unknown certificate: .*it took too long$/)
})

test('a responder that hangs leaves time for the list', async () => {
  proves('revocation-costly')
  const both = await bed.makeUser([bed.ocspAt('/ocsp'), bed.listAt('/list')])
  const list = await makeList({ issuer: bed.root, entries: [] })
  // As a fetch that does not know the signal.
  const fetch = (url: string): Promise<Response> =>
    url.endsWith('/ocsp')
      ? new Promise(() => undefined)
      : Promise.resolve(new Response(new Uint8Array(list)))
  const result = await bed.check([both, bed.root], {}, { timeoutMs: 3000, fetch })
  expect(summarize(result)).toBe('good crl')
})

/** SEQUENCE { successful, [0] { id-pkix-ocsp-basic, OCTET STRING { SEQUENCE { [0] { NULL… } } } } }. */
const makeNested = (nodes: number): Uint8Array =>
  sequence(
    Uint8Array.of(0x0a, 1, 0),
    encode(
      tags.first,
      sequence(
        Buffer.from('06092b0601050507300101', 'hex'),
        encode(tags.octets, sequence(encode(tags.first, Buffer.alloc(2 * nodes, Buffer.of(5, 0))))),
      ),
    ),
  )

test('answers that come along take little time, whatever they are', async () => {
  proves('revocation-costly')
  const checker = makeChecker({ fetch: () => Promise.reject(new Error('no network')) })
  for (const answer of [makeNested(30_000), makeNested(3_000_000)]) {
    const stapled = Array.from({ length: 20 }, () => answer)
    const usedMs = await measureProcessorMs(() =>
      checker.check([user.der, bed.root.der], new Date(), stapled),
    )
    expect(usedMs).toBeLessThan(700)
  }
})

test('a response in many small parts takes no more memory than its bytes', async () => {
  proves('revocation-costly')
  let [parts, most] = [0, 0]
  const before = process.memoryUsage().arrayBuffers
  const body = new ReadableStream({
    pull(controller) {
      // Like those of a socket: one byte of a large buffer.
      controller.enqueue(new Uint8Array(new ArrayBuffer(1_000_000), 0, 1))
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      parts += 1
      if (parts === 3000) controller.close()
    },
  })
  const fetch = async () => new Response(body)
  const result = await bed.check([user, bed.root], {}, { fetch })
  expect(summarize(result)).toBe('unknown certificate: OCSP HOST: it cannot be read')
  expect(most).toBeLessThan(1_000_000_000)
})

test('a fetch of the back end gets the request, and follows no redirect', async () => {
  const calls: [string, RequestInit][] = []
  const fetch = async (url: string, init: RequestInit) => {
    calls.push([url, init])
    return new Response(
      await respond(Buffer.from(init.body as ArrayBuffer), {
        issuer: bed.root,
        entries: [valid(user)],
      }),
    )
  }
  expect(summarize(await bed.check([user, bed.root], {}, { fetch }))).toBe('good ocsp')
  expect(calls).toEqual([
    [`${bed.base}/ocsp`, expect.objectContaining({ method: 'POST', redirect: 'manual' })],
  ])
})

test.each<[string, () => Buffer, string]>([
  ['a response', () => keptAnswer, 'good ocsp'],
  ['a basic response', () => basicOf(keptAnswer), 'good ocsp'],
  [
    'a response about another certificate',
    () => neighboursAnswer,
    'unknown certificate: enclosed: it is about another certificate; OCSP HOST: its status is 404',
  ],
  [
    'garbage',
    () => Buffer.from('hello'),
    'unknown certificate: enclosed: it cannot be read; OCSP HOST: its status is 404',
  ],
])('%s that came along is used before anything is requested', async (_, stapled, expected) => {
  const result = await bed.check([user, bed.root], {}, { stapled: [stapled()] })
  expect(summarize(result)).toBe(expected)
  expect(bed.requests).toEqual(expected.startsWith('good') ? [] : ['/ocsp'])
})

/** The BasicOCSPResponse in an OCSPResponse: the content of the OCTET STRING behind the type. */
function basicOf(response: Buffer): Buffer {
  const type = Buffer.from('06092b0601050507300101', 'hex')
  const at = response.indexOf(type) + type.length
  // An OCTET STRING with a length of two bytes.
  return response.subarray(at + 4)
}
