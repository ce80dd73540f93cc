/** The time of assertions, where a service refuses the one that they have, or an intermediary does in its place. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createSignedSender } from './signed-sender.ts'
import type { HttpResponse } from './transport.ts'

const dsUrl = 'https://ds.example'
const now = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000

const refuse = (code: string, date: number): HttpResponse => ({
  status: 401,
  headers: { date: new Date(date).toUTCString() },
  body: Buffer.from(JSON.stringify({ code, description: 'no' })),
})
const accept: HttpResponse = { status: 200, headers: {}, body: new Uint8Array() }

/** Answers in this order, then accepts. The times of its assertions are in hours from now. */
function openSender(...answers: readonly HttpResponse[]) {
  const left = [...answers]
  const hours: number[] = []
  const sender = createSignedSender({
    dsUrl,
    clock: () => now,
    transport: async () => left.shift() ?? accept,
    identity: {
      async signAssertion(assertion: { readonly now: number }) {
        hours.push((assertion.now - now) / hourMs)
        return { token: 'a token', jti: String(hours.length) }
      },
    },
  })
  const send = (path: string) =>
    sender.send({ method: 'POST', url: `${dsUrl}${path}` }, 'device', dsUrl).then(
      ({ assertedAt }) => (assertedAt - now) / hourMs,
      ({ code }) => code,
    )
  return { sender, send, hours }
}

test.each(['clock-skewed', 'assertion-replayed'])(
  'the time of an unsigned %s is that of one assertion, for the same request',
  async (code) => {
    proves('assertion-ahead')
    const { send, hours } = openSender(refuse(code, now + 10 * hourMs))
    expect(await send('/v3/devices/sync')).toBeCloseTo(10, 2)
    expect(await send('/v3/devices/keystore')).toBe(0)
    expect(await send('/v3/devices/logs')).toBe(0)
    expect(hours.map(Math.round)).toEqual([0, 10, 0, 0])
  },
)

test.each([
  ['clock-skewed', 49],
  ['clock-skewed', 8760],
  ['assertion-replayed', 49],
])('a %s whose time is %s hours ahead is not followed', async (code, away) => {
  proves('assertion-ahead')
  const { send, hours } = openSender(refuse(code, now + away * hourMs))
  expect(await send('/v3/devices/sync')).toBe(code)
  expect(hours).toEqual([0])
})

test('a clock that is three weeks ahead is followed back', async () => {
  const { send, hours } = openSender(refuse('clock-skewed', now - 504 * hourMs))
  expect(await send('/v3/devices/sync')).toBe(-504)
  expect(hours).toEqual([0, -504])
})

test('what is refused again is not sent a third time', async () => {
  const refusal = refuse('clock-skewed', now + hourMs)
  const { send, hours } = openSender(refusal, refusal)
  expect(await send('/v3/devices/sync')).toBe('clock-skewed')
  expect(hours).toEqual([0, 1])
})

test('a signed time is that of all assertions, and the next correction is from there', async () => {
  proves('assertion-ahead')
  const { sender, send, hours } = openSender(accept, refuse('clock-skewed', now + 70 * hourMs))
  sender.setClockOffset(24 * hourMs)
  expect(await send('/v3/devices/sync')).toBe(24)
  expect(await send('/v3/devices/sync')).toBe(70)
  expect(await send('/v3/devices/logs')).toBe(24)
  expect(hours).toEqual([24, 24, 70, 24])
})
