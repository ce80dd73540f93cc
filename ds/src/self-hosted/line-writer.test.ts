/** Log lines: written together, whole and in order, also after the output has failed. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createLineWriter } from './line-writer.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An output that takes all, unless it fails, takes so many bytes of a call, or is stuck. */
function anOutput() {
  const output = { error: null as Error | null, takes: Number.POSITIVE_INFINITY, isStuck: false }
  const calls: string[] = []
  let resume = () => {}
  const lines = createLineWriter(
    (bytes, callback) => {
      const end = () => {
        const part = bytes.slice(0, output.takes)
        if (!output.error) calls.push(new TextDecoder().decode(part))
        if (output.error) callback(output.error)
        else callback(null, part.length)
      }
      if (output.isStuck) resume = end
      else queueMicrotask(end)
    },
    (count) => `lost ${count}\n`,
  )
  return { output, calls, lines, resume: () => resume() }
}

test('createLineWriter writes the lines of one turn in one call, in order', async () => {
  const { lines, calls } = anOutput()
  lines.write('one\n')
  lines.write('two\n')
  await Promise.resolve()
  lines.write('three\n')
  expect(calls).toEqual([])
  await turn()

  expect(calls).toEqual(['one\ntwo\nthree\n'])
})

test('createLineWriter writes the lines of the next turn in a call of their own', async () => {
  const { lines, calls } = anOutput()
  lines.write('one\n')
  await turn()
  lines.write('two\n')
  await turn()

  expect(calls).toEqual(['one\n', 'two\n'])
})

test('createLineWriter writes lines that may wait 50 ms later, and with the first that may not', async () => {
  const { lines, calls } = anOutput()
  lines.write('one\n', true)
  lines.write('two\n', true)
  await turn()
  vi.advanceTimersByTime(49)
  await turn()
  expect(calls).toEqual([])
  vi.advanceTimersByTime(1)
  await turn()
  expect(calls).toEqual(['one\ntwo\n'])
  lines.write('three\n', true)
  lines.write('four\n')
  await turn()
  vi.advanceTimersByTime(1000)
  await turn()

  expect(calls).toEqual(['one\ntwo\n', 'three\nfour\n'])
})

test('createLineWriter writes lines that may wait as soon as they are 64 KiB', async () => {
  const { lines, calls } = anOutput()
  const line = `${'x'.repeat(1023)}\n`
  for (let n = 0; n < 64; n += 1) lines.write(line, true)
  await turn()
  expect(calls).toEqual([])
  lines.write(line, true)
  await turn()

  expect(calls).toEqual([line.repeat(65)])
})

test('takeRest takes what no call was given, once', async () => {
  const { lines, calls, output } = anOutput()
  output.isStuck = true
  lines.write('one\n')
  await turn()
  lines.write('two\n', true)

  expect(new TextDecoder().decode(lines.takeRest())).toBe('two\n')
  expect(lines.takeRest()).toHaveLength(0)
  expect(calls).toEqual([])
})

test('takeRest takes what could not be written', async () => {
  const { lines, output } = anOutput()
  output.error = new Error('ENOSPC')
  lines.write('one\n')
  await turn()
  lines.write('two\n', true)

  expect(new TextDecoder().decode(lines.takeRest())).toBe('one\ntwo\n')
})

test('flush writes what is left at once, and nothing when there is nothing', async () => {
  const { lines, calls } = anOutput()
  expect(await lines.flush()).toBe(true)
  lines.write('one\n')
  expect(await lines.flush()).toBe(true)
  await turn()

  expect(calls).toEqual(['one\n'])
})

test('flush tells that the output takes nothing', async () => {
  const { lines, output } = anOutput()
  output.error = new Error('EPIPE')
  lines.write('one\n')

  expect(await lines.flush()).toBe(false)
})

test('createLineWriter goes on in the middle of a line when the output took a part of it', async () => {
  const { lines, calls, output } = anOutput()
  output.takes = 2
  lines.write('one\n')
  expect(await lines.flush()).toBe(true)

  expect(calls).toEqual(['on', 'e\n'])
})

test('createLineWriter tries again a second after a write that failed, and loses nothing', async () => {
  const { lines, calls, output } = anOutput()
  output.error = new Error('ENOSPC')
  lines.write('one\n')
  await turn()
  lines.write('two\n')
  await turn()
  expect(calls).toEqual([])
  output.error = null
  vi.advanceTimersByTime(1000)
  await turn()

  expect(calls.join('')).toBe('one\ntwo\n')
})

test.each(['failed', 'stuck'])(
  'createLineWriter counts the lines that a %s output has lost, and says so when it works again',
  async (kind) => {
    proves('log-reader-gone')
    const { lines, calls, output, resume } = anOutput()
    if (kind === 'failed') output.error = new Error('EPIPE')
    else output.isStuck = true
    lines.write('first\n')
    await turn()
    const line = `${'x'.repeat(1023)}\n`
    for (let n = 0; n < 1024 + 7; n += 1) lines.write(line)
    output.error = null
    output.isStuck = false
    resume()
    vi.advanceTimersByTime(1000)
    expect(await lines.flush()).toBe(true)
    lines.write('next\n')
    await turn()

    expect(calls.join('')).toBe(`first\n${line.repeat(1024)}lost 7\nnext\n`)
  },
)
