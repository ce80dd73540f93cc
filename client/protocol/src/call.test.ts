/** Reads bodies as servers that mean harm send them. */
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readBody } from './call.ts'

afterEach(() => vi.unstubAllGlobals())

test('a body of single bytes is read whole, and few of its parts are in memory', async () => {
  proves('response-huge')
  const partsOfBlobs: number[] = []
  vi.stubGlobal(
    'Blob',
    class extends Blob {
      constructor(parts: Uint8Array<ArrayBuffer>[]) {
        super(parts)
        partsOfBlobs.push(parts.length)
      }
    },
  )
  const text = '0123456789'.repeat(1234)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === text.length) controller.close()
      else controller.enqueue(new TextEncoder().encode(text[sent++]))
    },
  })
  const read = await readBody(new Response(body), 100_000)
  expect(await read.text()).toBe(text)
  expect(Math.max(...partsOfBlobs)).toBeLessThanOrEqual(1000)
})
