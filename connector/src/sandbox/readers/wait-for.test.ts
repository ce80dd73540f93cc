/** Waits over readers that change when the test says so. */
import { expect, test } from 'vitest'
import type { Snapshot } from './readers.ts'
import { waitForReaders } from './wait-for.ts'

function changing() {
  const listeners = new Set<(snapshot: Snapshot) => void>()
  let snapshot: Snapshot = { sequence: 1, pcsc: { kind: 'up' }, readers: [] }
  return {
    listeners,
    snapshot: () => snapshot,
    subscribe(listener: (snapshot: Snapshot) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    change() {
      snapshot = { ...snapshot, sequence: snapshot.sequence + 1 }
      for (const listener of [...listeners]) listener(snapshot)
    },
  }
}
const from = (least: number) => (snapshot: Snapshot) =>
  snapshot.sequence >= least ? snapshot.sequence : undefined

test('waitFor answers at once when it holds', async () => {
  expect(await waitForReaders(changing(), from(1), 60_000)).toBe(1)
})

test('waitFor answers on the change that brings it, and not before', async () => {
  const readers = changing()
  const answer = waitForReaders(readers, from(3), 60_000)
  readers.change()
  expect(readers.listeners.size).toBe(1)
  readers.change()
  expect(await answer).toBe(3)
})

test('waitFor answers null when nothing brought it in time', async () => {
  expect(await waitForReaders(changing(), from(2), 1)).toBeNull()
})

test('waitFor answers null when it is aborted, before or meanwhile', async () => {
  const abort = new AbortController()
  const readers = changing()
  const answer = waitForReaders(readers, from(2), 60_000, abort.signal)
  abort.abort()
  expect(await answer).toBeNull()
  expect(await waitForReaders(readers, from(1), 60_000, abort.signal)).toBeNull()
})

test.each([1, 2])('waitFor listens no longer once it has answered (from %i)', async (least) => {
  const readers = changing()
  await waitForReaders(readers, from(least), 1)
  expect(readers.listeners.size).toBe(0)
})

test('waitFor rejects with what the question throws', async () => {
  const failing = waitForReaders(
    changing(),
    () => {
      throw new Error('broken')
    },
    60_000,
  )
  await expect(failing).rejects.toThrow('broken')
})
