/** Lines of a stream, cut anywhere. */
import { expect, test } from 'vitest'
import { measureProcessorMs } from '../../test/bed/processor-time.ts'
import { proves } from '../../test/bed/proves.ts'
import { createEventParser } from './event-stream.ts'

const text =
  ': here\n\nid: 1\nevent: snapshot\ndata: {"a":1}\n\ndata: one\ndata:two\r\n\r\nid: 3\n\n'
const expected = [undefined, '{"a":1}', 'one\ntwo', undefined]

test('the parser returns the same events wherever the text is cut', () => {
  for (let cut = 0; cut <= text.length; cut += 1) {
    const take = createEventParser()
    expect([...take(text.slice(0, cut)), ...take(text.slice(cut))], `cut at ${cut}`).toEqual(
      expected,
    )
  }
})

test('the parser returns an event when it is complete', () => {
  const take = createEventParser()
  expect(take('data: half')).toEqual([])
  expect(take('\n\n')).toEqual(['half'])
})

const maxLength = 4 * 1024 * 1024
const event = (length: number) => `data:${'a'.repeat(length - 'data:'.length)}`

test.each([16, 256, 16_384])(
  'the parser takes an event of four megabytes in parts of %i characters at once',
  (size) => {
    const text = `${event(maxLength - 2)}\n\n`
    const take = createEventParser()
    const from = performance.now()
    const found: unknown[] = []
    for (let at = 0; at < text.length; at += size) found.push(...take(text.slice(at, at + size)))
    expect(performance.now() - from).toBeLessThan(2000)
    expect(found).toEqual(['a'.repeat(maxLength - 2 - 'data:'.length)])
  },
)

test.each([
  ['in one part', [`${event(maxLength + 1)}\n\n`]],
  ['in one part, after another', [`data: 1\n\n${event(maxLength + 1)}\n\ndata: 2\n\n`]],
  ['without its end', [event(maxLength + 1)]],
  ['in two parts', [event(maxLength), 'a']],
])('the parser refuses an event that is too long: %s', (_name, parts) => {
  const take = createEventParser()
  expect(() => parts.map(take)).toThrow('too long')
})

test('the parser takes more events in parts than it holds at once', () => {
  const take = createEventParser()
  const found = [1, 2, 3, 4, 5].flatMap(() => take(`${event(maxLength / 2)}\n\n`))
  expect(found).toHaveLength(5)
})

test.each<[string, string, number]>([
  ['lines of a thousand characters', `${'x'.repeat(999)}\n`, 4000],
  ['lines of data', `data:${'x'.repeat(994)}\n`, 4000],
  ['single characters after a long event', 'x\n', 2000],
])('the parser looks only at what is new: %s without a blank line', async (_, part, count) => {
  proves('response-huge')
  const take = createEventParser()
  const found: unknown[] = []
  if (part.length < 3) take(`${event(maxLength / 2)}\n`)
  const usedMs = await measureProcessorMs(() => {
    for (let at = 0; at < count; at += 1) found.push(...take(part))
  })
  expect(found).toEqual([])
  expect(usedMs).toBeLessThan(1000)
})

test('comments that follow each other are one, and blank lines are none', () => {
  const take = createEventParser()
  expect(take(':\n\n'.repeat(100_000))).toEqual([undefined])
  expect(take('\n'.repeat(100_000))).toEqual([])
  expect(take(':\n\ndata: 1\n\n:\n\n')).toEqual([undefined, '1', undefined])
})
