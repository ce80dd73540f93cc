/** The sessions of processes on Windows: every account may ask for them, also those that may not open the processes. */
// SystemProcessInformation of winternl.h, and STATUS_INFO_LENGTH_MISMATCH of ntstatus.h.
const allProcesses = 5
const lengthMismatch = 0xc000_0004
/** The functions of `openOwnerCalls` that say it. */
export interface SessionCalls {
  ProcessIdToSessionId(pid: number, session: Buffer): boolean
  NtQuerySystemInformation(kind: number, table: Buffer, size: number, needed: Buffer): number
}

/** Where the fields of SYSTEM_PROCESS_INFORMATION lie, with 64 bits. */
const at = { next: 0, process: 0x50, session: 0x64, end: 0x68 } as const
/** A terminal server with thousands of processes and their threads needs some megabytes. */
const bytes = { first: 1024 ** 2, max: 64 * 1024 ** 2 } as const

/** The session of a process; undefined when it has ended, or Windows does not say. Services are in session 0. */
export function getSession(calls: SessionCalls, pid: number): number | undefined {
  const session = Buffer.alloc(4)
  if (calls.ProcessIdToSessionId(pid, session)) return session.readUInt32LE(0)
  const table = readProcessTable(calls)
  return table && findSession(table, pid)
}

function readProcessTable(calls: SessionCalls): Buffer | undefined {
  for (let size: number = bytes.first; size <= bytes.max; size *= 2) {
    const table = Buffer.alloc(size)
    const status = calls.NtQuerySystemInformation(allProcesses, table, size, Buffer.alloc(4))
    if (status === 0) return table
    if (status !== lengthMismatch) return undefined
  }
  return undefined
}

/** Each entry says how far the next one is from it; the last one says 0. */
export function findSession(table: Buffer, pid: number): number | undefined {
  for (let entry = 0; entry + at.end <= table.length; ) {
    if (table.readBigUInt64LE(entry + at.process) === BigInt(pid)) {
      return table.readUInt32LE(entry + at.session)
    }
    const distance = table.readUInt32LE(entry + at.next)
    if (distance === 0) return undefined
    entry += distance
  }
  return undefined
}
