import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createObjectStream } from './bucket-stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)
/** A stream of these parts, and how often it was closed. */
function open(parts: readonly string[], length: number) {
  let closed = 0
  const stream = createObjectStream(ReadableStream.from(parts.map(encode)), {
    start: 10,
    length,
    overlay: { offset: 12, bytes: encode('XY') },
    onClose: () => {
      closed += 1
    },
  })
  return { stream, countClosed: () => closed }
}

test('the parts come with what stands in their place', async () => {
  const { stream, countClosed } = open(['abc', 'def'], 6)
  expect(await new Response(stream).text()).toBe('abXYef')
  expect(countClosed()).toBe(1)
})

test.each([
  ['too few', ['abc', 'de'], 'the bucket sent too few bytes'],
  ['too many', ['abc', 'defg'], 'the bucket sent too many bytes'],
])('%s bytes are an error', async (_, parts, message) => {
  proves('bucket-fails')
  const { stream, countClosed } = open(parts, 6)
  await expect(new Response(stream).text()).rejects.toThrow(message)
  expect(countClosed()).toBe(1)
})

test('a reader that leaves ends the transfer', async () => {
  const { stream, countClosed } = open(['abc', 'def'], 6)
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel()
  expect(countClosed()).toBe(1)
})
