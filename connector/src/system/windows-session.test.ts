/** The table of processes of Windows, byte by byte. */
import { expect, test } from 'vitest'
import { findSession } from './windows-session.ts'

/** SYSTEM_PROCESS_INFORMATION with 64 bits: the offset of the next entry, the process at 80, its session at 100, 256 bytes without threads. */
function createEntry(next: number, pid: number, session: number): Buffer {
  const entry = Buffer.alloc(next === 0 ? 256 : next)
  entry.writeUInt32LE(next, 0)
  entry.writeBigUInt64LE(BigInt(pid), 80)
  // The process that started it.
  entry.writeBigUInt64LE(4n, 88)
  entry.writeUInt32LE(session, 100)
  return entry
}

const table = Buffer.concat([
  createEntry(256, 0, 0),
  createEntry(416, 4, 0),
  createEntry(336, 1234, 2),
  createEntry(0, 1235, 3),
  // What the last call left in the buffer.
  createEntry(0, 1236, 4),
])

test.each([
  [4, 0],
  [1234, 2],
  [1235, 3],
  [1236, undefined],
  [1237, undefined],
])('process %s is in session %s', (pid, session) => {
  expect(findSession(table, pid)).toBe(session)
})

test.each([0, 8, 103, 256 + 50])(
  'a table that ends after %s bytes has no such process',
  (length) => {
    expect(findSession(table.subarray(0, length), 1235)).toBeUndefined()
  },
)
