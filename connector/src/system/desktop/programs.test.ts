/** How programs of the desktop are run: real ones, that are slow, long, silent, or bring others along. */
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPrograms } from './programs.ts'

const programs = createPrograms({
  ...process.env,
  CARDWIRE_SECRET: 'a',
  Cardwire_Other: 'b',
  SHOWN: 'c',
})

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const patience = () => AbortSignal.timeout(20_000)

test('A program that ends gives its status, its output, and the beginning of its standard error', async () => {
  const script = 'echo out; yes | head -c 9000 >&2; exit 3'
  const order = { signal: patience(), maxBytes: 4 }
  const outcome = await programs.run('/bin/sh', ['-c', script], order)
  expect(outcome).toEqual({
    kind: 'ended',
    status: 3,
    output: Buffer.from('out\n'),
    errors: 'y\n'.repeat(2048),
  })
})

test('A program that a signal ends has the status -1', async () => {
  const outcome = await programs.run('/bin/sh', ['-c', 'kill -9 $$'], { signal: patience() })
  expect(outcome).toMatchObject({ kind: 'ended', status: -1 })
})

test('Output that nobody asked for goes nowhere', async () => {
  const outcome = await programs.run('/bin/sh', ['-c', 'yes | head -c 999999'], {
    signal: patience(),
  })
  expect(outcome).toMatchObject({ kind: 'ended', status: 0, output: Buffer.alloc(0) })
})

test('A program reads its input, and ends without reading it, too', async () => {
  const order = { signal: patience(), maxBytes: 100, input: 'Zoë\n' }
  expect(await programs.run('/usr/bin/cat', [], order)).toMatchObject({
    status: 0,
    output: Buffer.from('Zoë\n'),
  })
  const long = { signal: patience(), input: 'x'.repeat(1_000_000) }
  expect(await programs.run('/usr/bin/true', [], long)).toMatchObject({ kind: 'ended', status: 0 })
})

test('A program that writes more than is kept is ended', async () => {
  const outcome = await programs.run('/usr/bin/yes', [], { signal: patience(), maxBytes: 4096 })
  expect(outcome).toEqual({ kind: 'too-long' })
})

test('A program that is not there is not started', async () => {
  expect(await programs.run('/nonexistent', [], { signal: patience() })).toEqual({
    kind: 'not-started',
  })
  expect(await programs.launch('/nonexistent', [], patience())).toBe(false)
})

test('A program that is late is ended with what it started', async () => {
  const folder = temporary()
  const stop = new AbortController()
  const started = new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      const [own, child] = pids(folder)
      if (own === undefined || child === undefined) return
      watcher.close()
      resolve()
    })
  })
  const script = `sleep 1000 & echo $$ $! end > ${folder}/pids; wait`
  const outcome = programs.run('/bin/sh', ['-c', script], { signal: stop.signal, maxBytes: 10 })
  await started
  expect(pids(folder).every(runs)).toBe(true)
  stop.abort()
  expect(await outcome).toEqual({ kind: 'late' })
  const end = performance.now() + 10_000
  while (pids(folder).some(runs) && performance.now() < end) await new Promise(setImmediate)
  expect(pids(folder).some(runs)).toBe(false)
})

test('A program is not started when it is too late already', async () => {
  const folder = temporary()
  const order = { signal: AbortSignal.abort() }
  const outcome = await programs.run('/usr/bin/touch', [join(folder, 'started')], order)
  expect(outcome).toEqual({ kind: 'late' })
  expect(() => readFileSync(join(folder, 'started'))).toThrow(/ENOENT/)
})

test('Our settings reach no program', async () => {
  const order = { signal: patience(), maxBytes: 100_000, variables: { ADDED: 'd' } }
  const outcome = await programs.run('/usr/bin/env', [], order)
  const output = outcome.kind === 'ended' ? outcome.output.toString() : ''
  expect(output.split('\n')).toEqual(expect.arrayContaining(['SHOWN=c', 'ADDED=d']))
  expect(output).not.toMatch(/^cardwire_/im)
})

test.each([
  ['true', [], true],
  ['false', [], false],
] as const)('A launched program that ends at once: %s', async (program, args, taken) => {
  expect(await programs.launch(`/usr/bin/${program}`, args, patience())).toBe(taken)
})

test('A launched program that is still there at the signal goes on', async () => {
  const folder = temporary()
  const script = `echo $$ $$ end > ${folder}/pids; exec sleep 1000`
  const stop = new AbortController()
  const watcher = watch(folder, () => pids(folder).length > 0 && stop.abort())
  expect(await programs.launch('/bin/sh', ['-c', script], stop.signal)).toBe(true)
  watcher.close()
  const [pid = 0] = pids(folder)
  expect(runs(pid)).toBe(true)
  process.kill(pid, 'SIGKILL')
})

/** What the script wrote, when it has written it whole. */
function pids(folder: string): readonly number[] {
  try {
    const [, first, second] =
      /^(\d+) (\d+) end/.exec(readFileSync(join(folder, 'pids'), 'utf8')) ?? []
    return first && second ? [Number(first), Number(second)] : []
  } catch {
    return []
  }
}

/** Whether a process is there and no mere entry that nobody has asked for. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
