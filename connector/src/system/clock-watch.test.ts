/** The watch of the clock: which readings are trusted, what makes a jump, and what ends it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { judgeClock, openClockWatch } from './clock-watch.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

let folder: string
let wall: number
let monotonic: number
let events: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-clock-'))
  wall = Date.UTC(2026, 10, 21)
  monotonic = 0
  events = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () =>
  openClockWatch({
    path: join(folder, 'clock.json'),
    log: { info: (event) => void events.push(event), warn: (event) => void events.push(event) },
    wallClock: () => wall,
    monotonicClock: () => monotonic,
  })
const run = (ms: number) => {
  wall += ms
  monotonic += ms
}
const jumped = 'the clock has jumped: until it is confirmed nothing is replaced or ended for good'
const trusted = 'the clock is trusted again'

test('a clock that runs on is trusted, also after weeks without a reading and after a restart', () => {
  const watch = open()
  expect(watch.isTrusted()).toBe(true)
  run(hour)
  expect(watch.isTrusted()).toBe(true)
  wall += 29 * day
  expect(open().isTrusted()).toBe(true)
  expect(events).toEqual([])
})

test.each([
  ['12.7 years ahead', 12.7 * year],
  ['6 years back', -6 * year],
  ['31 days ahead', 31 * day],
  ['2 days back', -2 * day],
])(
  'a clock that is %s at once is not trusted, which is logged once, also after a restart',
  (_, ms) => {
    proves('connector-clock-jump')
    expect(open().isTrusted()).toBe(true)
    wall += ms
    const watch = open()
    expect([watch.isTrusted(), watch.isTrusted()]).toEqual([false, false])
    expect(open().isTrusted()).toBe(false)
    expect(events).toEqual([jumped])
  },
)

test('a clock that is set right again is trusted at once, and both changes are reported', () => {
  const watch = open()
  watch.isTrusted()
  let changes = 0
  watch.onChange(() => {
    changes += 1
  })
  wall += 12.7 * year
  expect(watch.isTrusted()).toBe(false)
  wall -= 12.7 * year
  expect(watch.isTrusted()).toBe(true)
  expect([events, changes]).toEqual([[jumped, trusted], 2])
})

test('a clock that has run on for a day after a jump is trusted, over restarts, however long the machine was off', () => {
  open().isTrusted()
  wall += 2 * year
  for (let part = 0; part < 3; part += 1) {
    const watch = open()
    expect(watch.isTrusted()).toBe(false)
    for (let hours = 0; hours < 8; hours += 1) {
      run(hour)
      watch.isTrusted()
    }
    wall += 12 * hour
  }
  expect(open().isTrusted()).toBe(true)
  expect(events).toEqual([jumped, trusted])
})

test('a service that agrees confirms a jump, and one that does not withdraws trust', () => {
  proves('connector-clock-jump')
  const watch = open()
  watch.isTrusted()
  wall += 2 * year
  expect(watch.isTrusted()).toBe(false)
  watch.confirm(3 * hour)
  expect(watch.isTrusted()).toBe(true)
  watch.confirm(-2 * year)
  expect(watch.isTrusted()).toBe(false)
  for (let hours = 0; hours < 100; hours += 8) {
    run(8 * hour)
    watch.confirm(-2 * year)
    expect(watch.isTrusted()).toBe(false)
  }
})

test.each([
  ['an hour', hour],
  ['23 hours', 23 * hour],
])(
  'a clock that is set back by %s is reported at its next reading, so that certificates fit the time again',
  (_, ms) => {
    proves('connector-clock-jump')
    const watch = open()
    watch.isTrusted()
    run(ms)
    watch.isTrusted()
    let changes = 0
    watch.onChange(() => {
      changes += 1
    })
    run(minute)
    expect([watch.isTrusted(), changes]).toEqual([true, 0])
    wall -= ms
    expect([watch.isTrusted(), watch.isTrusted(), changes]).toEqual([true, true, 1])
  },
)

test.each(['{"trustedAt":', '{"trustedAt":1e300}'])(
  'a file with %s is kept and reported, and the present reading is trusted',
  (text) => {
    proves('data-file-damaged')
    writeFileSync(join(folder, 'clock.json'), text)
    expect(open().isTrusted()).toBe(true)
    expect(open().isTrusted()).toBe(true)
    expect(events).toEqual([
      'clock.json is damaged and is replaced: the connector trusts the current time',
    ])
    const [kept = ''] = readdirSync(folder).filter((name) => name.startsWith('clock.json.damaged-'))
    expect(readFileSync(join(folder, kept), 'utf8')).toBe(text)
  },
)

test('a file that cannot be read stays, and no clock is trusted for lack of it', () => {
  proves('data-file-damaged')
  const path = join(folder, 'clock.json')
  // What no account can read as a file, root included.
  mkdirSync(path)
  expect(open).toThrow('EISDIR')
  expect(() => judgeClock(path, wall)).toThrow('EISDIR')
  expect(readdirSync(folder)).toEqual(['clock.json'])
})

test('a jump is judged without a running connector, with the hours that are left', () => {
  const path = join(folder, 'clock.json')
  open().isTrusted()
  expect(judgeClock(path, wall)).toEqual({ now: wall, trustedAt: wall })
  const trustedAt = wall
  wall += 2 * year
  const watch = open()
  watch.isTrusted()
  run(5 * hour)
  watch.isTrusted()
  expect(judgeClock(path, wall)).toEqual({ now: wall, trustedAt, waitMs: 19 * hour })
})
