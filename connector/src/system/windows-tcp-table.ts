/** The tables of connections of Windows as GetExtendedTcpTable writes them: their number in four bytes, then the rows. */
import type { Endpoints } from './peer-address.ts'

/** MIB_TCPROW_OWNER_PID and MIB_TCP6ROW_OWNER_PID (tcpmib.h): where the fields of a row lie. `af`: as winsock2.h. */
const families = {
  four: { af: 2, size: 24, local: 4, localPort: 8, remote: 12, remotePort: 16, process: 20 },
  six: { af: 23, size: 56, local: 0, localPort: 20, remote: 24, remotePort: 44, process: 52 },
} as const

export type Family = keyof typeof families
export const getAddressFamily = (family: Family): number => families[family].af

/** The process of the connection; undefined when there is none, or it has closed the connection. */
export function findProcess(
  table: Buffer,
  family: Family,
  { local, remote }: Endpoints,
  from: number,
  to: number,
): number | undefined {
  const at = families[family]
  for (let left = table.readUInt32LE(0), start = 4; left > 0; left -= 1, start += at.size) {
    const row = table.subarray(start, start + at.size)
    if (
      row.readUInt16BE(at.localPort) === from &&
      row.readUInt16BE(at.remotePort) === to &&
      row.subarray(at.local, at.local + local.length).equals(local) &&
      row.subarray(at.remote, at.remote + remote.length).equals(remote)
    ) {
      // 0: the process has closed the connection already.
      return row.readUInt32LE(at.process) || undefined
    }
  }
  return undefined
}
