/** Lines of a stream, cut anywhere. */
import { expect, test } from 'vitest'
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
