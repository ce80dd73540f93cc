/** The scripted card service, as programs that nobody here wrote see it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildScriptedCardService } from './build.ts'
import type { Call } from './driver-protocol.ts'
import type { ListedReader } from './native.ts'
import { type ScriptedCardService, startScriptedCardService } from './service.ts'

const client = fileURLToPath(new URL('./client.ts', import.meta.url))

let folder = ''
let library = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-scripted-'))
  library = await buildScriptedCardService('linux', folder)
})
afterAll(() => rm(folder, { recursive: true }))

let service: ScriptedCardService
beforeEach(async () => {
  service = await startScriptedCardService()
})
const started: ChildProcess[] = []
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await service.stop()
})

interface Running {
  readonly child: ChildProcess
  /** What it says, once that holds `text`. */
  readonly waitForOutput: (text: string) => Promise<string>
  readonly exit: Promise<string>
}

/** Starts a program that finds the scripted service for the system's own. */
function program(command: string, ...args: readonly string[]): Running {
  const child = spawn(command, args, {
    env: { ...process.env, ...service.env, LD_LIBRARY_PATH: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  const exit = new Promise<string>((resolve) => child.once('close', () => resolve(output)))
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += stripVTControlCharacters(part)
      for (const look of [...waiting]) look()
    })
  }
  const waitForOutput = (text: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (output.includes(text)) resolve(output)
      }
      waiting.add(look)
      look()
    })
  return { child, waitForOutput, exit }
}

interface ClientOutput {
  readonly readers?: readonly (ListedReader & { readonly features: string })[]
  readonly failed?: string
}

/** What a client of our own sees. */
const runClient = async (): Promise<ClientOutput> =>
  JSON.parse(await program(process.execPath, client, library).exit)

/** The wait of pcsc_scan that knows its reader; what comes before it is not seen as a change. */
const waitsForReaders = ({ name, fields: [, reader, pnp] }: Call) =>
  name === 'status-change' && pnp !== undefined && !reader?.endsWith(',0')

describe('pcsc_scan', () => {
  test('shows the readers, a card that is put in, and its leaving', async () => {
    service.plug({ name: 'Scripted Reader One 00 00' }, { name: 'Lecteur à puce 01 00' })
    const scan = program('pcsc_scan', '-n')
    await scan.waitForOutput('1: Lecteur à puce 01 00')

    service.insert('Scripted Reader One 00 00', '3B951381018073FF01000B')
    await scan.waitForOutput('3B 95 13 81 01 80 73 FF 01 00 0B')
    service.remove('Scripted Reader One 00 00')
    service.insert('Lecteur à puce 01 00', '3F00')

    expect(await scan.waitForOutput('ATR: 3F 00')).toContain('Card removed')
  })

  test('sees a reader come', async () => {
    service.plug({ name: 'First 00 00' })
    const scan = program('pcsc_scan', '-n')
    await service.waitForCall(waitsForReaders)

    service.plug({ name: 'Second 00 00' })

    expect(await scan.waitForOutput('1: Second 00 00')).toContain('First 00 00')
  })

  test('waits until it is cancelled, and ends', async () => {
    service.plug({ name: 'First 00 00' })
    const scan = program('pcsc_scan', '-n')
    const waiting = await service.waitForCall(({ name, fields }) => {
      return name === 'status-change' && fields[0] !== '0' && fields.length > 1
    })

    scan.child.kill('SIGINT')

    await service.waitForCall(({ name }) => name === 'cancel')
    await service.waitForEnd(waiting)
    await scan.exit
  })
})

describe('opensc-tool', () => {
  test('lists the readers, and which has a card and a key pad', async () => {
    service.plug(
      { name: 'Plain 00 00', features: [] },
      { name: 'Key Pad 01 00', features: [0x06], atr: '3B00' },
    )

    const lines = (await program('opensc-tool', '--list-readers').exit).split('\n')

    expect(lines.map((line) => line.replaceAll(/ +/g, ' ').trim())).toEqual(
      expect.arrayContaining(['0 No Plain 00 00', '1 Yes PIN pad Key Pad 01 00']),
    )
  })

  test('reads the ATR and sends commands', async () => {
    const commands: string[] = []
    const apdu = (command: string) => {
      commands.push(command)
      return '0102039000'
    }
    service.plug({ name: 'Reader 00 00', atr: '3B00', apdu })

    const atr = await program('opensc-tool', '--atr').exit
    const args = ['-c', 'default', '--send-apdu', '00B0000003']
    const sent = await program('opensc-tool', ...args).exit

    expect(atr).toContain('3b:00')
    expect(sent).toContain('01 02 03')
    expect(commands).toContain('00B0000003')
  })
})

describe('a client through bun:ffi', () => {
  test('sees sixteen readers, names of 127 bytes, ATRs from 0 to 33 bytes', async () => {
    // 127 bytes and the NUL behind them are what pcsc-lite has room for.
    const long = `${'é'.repeat(60)} 07 00`.padEnd(67, '#')
    const readers = Array.from({ length: 16 }, (_, at) => ({
      name: at === 7 ? long : `Reader ${at} 智能卡 Zoë`,
      atr: at === 15 ? 'AB'.repeat(33) : '3B'.repeat(at),
    }))
    service.plug(...readers)

    const { readers: all = [] } = await runClient()

    expect(Buffer.byteLength(long)).toBe(127)
    expect(all.map(({ name, atr }) => ({ name, atr }))).toEqual(readers)
  })

  test('gets the features of a reader with a key pad, and an error from one without the query', async () => {
    service.plug({ name: 'Pad', features: [0x06, 0x07] }, { name: 'Plain' })

    const { readers: all = [] } = await runClient()

    expect(all.map(({ features }) => features)).toEqual([
      '060442330006070442330007',
      'Error: SCardControl 8010001f',
    ])
  })

  test('gets any code a test wants, of all that there are', async () => {
    // SCARD_F_*, SCARD_E_* and SCARD_P_*, then SCARD_W_*.
    const codes = [...range(0x80100001, 0x80100031), ...range(0x80100065, 0x80100072)]
    const coming = codes.values()
    service.script('control', async () => ({ code: coming.next().value ?? 0 }))
    service.plug(...range(1, 16).map((at) => ({ name: `Reader ${at}` })))

    const features: string[] = []
    while (features.length < codes.length) {
      const { readers: all = [] } = await runClient()
      features.push(...all.map((one) => one.features))
    }

    const expected = codes.map((code) => `Error: SCardControl ${code.toString(16)}`)
    expect(features.slice(0, codes.length)).toEqual(expected)
  })

  test('is refused more readers at once than pcsc-lite watches', async () => {
    service.plug(...range(1, 17).map((at) => ({ name: `Reader ${at}` })))

    expect(await runClient()).toEqual({ failed: 'SCardGetStatusChange 80100004' })
  })

  test.each([
    ['establish', 'SCardEstablishContext'],
    ['list-readers', 'SCardListReaders'],
    ['status-change', 'SCardGetStatusChange'],
  ] as const)('gets the code of %s', async (name, functionName) => {
    service.plug({ name: 'Reader' })
    service.script(name, { code: 0x8010006a })

    expect(await runClient()).toEqual({ failed: `${functionName} 8010006a` })
  })

  test('waits for an answer that is late, and forgets nothing of it', async () => {
    service.plug({ name: 'Reader', atr: '3B00' })
    const { promise, resolve } = Promise.withResolvers<void>()
    service.script('list-readers', async (_, usual) => {
      await promise
      return usual()
    })
    const clientOutput = runClient()
    await service.waitForCall(({ name }) => name === 'list-readers')

    service.plug({ name: 'Late' })
    resolve()

    expect((await clientOutput).readers?.map(({ name }) => name)).toEqual(['Reader', 'Late'])
  })

  test('hangs in a call that is never answered, until it is killed', async () => {
    service.script('list-readers', 'never')
    const { child, exit } = program(process.execPath, client, library)
    const call = await service.waitForCall(({ name }) => name === 'list-readers')

    child.kill('SIGKILL')
    await service.waitForEnd(call)

    expect([call.pid, await exit]).toEqual([child.pid, ''])
  })

  test('finds no service while it is stopped, and the readers when it is back', async () => {
    service.plug({ name: 'Reader' })
    await service.stop()
    const without = await runClient()
    await service.start()

    expect(without).toEqual({ failed: 'SCardEstablishContext 8010001d' })
    expect((await runClient()).readers).toHaveLength(1)
  })

  test('gets an error in the middle of a call when the service stops', async () => {
    service.script('list-readers', 'never')
    const clientOutput = runClient()
    await service.waitForCall(({ name }) => name === 'list-readers')

    await service.stop()

    expect(await clientOutput).toEqual({ failed: 'SCardListReaders 8010001e' })
  })
})

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
