/** Readers and cards on a real pcscd with virtual readers, compared with the output of pcsc_scan, opensc-tool and vicc. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cardPorts, type Pcscd, readerNames, startPcscd } from '../../../test/bed/pcscd.ts'
import { proves } from '../../../test/bed/proves.ts'
import { insertCard, type VirtualCard } from '../../../test/bed/virtual-card.ts'
import { ignorePcscErrors } from '../../src/sandbox/pcsc/codes.ts'
import { openPcsc } from '../../src/sandbox/pcsc/pcsc.ts'
import type { Readers, Snapshot } from '../../src/sandbox/readers/readers.ts'
import { superviseReaders } from '../../src/sandbox/readers/sandbox-supervisor.ts'
import { waitForReaders } from '../../src/sandbox/readers/wait-for.ts'
import { sixteenReaders } from './sixteen-readers.ts'
import { startVicc } from './vicc.ts'

const sandbox = [
  process.execPath,
  fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url)),
]
const atrs = {
  first: '3B951381018073FF01000B',
  shortest: '3B00',
  // 33 bytes: every interface byte there can be, 15 historical ones, a check byte (ISO/IEC 7816-3 §8.2).
  longest: '3BFF110000F110000AF1FE450071FE45004142434445464748494A4B4C4D4E4FC5',
}

let pcscd: Pcscd
beforeAll(async () => {
  pcscd = await startPcscd()
})
afterAll(() => pcscd?.close())

const cards: Pick<VirtualCard, 'remove'>[] = []
const supervisors: Readers[] = []
const logged: { level: 'warn' | 'error'; event: string; fields: object }[] = []
let nextEntry = Promise.withResolvers<void>()
afterEach(async () => {
  await Promise.all(cards.splice(0).map((card) => card.remove()))
  // pcscd polls its readers every 400 ms; the next test begins with empty ones.
  for (const readers of supervisors.splice(0)) {
    if (readers.snapshot().pcsc.kind === 'up') await waitForReaders(readers, hasNoCards, timeoutMs)
    await readers.stop()
  }
  logged.length = 0
})

/** Resolves once so many entries have been logged. */
async function waitForLogEntries(count: number): Promise<void> {
  while (logged.length < count) await nextEntry.promise
}

/** Inserts a card that is removed when its test ends. */
async function insertTestCard(...card: Parameters<typeof insertCard>): Promise<VirtualCard> {
  const there = await insertCard(...card)
  cards.push(there)
  return there
}

const record =
  (level: 'warn' | 'error') =>
  (event: string, fields: object = {}) => {
    logged.push({ level, event, fields })
    nextEntry.resolve()
    nextEntry = Promise.withResolvers()
  }

/** Starts supervised readers, and waits for their first snapshot. */
async function superviseTestReaders(
  options: Partial<Parameters<typeof superviseReaders>[0]> = {},
): Promise<Readers> {
  const readers = superviseReaders({
    command: sandbox,
    log: { warn: record('warn'), error: record('error') },
    ...options,
  })
  supervisors.push(readers)
  await readers.ready(10_000)
  return readers
}

const hasCard = (atr: string) => (snapshot: Snapshot) =>
  snapshot.readers.find(({ card }) => card?.atr === atr)
const hasNoCards = (snapshot: Snapshot) =>
  snapshot.readers.length > 0 && snapshot.readers.every(({ card }) => !card) ? true : undefined
/** Longer than any wait without a limit of its own takes. */
const timeoutMs = 10_000

async function readOutput(...command: readonly string[]): Promise<string> {
  const process = Bun.spawn([...command], { stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' })
  return new Response(process.stdout).text()
}

describe('the listing', () => {
  test('names the readers that opensc-tool and pcsc_scan print, in their order', async () => {
    const readers = await superviseTestReaders()
    const names = readers.snapshot().readers.map(({ name }) => name)
    expect(names).toEqual(readerNames)
    expect(readers.snapshot().pcsc).toEqual({ kind: 'up' })

    const opensc = (await readOutput('opensc-tool', '-l')).matchAll(/^\d+ +(?:Yes|No) +(.*)$/gm)
    expect([...opensc].map(([, name]) => name)).toEqual(names)
    const scan = (await readOutput('pcsc_scan', '-r')).matchAll(/^\d+: (.*)$/gm)
    expect([...scan].map(([, name]) => name)).toEqual(names)
  })

  test('has ids of 16 hex digits that another sandbox gives too', async () => {
    proves('reader-fields')
    const [one, other] = await Promise.all([superviseTestReaders(), superviseTestReaders()])
    const ids = one.snapshot().readers.map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect(other.snapshot().readers.map(({ id }) => id)).toEqual(ids)
  })
})

describe('a card', () => {
  test('is listed when it is inserted and unlisted when it is removed, each as one change', async () => {
    const readers = await superviseTestReaders()
    const before = readers.snapshot().sequence
    const card = await insertTestCard(cardPorts[0], { atr: atrs.first })
    const reader = await waitForReaders(readers, hasCard(atrs.first), timeoutMs)
    expect(reader?.name).toBe(readerNames[0])
    expect(readers.snapshot().sequence).toBe(before + 1)
    await card.remove()
    expect(await waitForReaders(readers, hasNoCards, timeoutMs)).toBe(true)
    expect(readers.snapshot().sequence).toBe(before + 2)
  })

  test.each(Object.entries(atrs))('has the ATR that pcsc_scan prints: %s', async (_, atr) => {
    const readers = await superviseTestReaders()
    await insertTestCard(cardPorts[1], { atr })
    const reader = await waitForReaders(readers, hasCard(atr), timeoutMs)
    expect(reader?.name).toBe(readerNames[1])
    const expected = (await readOutput('pcsc_scan', '-c')).match(/ATR: ([\dA-F ]+)/)?.[1]
    expect(expected?.replaceAll(' ', '')).toBe(atr)
  })

  test('is seen beside another in the other reader', async () => {
    const readers = await superviseTestReaders()
    await Promise.all([
      insertTestCard(cardPorts[0], { atr: atrs.first }),
      insertTestCard(cardPorts[1], { atr: atrs.shortest }),
    ])
    const both = await waitForReaders(
      readers,
      ({ readers: all }) => (all.every(({ card }) => card) ? all : undefined),
      timeoutMs,
    )
    expect(both?.map(({ card }) => card?.atr)).toEqual([atrs.first, atrs.shortest])
  })

  test('of vicc is seen with the ATR of vicc', async () => {
    const readers = await superviseTestReaders()
    const vicc = await startVicc(cardPorts[0])
    cards.push({ remove: vicc.stop })
    const reader = await waitForReaders(readers, hasCard('3B951381018073FF01000B'), timeoutMs)
    expect(reader?.name).toBe(readerNames[0])
    const expected = await readOutput('opensc-tool', '-r', '0', '-a')
    expect(expected.trim()).toBe('3b:95:13:81:01:80:73:ff:01:00:0b')
    await vicc.stop()
    expect(await waitForReaders(readers, hasNoCards, timeoutMs)).toBe(true)
  })
})

describe('the port', () => {
  test('connects, sends a command in a transaction, and reads the status', async () => {
    const readers = await superviseTestReaders()
    const command = Uint8Array.of(0x00, 0xa4, 0x04, 0x00, 0x02, 0x3f, 0x00)
    const received: Uint8Array[] = []
    await insertTestCard(cardPorts[0], {
      atr: atrs.first,
      respond: (bytes) => {
        received.push(Uint8Array.from(bytes))
        return Uint8Array.of(0x6f, 0x00, 0x90, 0x00)
      },
    })
    await waitForReaders(readers, hasCard(atrs.first), timeoutMs)
    // In a process of its own: the calls block, and this one has to answer as the card.
    const script = fileURLToPath(new URL('./transmit.ts', import.meta.url))
    const answer: unknown = JSON.parse(
      await readOutput(process.execPath, script, readerNames[0], command.toHex()),
    )
    expect(answer).toEqual({
      answer: '6f009000',
      status: { reader: readerNames[0], protocol: 2, atr: atrs.first },
      refused: 'SCARD_E_UNKNOWN_READER',
      valid: false,
    })
    expect(received.map((bytes) => bytes.toHex())).toContain(command.toHex())
  })

  test('cancels a wait in another thread', async () => {
    const pcsc = openPcsc(undefined)
    const waiter = new Worker(new URL('./waiter.ts', import.meta.url).href)
    waiter.postMessage('start')
    const messages: unknown[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    waiter.addEventListener('message', ({ data }) => {
      messages.push(data)
      if (typeof data === 'bigint') {
        // The wait begins after this message; a cancel that is too early is lost, so it is repeated until it takes effect.
        // One that is too late fails, because the context is closed.
        const again = setInterval(() => ignorePcscErrors(() => pcsc.cancel(data)), 5)
        waiter.addEventListener('message', () => clearInterval(again))
      } else resolve()
    })
    await promise
    expect(messages[1]).toBe('SCARD_E_CANCELLED')
    waiter.terminate()
  })
})

describe('the sandbox', () => {
  // How soon is for test/sandbox/faults.test.ts, which runs with priority.
  test('that is killed is replaced, and the listing is right', async () => {
    proves('sandbox-managed-by-api')
    const readers = await superviseTestReaders()
    const first = readers.sandboxPid()
    process.kill(first, 'SIGKILL')
    await insertTestCard(cardPorts[0], { atr: atrs.first })
    expect(await waitForReaders(readers, hasCard(atrs.first), timeoutMs)).toBeTruthy()
    expect(readers.sandboxPid()).not.toBe(first)
  })

  test('that is killed does not make readers vanish from the listing meanwhile', async () => {
    proves('driver-crashes')
    const readers = await superviseTestReaders()
    const snapshots: Snapshot[] = []
    readers.subscribe((snapshot) => snapshots.push(snapshot))
    process.kill(readers.sandboxPid(), 'SIGKILL')
    await waitForLogEntries(1)
    await readers.ready(20_000)
    expect(snapshots).toEqual([])
    expect(readers.snapshot().readers).toHaveLength(2)
  })

  test('that is killed again and again comes back each time', async () => {
    const readers = await superviseTestReaders()
    for (let round = 1; round <= 3; round += 1) {
      process.kill(readers.sandboxPid(), 'SIGKILL')
      await waitForLogEntries(round)
      await readers.ready(20_000)
      expect(readers.snapshot().readers).toHaveLength(2)
    }
  })

  test('that hangs is killed and replaced', async () => {
    const readers = await superviseTestReaders({ timeouts: { heartbeatMs: 50, pongMs: 300 } })
    const first = readers.sandboxPid()
    process.kill(first, 'SIGSTOP')
    // While somebody is subscribed, the supervisor sends heartbeats.
    const unsubscribe = readers.subscribe(() => {})
    await waitForLogEntries(1)
    unsubscribe()
    await readers.ready(20_000)
    expect(logged).toContainEqual({
      level: 'warn',
      event: 'sandbox ended',
      fields: { pid: first, end: 'no-reply', livedMs: expect.any(Number) },
    })
    expect(readers.sandboxPid()).not.toBe(first)
    expect(readers.snapshot().readers).toHaveLength(2)
  })

  test('that a reader hangs is replaced, and all readers are listed', async () => {
    proves('driver-hangs')
    // A card that accepts the connection and never responds: the driver waits for it, and so does each query of the reader.
    await (await insertTestCard(cardPorts[0], { atr: '' })).atrRequested
    const readers = await superviseTestReaders({ timeouts: { replyMs: 1000 } })
    expect(readers.snapshot().readers.map(({ name }) => name)).toEqual(readerNames)
    await waitForLogEntries(1)
    expect(logged[0]).toMatchObject({ event: 'sandbox ended', fields: { end: 'query-timeout' } })
    await readers.ready(20_000)
    expect(readers.snapshot().readers).toMatchObject([{ pinpad: false }, { pinpad: false }])
    // The query that hung is postponed: the next sandbox stays.
    await waitWithoutQuery(2000)
    expect(logged).toHaveLength(1)
  })

  test('that sends an invalid message is killed, and the state is SANDBOX_ENDED', async () => {
    proves('sandbox-messages-invalid')
    const readers = await superviseTestReaders({ command: ['sh', '-c', 'echo nonsense; cat'] })
    expect(readers.snapshot()).toMatchObject({
      pcsc: { kind: 'down', code: 'SANDBOX_ENDED' },
      readers: [],
    })
    expect(logged[0]).toMatchObject({ event: 'sandbox ended', fields: { end: 'invalid-message' } })
  })

  test('that cannot be spawned is an error in the log, once, and has pid 0', async () => {
    proves('sandbox-spawn-failure')
    const readers = await superviseTestReaders({ command: ['/nowhere/cardwire', 'sandbox'] })
    expect(readers.sandboxPid()).toBe(0)
    expect(readers.snapshot()).toMatchObject({
      pcsc: { kind: 'down', code: 'SANDBOX_NOT_SPAWNED' },
      readers: [],
    })
    expect(logged).toMatchObject([
      { level: 'error', event: 'sandbox not spawned', fields: { pid: 0 } },
    ])
  })

  test('without a PC/SC library reports it and stays', async () => {
    const readers = await superviseTestReaders({
      env: { ...process.env, CARDWIRE_PCSC_LIBRARY: '/nowhere/libpcsclite.so.1' },
    })
    expect(readers.snapshot().pcsc).toMatchObject({ kind: 'down', code: 'LIBRARY_MISSING' })
    expect(readers.sandboxPid()).toBeGreaterThan(0)
  })

  test('ends when its parent is gone, in the middle of a wait', async () => {
    proves('sandbox-orphaned')
    const child = Bun.spawn(sandbox, { stdin: 'pipe', stdout: 'pipe' })
    const reader = child.stdout.getReader()
    await reader.read()
    await child.stdin.end()
    expect(await child.exited).toBe(0)
  })

  test('does not keep the processor busy while nothing happens', async () => {
    const readers = await superviseTestReaders()
    const pid = readers.sandboxPid()
    const before = await readTicks(pid)
    await waitWithoutQuery(10_000)
    // A loop would take a thousand; how few there are is for the benchmark to print.
    expect((await readTicks(pid)) - before).toBeLessThan(50)
  })
})

describe('sixteen readers with the longest names', () => {
  test('are listed, with a card in the last one', async () => {
    const many = await sixteenReaders()
    cards.push(many)
    await pcscd.stop()
    await pcscd.start('--config', many.config)
    onTestFinished(async () => {
      await pcscd.stop()
      await pcscd.start()
    })
    const readers = await superviseTestReaders()
    expect(readers.snapshot().readers.map(({ name }) => name)).toEqual(many.names)
    expect(new Set(readers.snapshot().readers.map(({ id }) => id)).size).toBe(16)
    const card = await insertTestCard(many.lastPort, { atr: atrs.first })
    const reader = await waitForReaders(readers, hasCard(atrs.first), timeoutMs)
    expect(reader?.name).toBe(many.names[15])
    await card.remove()
    expect(await waitForReaders(readers, hasNoCards, timeoutMs)).toBe(true)
  })
})

describe('pcscd', () => {
  test('that stops and comes back is seen, within two seconds of its return', async () => {
    const readers = await superviseTestReaders()
    await pcscd.stop('SIGKILL')
    const down = await waitForReaders(
      readers,
      ({ pcsc }) => (pcsc.kind === 'down' ? pcsc.code : undefined),
      timeoutMs,
    )
    expect(down).toMatch(/^SCARD_/)
    expect(readers.snapshot().readers).toEqual([])
    await pcscd.start()
    const from = performance.now()
    expect(await waitForReaders(readers, hasNoCards, timeoutMs)).toBe(true)
    expect(performance.now() - from).toBeLessThan(2000)
    expect(logged).toEqual([])
  })

  test('that is not there at the start is waited for without a busy loop', async () => {
    await pcscd.stop()
    const readers = await superviseTestReaders()
    expect(readers.snapshot().pcsc).toMatchObject({ kind: 'down', code: 'SCARD_E_NO_SERVICE' })
    await waitWithoutQuery(2000)
    const before = await readTicks(readers.sandboxPid())
    await waitWithoutQuery(3000)
    expect((await readTicks(readers.sandboxPid())) - before).toBeLessThanOrEqual(2)
    await pcscd.start()
    expect(await waitForReaders(readers, hasNoCards, 2000)).toBe(true)
  })
})

/** Ticks (10 ms) of processor time that a process has used, all threads together (proc_pid_stat(5)). */
async function readTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Waits without a query of the readers, because a query would start a heartbeat. */
const waitWithoutQuery = (ms: number) =>
  waitForReaders({ snapshot: () => emptySnapshot, subscribe: () => () => {} }, () => undefined, ms)
const emptySnapshot: Snapshot = { sequence: 0, pcsc: { kind: 'up' }, readers: [] }
