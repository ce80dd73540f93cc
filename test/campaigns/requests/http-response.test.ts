/** Responses as they come from a connection. */
import { expect, test } from 'vitest'
import { MalformedResponse, readResponses } from './http-response.ts'

const read = (text: string, methods: readonly string[] = ['GET'], hasEnded = false) =>
  readResponses(Buffer.from(text, 'latin1'), methods, hasEnded)
const head = 'HTTP/1.1 200 OK\r\n'

test.each([
  ['by its length', `${head}content-length: 2\r\n\r\nab`, true],
  ['in chunks', `${head}transfer-encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n`, true],
  ['shorter than its length', `${head}content-length: 3\r\n\r\nab`, false],
  ['in chunks without an end', `${head}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n`, false],
  [
    'behind an interim response',
    `HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 2\r\n\r\nab`,
    true,
  ],
])('body %s is read', (_, text, isComplete) => {
  const [response] = read(text).responses
  expect([response?.status, response?.body.toString(), response?.isComplete]).toEqual([
    200,
    'ab',
    isComplete,
  ])
})

test('body until the end of the connection is whole when the connection has ended', () => {
  expect(read(`${head}\r\nab`).responses[0]?.isComplete).toBe(false)
  expect(read(`${head}\r\nab`, ['GET'], true).responses[0]?.isComplete).toBe(true)
})

test('response to HEAD has no body, whatever its length says', () => {
  const { responses } = read(`${head}content-length: 9\r\n\r\n${head}content-length: 1\r\n\r\na`, [
    'HEAD',
    'GET',
  ])
  expect(responses.map(({ body }) => body.toString())).toEqual(['', 'a'])
})

test.each(['', 'HTTP/1.1', 'HTTP/1.1 20'])('beginning of a response, "%s", is awaited', (text) => {
  expect(read(text).responses).toEqual([])
})

test.each(['<html>hello</html>', 'HTTP/1.1 2 OK\r\n\r\n', `${head}a b: c\r\n\r\n`])(
  '"%s" is no response',
  (text) => {
    expect(() => read(text)).toThrow(MalformedResponse)
  },
)
