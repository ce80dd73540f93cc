/** Problems of the service, which no signature protects: what of them is believed. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { toDsError } from './ds-response.ts'

const toError = (problem: object) =>
  toDsError(
    { status: 403, headers: {}, body: new TextEncoder().encode(JSON.stringify(problem)) },
    () => 0,
  )

test('a description of megabytes with escape sequences is cut, and shown as it is', () => {
  proves('reply-large')
  const description = `\u001b[2J${'x'.repeat(4_000_000)}`
  const { message, code } = toError({ success: false, code: 'device-blocked', description })
  expect(code).toBe('device-blocked')
  expect(message).toMatch(/^\\u001b\[2Jx{900,1000}$/)
})

test('a code that is no name of a problem is that of its status', () => {
  proves('reply-large')
  const description = 'It is blocked'
  expect(toError({ success: false, code: 'x'.repeat(1000), description }).code).toBe('status-403')
  expect(toError({ success: false, code: 'a\nb', description }).code).toBe('status-403')
})
