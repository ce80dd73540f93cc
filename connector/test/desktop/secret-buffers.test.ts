/** Buffers that a secret passes on its way from a window: each is overwritten, but for the one that the caller gets. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readDialog } from '../../src/system/desktop/assuan.ts'
import { joinBytes } from '../../src/system/desktop/join-bytes.ts'
import { createLinuxSecretEntry } from '../../src/system/desktop/linux-secret-entry.ts'
import { createMacosSecretEntry } from '../../src/system/desktop/macos.ts'
import { createPrograms, type Outcome, type Programs } from '../../src/system/desktop/programs.ts'
import { takeLine } from '../../src/system/desktop/secret-entry.ts'
import { createHelper } from '../../src/system/desktop/windows-helper.ts'
import { readSlowly } from './reading-clock.ts'

vi.mock(import('../../src/system/desktop/join-bytes.ts'), { spy: true })

const secret = '90817263'

/** The bytes that are joined from now on, and what they are joined to. */
function watchBuffers(): () => readonly Uint8Array[] {
  const concat = vi.spyOn(Buffer, 'concat')
  onTestFinished(() => void concat.mockRestore())
  const join = vi.mocked(joinBytes).mockClear()
  return () =>
    [concat.mock, join.mock].flatMap(({ calls, results }) => [
      ...calls.flatMap(([parts]) => [...parts]),
      ...results.map(({ value }) => value as Uint8Array),
    ])
}
const isZero = (bytes: Iterable<number>) => [...bytes].every((byte) => byte === 0)

/** Prints it in two parts, which come one after the other. */
const printer = (first: string, second: string) => [
  '-c',
  `printf '${first}'; sleep 0.2; printf '${second}'`,
]

test('the output of a program is in one place, whatever the parts in which it came', async () => {
  proves('pin-in-connector')
  const buffers = watchBuffers()
  const outcome = await createPrograms({ PATH: process.env['PATH'] }).run(
    '/bin/sh',
    printer('9081', '7263'),
    { signal: AbortSignal.timeout(10_000), maxBytes: 100 },
  )
  if (outcome.kind !== 'ended') throw new Error('Expected it to end')
  expect(outcome.output.toString()).toBe(secret)
  const others = buffers().filter(({ buffer }) => buffer !== outcome.output.buffer)
  expect(others.filter(({ length }) => length > 0).length).toBeGreaterThanOrEqual(3)
  expect(others.every(isZero)).toBe(true)
})

test('the line of a program is the secret alone, and its output is overwritten', () => {
  const output = Buffer.from(`${secret}\nnoise`)
  expect(Buffer.from(takeLine(output)).toString()).toBe(secret)
  expect(isZero(output)).toBe(true)
})

test('what a pinentry escaped is overwritten, as are the numbers that it was read to', () => {
  proves('pin-in-connector')
  const buffers = watchBuffers()
  const answer = readDialog(Buffer.from('OK\nD 9081%257263\nOK\nOK\n'))
  if (answer.kind !== 'entered') throw new Error('Expected a secret')
  expect(Buffer.from(answer.secret).toString()).toBe('9081%7263')
  const others = buffers().filter(({ buffer }) => buffer !== answer.secret.buffer)
  expect(others.map(({ length }) => length)).toEqual([11, 9, 11])
  expect(others.every(isZero)).toBe(true)
})

test('the output of the helper on Windows is overwritten, whatever the parts in which it came', async () => {
  const buffers = watchBuffers()
  const args = printer(`{"kind":"entered","bytes":8}\\n9081`, '7263')
  const helper = createHelper(['/bin/sh', ...args], {})
  const request = { act: 'enter', title: '', text: '', field: '' } as const
  const reply = await helper(request, AbortSignal.timeout(10_000))
  expect(reply?.kind === 'entered' && Buffer.from(reply.secret).toString()).toBe(secret)
  expect(buffers().filter(({ length }) => length > 0).length).toBeGreaterThanOrEqual(3)
  expect(buffers().every(isZero)).toBe(true)
})

test('the output of the helper on Windows is overwritten when it is late', async () => {
  const buffers = watchBuffers()
  const stop = new AbortController()
  const script = `printf '{"kind":"entered","bytes":8}\\n9081'; sleep 100`
  const request = { act: 'enter', title: '', text: '', field: '' } as const
  const reply = createHelper(['/bin/sh', '-c', script], {})(request, stop.signal)
  await expect.poll(() => buffers().length).toBeGreaterThan(2)
  stop.abort()
  expect(await reply).toBeUndefined()
  expect(buffers().every(isZero)).toBe(true)
})

test.each([
  ['late', 100],
  ['too-long', 6],
] as const)(
  'the output of a program that is stopped, as it is %s, is overwritten',
  async (kind, maxBytes) => {
    proves('pin-in-connector')
    const buffers = watchBuffers()
    const stop = new AbortController()
    const run = createPrograms({ PATH: process.env['PATH'] }).run(
      '/bin/sh',
      ['-c', "printf '9081'; sleep 0.2; printf '7263'; sleep 100"],
      { signal: stop.signal, maxBytes },
    )
    if (kind === 'late') {
      await expect.poll(() => buffers().length).toBeGreaterThan(3)
      stop.abort()
    }
    expect(await run).toEqual({ kind })
    expect(buffers().filter(({ length }) => length > 0).length).toBeGreaterThan(3)
    expect(buffers().every(isZero)).toBe(true)
  },
)

test('what comes after a program was stopped is overwritten, and joined to nothing', async () => {
  proves('pin-in-connector')
  const buffers = watchBuffers()
  const filled: string[] = []
  const { fill } = Buffer.prototype
  const spy = vi.spyOn(Buffer.prototype, 'fill').mockImplementation(function (this: Buffer) {
    filled.push(this.toString())
    return fill.call(this, 0)
  })
  onTestFinished(() => void spy.mockRestore())
  // In a session of its own it outlives the program that is stopped, and has its standard output.
  const survivor = 'printf 9081; while kill -0 $0 2>/dev/null; do :; done; printf 7263'
  const outcome = await createPrograms({ PATH: process.env['PATH'] }).run(
    '/bin/sh',
    ['-c', `setsid sh -c '${survivor}' $$ & wait`],
    { signal: AbortSignal.timeout(10_000), maxBytes: 3 },
  )
  expect(outcome).toEqual({ kind: 'too-long' })
  await expect.poll(() => filled).toContain('7263')
  expect(joinBytes).toHaveBeenCalledTimes(1)
  expect(buffers().every(isZero)).toBe(true)
})

/** A machine whose only window program ends so. */
const createEnding = (outcome: Outcome): Programs => ({
  find: (name) => (name === 'zenity' ? '/usr/bin/zenity' : undefined),
  run: async () => outcome,
  launch: async () => false,
})

const onLinux = (programs: Programs) => createLinuxSecretEntry({}, programs, readSlowly())

test.each([
  ['cancelled on Linux', onLinux, 1, '', 'cancelled'],
  ['broken on Linux', onLinux, -1, '', 'unavailable'],
  ['without a display', onLinux, 0, 'cannot open display: :0', 'unavailable'],
  ['cancelled on macOS', createMacosSecretEntry, 0, '', 'cancelled'],
  ['broken on macOS', createMacosSecretEntry, 1, '', 'unavailable'],
] as const)(
  'the output of a window that is %s is overwritten',
  async (_, create, status, errors, kind) => {
    proves('pin-in-connector')
    const output = Buffer.from(`${secret}\n`)
    const ask = create(createEnding({ kind: 'ended', status, output, errors }))
    const question = { title: '', text: '', prompt: '', submit: '', cancel: '' }
    expect(await ask(question, AbortSignal.timeout(10_000))).toEqual({ kind })
    expect(isZero(output)).toBe(true)
  },
)
