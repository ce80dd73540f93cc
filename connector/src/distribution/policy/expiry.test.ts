/** The end of a policy as a running connector notices and logs it, by a clock of the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { openClockWatch } from '../../system/clock-watch.ts'
import type { PolicyTerm } from '../sync/policy-term.ts'
import { createPolicyExpiry } from './expiry.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 10, 1)

let folder: string
let now: number
let ran: number
let term: PolicyTerm | undefined
let logged: string[]
let pending: { readonly at: number; readonly act: () => void } | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-expiry-'))
  now = start
  ran = 0
  term = { from: start, until: start + 30 * day }
  logged = []
  pending = undefined
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** With a real watch of the clock, whose file a restart finds again. */
function open() {
  const clock = openClockWatch({
    path: join(folder, 'clock.json'),
    log: { info: () => undefined, warn: () => undefined },
    wallClock: () => now,
    monotonicClock: () => ran,
  })
  return createPolicyExpiry({
    term: () => term,
    readings: clock.readings,
    offsetMs: () => 0,
    startTimer(ms, act) {
      pending = { at: now + ms, act }
      return () => {
        pending = undefined
      }
    },
    log: {
      info: (event) => void logged.push(event),
      warn: (event, fields) => void logged.push(`${event} ${JSON.stringify(fields)}`),
    },
  })
}

/** The connector runs for so long. */
function run(ms: number): void {
  const end = now + ms
  while (pending && pending.at <= end) {
    ran += pending.at - now
    now = pending.at
    pending.act()
  }
  ran += end - now
  now = end
}

/** The machine was off, or its clock was set. */
const jump = (ms: number) => {
  now += ms
  if (pending) pending = { ...pending, at: pending.at + ms }
}

test('a policy is reported once a day from 14 days before its end, and when it has ended', () => {
  proves('policy-expiry-announced')
  const expiry = open()
  expiry.start()
  run(15.9 * day)
  expect(logged).toEqual([])
  run(13.9 * day)
  expect(logged).toHaveLength(14)
  expect(new Set(logged)).toEqual(
    new Set([
      'the policy ends soon: pages are refused then, unless a sync succeeds {"until":"2026-12-01T00:00:00.000Z"}',
    ]),
  )
  expect(expiry.isExpired()).toBe(false)
  run(0.3 * day)
  expect(expiry.isExpired()).toBe(true)
  expect(logged.slice(14)).toEqual([
    'the policy has expired: pages are refused until a sync succeeds {"until":"2026-12-01T00:00:00.000Z"}',
  ])
  expiry.stop()
  expect(pending).toBeUndefined()
})

test('a synchronization ends the expiry at once, and the log says so', () => {
  const expiry = open()
  expiry.start()
  run(31 * day)
  expect(expiry.isExpired()).toBe(true)
  term = { from: now, until: now + 30 * day }
  expect(expiry.isExpired()).toBe(false)
  expiry.report()
  expect(logged.at(-1)).toBe('the policy holds again')
})

test('a policy without an end never expires, and is not reported', () => {
  proves('policy-expiry-announced')
  term = undefined
  const expiry = open()
  expiry.start()
  run(60 * day)
  expect([expiry.isExpired(), expiry.status(), logged]).toEqual([false, undefined, []])
})

test('a restart changes nothing about the end', () => {
  proves('service-kept-away')
  open().start()
  run(29 * day)
  jump(2 * day)
  const expiry = open()
  expect(expiry.isExpired()).toBe(true)
  expect(expiry.status()).toEqual({ state: 'expired', until: '2026-12-01T00:00:00.000Z' })
})

test.each([
  ['13 years', 13 * 365 * day],
  ['29 days, which a machine may be off', 29 * day],
])('a clock that is ahead once by %s has ended nothing when it is back', (_, ms) => {
  proves('service-kept-away')
  const expiry = open()
  expiry.start()
  run(2 * day)
  jump(ms)
  expect(expiry.isExpired()).toBe(ms < 30 * day)
  run(hour)
  jump(-ms)
  expect(expiry.isExpired()).toBe(false)
  expect(open().isExpired()).toBe(false)
})

test('a clock that has run on for a day after a jump ends the policy', () => {
  proves('service-kept-away')
  const expiry = open()
  expiry.start()
  run(2 * day)
  jump(90 * day)
  expect(expiry.isExpired()).toBe(false)
  run(23 * hour)
  expect(expiry.isExpired()).toBe(false)
  run(hour)
  expect(expiry.isExpired()).toBe(true)
})
