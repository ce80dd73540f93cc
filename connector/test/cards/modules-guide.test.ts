/** The guide to modules: its example is a module that works, and what it says of files and lengths is so. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import type { CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'
import { makeKeys, traceCard } from './emulated-card.ts'
import { createExampleCard } from './example-card.ts'
import { example } from './example-module.ts'
import { createRandom, distort } from './hostile-card.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string) => readFileSync(root + file, 'utf8')
const guide = read('docs/modules.md')
const message = Buffer.from('a message that is signed')
const pin = '1234'

let key: NonNullable<Awaited<ReturnType<typeof makeKeys>>['keys']['9C']>
beforeAll(async () => {
  const { '9C': made } = (await makeKeys({ '9C': 'P-256' })).keys
  if (!made) throw new Error('Expected a key')
  key = made
})

function open(protocol: 'T=0' | 'T=1', respond = (honest: Uint8Array) => honest) {
  const card = traceCard(createExampleCard({ ...key, pin, protocol }))
  const transmit = (apdu: Uint8Array) => respond(card.respond(apdu))
  const session = createCardSession({ protocol, transmit, isOver: () => false })
  const run = (operation: CardOperation, entered = pin): CardResult =>
    runOperation(session, operation, {
      pin: Buffer.from(entered),
      onPin: () => undefined,
      findPad: () => undefined,
      modules: [example],
    })
  return { trace: card.trace, run }
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const createSigning = (): CardOperation => ({
  kind: 'sign',
  module: 'example',
  key: 'signature',
  certificate: toBase64(key.certificate),
  hash: 'sha256',
  digests: [toBase64(createHash('sha256').update(message).digest())],
})

test('the example of the guide is the module that these tests run', () => {
  proves('card-modules-small')
  const [, code = ''] = /```ts\n([^`]*export const example[^`]*)```/.exec(guide) ?? []
  const module = read('connector/test/cards/example-module.ts')
  expect(code).toBe(module.replaceAll('../../src/sandbox/card-modules/', './'))
})

describe.each(['T=0', 'T=1'] as const)('the module of the guide over %s', (protocol) => {
  test('reads the certificate and signs, the PIN directly before the signature', () => {
    proves('card-modules-small')
    const { run, trace } = open(protocol)
    expect(run({ kind: 'certificates', module: 'example' })).toMatchObject({
      certificates: [{ key: 'signature', certificate: toBase64(key.certificate) }],
    })
    const result = run(createSigning())
    const [signature = ''] = result.kind === 'sign' ? result.signatures : []
    const { publicKey } = new X509Certificate(key.certificate)
    const check = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', message, check, Buffer.from(signature, 'base64'))).toBe(true)
    const at = trace.findIndex((entry) => entry.startsWith('0020'))
    expect([trace[at - 1], trace[at], trace[at + 1]]).toEqual([
      '002241B603840101',
      '0020000108 (8 bytes)',
      expect.stringMatching(/^002A9E9A20/),
    ])
  })

  test('says how many tries a wrong PIN leaves, and sends none of another form', () => {
    const { run, trace } = open(protocol)
    expect(() => run(createSigning(), '9999')).toThrow('2 tries left')
    const before = trace.length
    expect(() => run(createSigning(), '12a4')).toThrow(CardError)
    expect(trace.slice(before).filter((entry) => entry.startsWith('0020'))).toEqual([])
  })

  test('ends in a result or a problem, whatever the card answers', () => {
    proves('card-modules-small')
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = createRandom(seed)
      const { run } = open(protocol, (honest) =>
        random.integer(4) === 0 ? distort(random, honest) : honest,
      )
      try {
        run(createSigning())
      } catch (error) {
        if (!(error instanceof CardError)) throw error
      }
    }
  })
})

test('every file that the guide names is there', () => {
  const named = [...guide.matchAll(/`((?:connector|client|docs|\.ci)\/[\w./-]+)`/g)]
  const paths = named.flatMap(([, path]) => path ?? [])
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(root + path))).toEqual([])
})

test.each(['piv', 'beid', 'openpgp'])('the module %s has fewer than 150 lines', (id) => {
  proves('card-modules-small')
  expect(read(`connector/src/sandbox/card-modules/${id}.ts`).split('\n').length).toBeLessThan(150)
})
