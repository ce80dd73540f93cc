/** When the local page ends. */
import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/registry/manual-clock.ts'
import { createPageEnd } from './page-end.ts'

async function isEnded(end: { readonly ended: Promise<boolean> }): Promise<boolean | undefined> {
  return Promise.race([end.ended, Promise.resolve(undefined)])
}

const minuteMs = 60_000

test('a page that nobody opens ends after two minutes, as not used', async () => {
  const clock = createManualClock()
  const end = createPageEnd(clock)
  await clock.pass(2 * minuteMs - 1)
  expect(await isEnded(end)).toBeUndefined()
  await clock.pass(1)
  expect(await isEnded(end)).toBe(false)
})

test('a page ends seconds after it was closed, and not when it comes back before', async () => {
  const clock = createManualClock()
  const end = createPageEnd(clock)
  end.recordUse()
  end.setWatching(1)
  end.setWatching(0)
  await clock.pass(4000)
  end.setWatching(1)
  await clock.pass(minuteMs)
  expect(await isEnded(end)).toBeUndefined()
  end.setWatching(0)
  await clock.pass(5000)
  expect(await isEnded(end)).toBe(true)
})

test('a page that nobody has used for half an hour ends', async () => {
  const clock = createManualClock()
  const end = createPageEnd(clock)
  end.recordUse()
  end.setWatching(1)
  await clock.pass(29 * minuteMs)
  end.recordUse()
  await clock.pass(29 * minuteMs)
  expect(await isEnded(end)).toBeUndefined()
  await clock.pass(minuteMs)
  expect(await isEnded(end)).toBe(true)
})
