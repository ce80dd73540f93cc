/** The accounts of processes on Windows, as SIDs. */
import { getAddress, type OwnerCalls, openOwnerCalls } from './native.ts'

// Values of winnt.h.
const queryLimitedInformation = 0x1000
const tokenQuery = 8
const tokenUser = 1

/** The SID of the account of this process, as text. Throws on other systems. */
export function getOwnAccount(calls: OwnerCalls = openOwnerCalls()): string {
  const account = getAccount(calls, process.pid)
  if (account === undefined) throw new Error('Cannot read the account of this process')
  return account
}

/** The SID of the account a process runs under, as text; undefined when the process cannot be opened. */
export function getAccount(calls: OwnerCalls, pid: number): string | undefined {
  const process = calls.OpenProcess(queryLimitedInformation, false, pid)
  if (process === 0n) return undefined
  const handle = Buffer.alloc(8)
  const opened = calls.OpenProcessToken(process, tokenQuery, handle)
  calls.CloseHandle(process)
  if (!opened) return undefined
  const token = handle.readBigUInt64LE(0)
  // TOKEN_USER is a pointer to the SID and its attributes; the SID lies behind them and takes at most 68 bytes.
  const user = Buffer.alloc(128)
  const succeeded = calls.GetTokenInformation(token, tokenUser, user, user.length, Buffer.alloc(4))
  calls.CloseHandle(token)
  return succeeded
    ? formatSid(user.subarray(Number(user.readBigUInt64LE(0) - getAddress(user))))
    : undefined
}

/** `S-1-5-21-…` of the bytes of a SID: revision, authority, and as many parts as the second byte says (winnt.h). */
export function formatSid(sid: Buffer): string {
  const parts = Array.from({ length: sid.readUInt8(1) }, (_, index) =>
    sid.readUInt32LE(8 + 4 * index),
  )
  return ['S', sid.readUInt8(0), sid.readUIntBE(2, 6), ...parts].join('-')
}
