/** The emulated payment card, read by independent programs: Cardpeek, which knows EMV, and OpenSC and pcsc-tools, which send bytes. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import type { CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'
import { openPadReader, type PadReader } from '../pad-reader/pad-reader.ts'
import { traceCard } from './emulated-card.ts'
import { createEmvCard, type EmvCardOptions, visa } from './emv-card.ts'

const exec = promisify(execFile)
const module = 'emv'

let pcscd: { close(): Promise<void> }
// Cardpeek sends hundreds of commands, each of which takes 40 ms with the readers of vpcd.
let reader: PadReader
beforeAll(async () => {
  reader = await openPadReader()
  pcscd = await reader.start()
})
afterAll(async () => {
  await pcscd?.close()
  await reader?.stop()
})

/** Runs a program with these lines as its input. */
async function run(
  program: string,
  args: readonly string[],
  input = '',
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { timeout: 60_000, env: { ...process.env, ...more } }
  const running = exec(program, args, options)
  running.child.stdin?.end(input)
  return (await running).stdout
}

async function insert(options: EmvCardOptions): Promise<readonly string[]> {
  const card = traceCard(createEmvCard(options))
  const inserted = await reader.insert(card)
  onTestFinished(async () => {
    await inserted.remove()
    await waitFor(async () => !(await hasCard()))
  })
  await waitFor(hasCard)
  card.trace.length = 0
  return card.trace
}
const hasCard = () =>
  run('opensc-tool', ['--atr']).then(
    () => true,
    () => false,
  )

/** What the module reads of such a card, and each command with its answer, hex. */
function readWithModule(options: EmvCardOptions, operation: CardOperation) {
  const card = createEmvCard(options)
  const exchanges: { readonly command: string; readonly answer: string }[] = []
  const transmit = (apdu: Uint8Array) => {
    const answer = card.respond(apdu)
    exchanges.push({ command: toHex(apdu), answer: toHex(answer) })
    return answer
  }
  const session = createCardSession({
    ...{ protocol: options.protocol, transmit, isOver: () => false },
  })
  const none = { pin: new Uint8Array(), onPin: () => undefined, findPad: () => undefined }
  return { result: runOperation(session, operation, none), exchanges }
}
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase()

/** The script of Cardpeek for payment cards, without its windows: what it would ask is answered with yes. */
const script = [
  'ui.question = function() return 1 end',
  'package.path = "/usr/share/cardpeek/?.lua;" .. package.path',
  'require("lib.apdu")',
  'card.CLA = 0',
  'dofile("/usr/share/cardpeek/emv.lua")',
  'print(nodes.to_xml(nodes.root()))',
  'os.exit(0)',
].join('; ')

/** Values by tag, in the order in which Cardpeek has read them. */
async function readWithCardpeek(): Promise<ReadonlyMap<string, readonly string[]>> {
  const home = await mkdtemp(join(tmpdir(), 'cardwire-cardpeek-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const args = ['--console', '--reader', `pcsc://${reader.name}`, '--exec', script]
  // At its first start it asks whether it may make its folder, and to confirm that it has.
  const xml = await run('cardpeek', args, '1\n1\n', { HOME: home })
  const item =
    /<attr name="id">(\w+)<\/attr>\s*<attr name="size">\d+<\/attr>\s*<attr name="val" encoding="bytes">8:(\w+)</g
  const found = new Map<string, string[]>()
  for (const [, tag = '', value = ''] of xml.matchAll(item)) {
    found.set(tag, [...(found.get(tag) ?? []), value])
  }
  return found
}

const fromBase64 = (text = '') => toHex(Buffer.from(text, 'base64'))
const ofKind = <K extends CardResult['kind']>(result: CardResult, kind: K) => {
  if (result.kind === kind) return result as Extract<CardResult, { kind: K }>
  throw new Error(`Expected ${kind}, got ${result.kind}`)
}

describe.each([
  ['T=0', 1],
  ['T=1', 2],
] as const)('a payment card over %s with answers of format %s', (protocol, format) => {
  const options = { protocol, directory: 'contact', format } as const

  test('Cardpeek reads the applications, the data and the keys that the module reads', async () => {
    proves('emulated-payment-card')
    await insert(options)
    const found = await readWithCardpeek()
    const read = (operation: CardOperation) => readWithModule(options, operation).result
    const list = ofKind(read({ kind: 'payment-applications', module }), 'payment-applications')
    expect(new Set(found.get('4F'))).toEqual(new Set(list.applications.map(({ aid }) => aid)))
    const { data } = ofKind(read({ kind: 'payment-data', module, wholePan: true }), 'payment-data')
    expect(found.get('5A')).toContain(data.pan)
    expect(found.get('5F24')).toContain(data.expirationDate)
    expect(found.get('5F25')).toContain(data.effectiveDate)
    expect(found.get('5F20')).toContain(toHex(Buffer.from(data.name.padEnd(26))))
    expect(found.get('5F28')).toContain(data.countryCode.padStart(4, '0'))
    const operation = { kind: 'payment-keys', module, aid: visa, keys: ['issuer', 'icc'] } as const
    const [issuer, icc] = ofKind(read(operation), 'payment-keys').keys
    expect(found.get('90')).toContain(fromBase64(issuer?.certificate))
    expect(found.get('9F32')).toContain(fromBase64(issuer?.exponent))
    expect(found.get('92')).toContain(fromBase64(issuer?.remainder))
    expect(found.get('9F46')).toContain(fromBase64(icc?.certificate))
    // And what the module asks for before a PIN.
    expect(found.get('8E')).toContain('0000000000000000410342031E031F03')
    expect(found.get('9F17')).toContain('03')
  })
})

test('opensc-tool and scriptor get what the module gets for each of its commands, byte for byte', async () => {
  proves('emulated-payment-card')
  const options = { protocol: 'T=1', directory: 'contactless' } as const
  const { exchanges } = readWithModule(options, { kind: 'payment-data', module, wholePan: true })
  const commands = exchanges.map(({ command }) => command)
  const answers = exchanges.map(({ answer }) => answer)
  await insert(options)
  const sent = commands.flatMap((command) => ['--send-apdu', command])
  expect(readDump(await run('opensc-tool', sent))).toEqual(answers)
  const lines = commands.map((command) => command.replace(/..(?!$)/g, '$& '))
  const shown = await run('scriptor', ['-r', reader.name], ['reset', ...lines, ''].join('\n'))
  expect(readScript(shown)).toEqual(answers)
})

/** Answers that opensc-tool prints: a status, then lines of hex and text. */
const readDump = (text: string): string[] =>
  text
    .split('Received (')
    .slice(1)
    .map((part) => {
      const [, high = '', low = ''] = /^SW1=0x(..), SW2=0x(..)/.exec(part) ?? []
      const bytes = [...part.matchAll(/^((?:[0-9A-F]{2} )+)/gm)].map(([line]) => line)
      return (bytes.join('') + high + low).replaceAll(' ', '')
    })

/** Answers that scriptor prints: lines of hex, with what they mean behind a colon; the first is to the reset. */
const readScript = (text: string): string[] =>
  text
    .split('< ')
    .slice(2)
    .map((part) => (part.split(':')[0] ?? '').replace(/\s/g, ''))
