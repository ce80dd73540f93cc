/** Lines out of bytes that come in pieces. */
import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
      }
      controller.close()
    },
  })
  return Array.fromAsync(linesOf(stream))
}

test.each([
  { behaviour: 'a line in one piece', chunks: ['one\n'], expected: ['one'] },
  { behaviour: 'lines across pieces', chunks: ['o', 'ne\ntw', 'o\n'], expected: ['one', 'two'] },
  { behaviour: 'no line that never ended', chunks: ['one\ntwo'], expected: ['one'] },
  { behaviour: 'nothing of nothing', chunks: [], expected: [] },
])('linesOf gives $behaviour', async ({ chunks, expected }) => {
  expect(await read(...chunks)).toEqual(expected)
})

test('linesOf keeps a character that was cut between two pieces', async () => {
  expect(await read(Uint8Array.of(0xc3), Uint8Array.of(0xa9, 0x0a))).toEqual(['é'])
})

test('linesOf refuses a line without end', async () => {
  await expect(read('x'.repeat(1024 * 1024 + 1))).rejects.toThrow('over 1 MB')
})
