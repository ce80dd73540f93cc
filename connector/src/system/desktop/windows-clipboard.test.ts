/** When the clipboard of Windows is tried again: Wine waits in OpenClipboard itself, so that it never has to be there. */
import { expect, test } from 'vitest'
import { limits } from './desktop.ts'
import { probeClipboard } from './windows-clipboard.ts'

/** A clipboard that another program has open for a number of tries. */
function heldFor(held: number) {
  const calls = { open: 0, close: 0 }
  const door = {
    OpenClipboard: () => {
      calls.open += 1
      return calls.open > held
    },
    CloseClipboard: () => {
      calls.close += 1
      return true
    },
  }
  return { door, calls }
}

test('A clipboard that is open elsewhere is tried again until it is free, and closed once', async () => {
  const { door, calls } = heldFor(3)
  expect(await probeClipboard(door)).toEqual({ kind: 'done' })
  expect(calls).toEqual({ open: 4, close: 1 })
})

test('A clipboard that stays open elsewhere is given up before the deadline, and not closed', async () => {
  const { door, calls } = heldFor(Number.POSITIVE_INFINITY)
  const begin = performance.now()
  expect(await probeClipboard(door)).toEqual({ kind: 'held' })
  expect(performance.now() - begin).toBeLessThan(limits.clipboardMs)
  expect(calls.open).toBeGreaterThan(2)
  expect(calls.close).toBe(0)
})
