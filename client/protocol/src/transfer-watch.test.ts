/** What a body takes of the memory while it comes. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { watchReader } from './transfer-watch.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function measureHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

test('a body that comes byte by byte leaves none of its parts in memory', async () => {
  proves('many-clients')
  const parts = 100_000
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(1))
      },
    },
    { highWaterMark: 0 },
  )
  const rate = { windowMs: 60_000, minBytes: 0, maxWindows: 10 }
  const { read, end } = watchReader(body.getReader(), rate, () => new Error('too slow'))
  const before = measureHeap()
  while (sent < parts) await read()
  const bytesPerPart = (measureHeap() - before) / parts
  end()
  // With a promise that every read waits for, too, it were 700.
  expect(bytesPerPart).toBeLessThan(50)
})
