/** Lines of a stream whose bytes arrive in chunks. */
import { expect, test } from 'vitest'
import { measureProcessorMs } from '../../../../test/bed/processor-time.ts'
import { readLines } from './read-lines.ts'

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
      }
      controller.close()
    },
  })
  return Array.fromAsync(readLines(stream))
}

test.each([
  { behaviour: 'a line in one piece', chunks: ['one\n'], expected: ['one'] },
  { behaviour: 'lines across pieces', chunks: ['o', 'ne\ntw', 'o\n'], expected: ['one', 'two'] },
  { behaviour: 'no line that never ended', chunks: ['one\ntwo'], expected: ['one'] },
  { behaviour: 'nothing of nothing', chunks: [], expected: [] },
])('readLines yields $behaviour', async ({ chunks, expected }) => {
  expect(await read(...chunks)).toEqual(expected)
})

test('readLines keeps a character that was split between two chunks', async () => {
  expect(await read(Uint8Array.of(0xc3), Uint8Array.of(0xa9, 0x0a))).toEqual(['é'])
})

test('readLines refuses a line without end', async () => {
  await expect(read('x'.repeat(1024 * 1024 + 1))).rejects.toThrow('over 1 MB')
})

test('readLines refuses a line that is too long and has an end', async () => {
  await expect(read(`${'x'.repeat(1024 * 1024 + 1)}\n`)).rejects.toThrow('over 1 MB')
})

test('readLines reads a line of a megabyte in 65,536 chunks at once', async () => {
  const chunks = [...Array.from({ length: 65_536 }, () => '0123456789abcdef'), '\n']
  const ms = await measureProcessorMs(async () => {
    const [line = '', ...more] = await read(...chunks)
    expect([line.length, more]).toEqual([1024 * 1024, []])
  })
  expect(ms).toBeLessThan(2000)
})
