/** Which readers are asked for a key pad, when, and what is made of their answers. */
import { describe, expect, test } from 'vitest'
import type { FeatureReply } from '../../system/ipc/sandbox-messages.ts'
import type { NoReply } from './pending-queries.ts'
import { createPinpadCache, hasPinpad } from './pinpad-cache.ts'

describe('judgePinpad', () => {
  test.each([
    { answer: { features: [6] }, expected: true },
    { answer: { features: [1, 2] }, expected: true },
    { answer: { features: [7, 10, 18] }, expected: false },
    { answer: { features: [] }, expected: false },
    { answer: { code: 'SCARD_E_UNEXPECTED' }, expected: false },
    { answer: { code: '0x00000001' }, expected: false },
    { answer: { code: 'SCARD_E_SHARING_VIOLATION' }, expected: 'unknown' },
    { answer: { code: 'SCARD_E_NO_SERVICE' }, expected: 'unknown' },
  ])('makes $expected of $answer', ({ answer, expected }) => {
    expect(hasPinpad({ id: 1, ...answer })).toBe(expected)
  })
})

/** Time that goes when it is told to. */
function handClock() {
  let time = 0
  let timers: { at: number; act: () => void }[] = []
  return {
    now: () => time,
    after(delayMs: number, act: () => void) {
      const timer = { at: time + delayMs, act }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async pass(ms: number) {
      time += ms
      const due = timers.filter(({ at }) => at <= time)
      timers = timers.filter(({ at }) => at > time)
      for (const { act } of due) act()
      await settled()
    },
  }
}
/** Everything that is ready to run has run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function arranged() {
  const clock = handClock()
  const requests: string[] = []
  const answers: ((answer: FeatureReply | NoReply) => void)[] = []
  let changes = 0
  const pinpads = createPinpadCache({
    clock,
    query(reader) {
      requests.push(reader)
      return new Promise((resolve) => answers.push(resolve))
    },
    onChange: () => {
      changes += 1
    },
  })
  return {
    pinpads,
    clock,
    requests,
    changes: () => changes,
    async present(...names: readonly string[]) {
      pinpads.setReaders(names)
      await settled()
    },
    async answer(answer: { features: number[] } | { code: string } | NoReply) {
      answers.shift()?.(typeof answer === 'string' ? answer : { id: 1, ...answer })
      await settled()
    },
  }
}
const busy = { code: 'SCARD_E_SHARING_VIOLATION' }

describe('rememberPinpads', () => {
  test('asks a reader once while it is there', async () => {
    const { pinpads, requests, present, answer, clock } = arranged()
    await present('A')
    expect(pinpads.get('A')).toBeUndefined()
    await answer({ features: [6] })
    expect(pinpads.get('A')).toBe(true)
    await present('A')
    await clock.pass(10_000_000)
    expect(requests).toEqual(['A'])
  })

  test('asks again after the reader was away', async () => {
    const { pinpads, requests, present, answer } = arranged()
    await present('A')
    await answer({ features: [6] })
    await present()
    expect(pinpads.get('A')).toBeUndefined()
    await present('A')
    await answer({ features: [] })
    expect(requests).toEqual(['A', 'A'])
    expect(pinpads.get('A')).toBe(false)
  })

  test('never remembers "busy" as "no": asks later, at growing distances', async () => {
    const { pinpads, requests, present, answer, clock } = arranged()
    await present('A')
    await answer(busy)
    expect(pinpads.get('A')).toBe(false)
    await clock.pass(999)
    expect(requests).toHaveLength(1)
    await clock.pass(1)
    expect(requests).toHaveLength(2)
    await answer(busy)
    await clock.pass(1999)
    expect(requests).toHaveLength(2)
    await clock.pass(1)
    await answer({ features: [6] })
    expect(pinpads.get('A')).toBe(true)
  })

  test('remembers a refusal for good as "no"', async () => {
    const { pinpads, requests, present, answer, clock } = arranged()
    await present('A')
    await answer({ code: 'SCARD_E_UNEXPECTED' })
    await clock.pass(10_000_000)
    expect(requests).toHaveLength(1)
    expect(pinpads.get('A')).toBe(false)
  })

  test('asks one reader after the other', async () => {
    const { requests, present, answer } = arranged()
    await present('A', 'B')
    expect(requests).toEqual(['A'])
    await answer({ features: [] })
    expect(requests).toEqual(['A', 'B'])
  })

  test('does not keep a reader back for long, and takes a late answer', async () => {
    const { pinpads, present, answer, clock, changes } = arranged()
    await present('A')
    await clock.pass(250)
    expect(pinpads.get('A')).toBe(false)
    await answer({ features: [6] })
    expect(pinpads.get('A')).toBe(true)
    expect(changes()).toBe(2)
  })

  test('leaves a question that hung for much later, whatever sandbox comes', async () => {
    const { requests, present, answer, clock, pinpads } = arranged()
    await present('A')
    await answer('timeout')
    expect(pinpads.get('A')).toBe(false)
    await present('A')
    await clock.pass(59_999)
    expect(requests).toHaveLength(1)
    await clock.pass(1)
    expect(requests).toHaveLength(2)
  })

  test('asks the next sandbox when one ended on the way, and only once more', async () => {
    const { requests, present, answer } = arranged()
    await present('A')
    await answer('ended')
    await present('A')
    expect(requests).toHaveLength(2)
    await answer('ended')
    await present('A')
    expect(requests).toHaveLength(2)
  })

  test('asks the next sandbox when there was none', async () => {
    const { requests, present, answer } = arranged()
    for (let round = 1; round <= 3; round += 1) {
      await present('A')
      expect(requests).toHaveLength(round)
      await answer('not-sent')
    }
  })

  test('ignores the answer for a reader that left meanwhile', async () => {
    const { pinpads, present, answer, changes } = arranged()
    await present('A')
    await present()
    await answer({ features: [6] })
    expect(pinpads.get('A')).toBeUndefined()
    expect(changes()).toBe(0)
  })
})
