/** Rows of connections, byte by byte: those of IPv6 as Wine 8 wrote them, with a process that it leaves out. */
import { expect, test } from 'vitest'
import { getEndpoints } from './peer-address.ts'
import { type Family, findProcess } from './windows-tcp-table.ts'

const table = (...rows: readonly string[]) => {
  const count = Buffer.alloc(4)
  count.writeUInt32LE(rows.length)
  return Buffer.concat([count, Buffer.from(rows.join('').replaceAll(' ', ''), 'hex')])
}

const one = '00000000000000000000000000000001'
const none = '00000000000000000000000000000000'
const mapped = '00000000000000000000ffff7f000001'
/** Port 33376 is 8260, port 43287 is a917. */
const four = table(
  '02000000 7f000001 a9170000 00000000 00000000 09000000',
  '05000000 7f000001 a9170000 7f000001 82600000 09000000',
  // The same caller at a server on another address comes first.
  '05000000 7f000001 82600000 7f000009 a9170000 09000000',
  '05000000 7f000001 82600000 7f000001 a9170000 d2040000',
)
const six = table(
  `${one} 00000000 a9170000 ${none} 00000000 00000000 02000000 09000000`,
  `${one} 00100000 82600000 ${one} 00000000 a9170000 05000000 d2040000`,
  `${mapped} 00000000 82610000 ${mapped} 00000000 a9170000 05000000 d3040000`,
  `${one} 00000000 82620000 ${one} 00000000 a9170000 0b000000 00000000`,
)

test.each<[string, Buffer, Family, string, number, number | undefined]>([
  ['a caller over IPv4', four, 'four', '127.0.0.1', 33376, 1234],
  ['nobody on another port', four, 'four', '127.0.0.1', 33377, undefined],
  ['nobody at another address', four, 'four', '127.0.0.2', 33376, undefined],
  ['a caller over IPv6', six, 'six', '::1', 33376, 1234],
  ['a caller over IPv4 with a socket of IPv6', six, 'six', '127.0.0.1', 33377, 1235],
  ['nobody over IPv6 for a peer over IPv4', six, 'six', '127.0.0.1', 33376, undefined],
  ['nobody in a connection that was closed', six, 'six', '::1', 33378, undefined],
])('finds %s', (_, bytes, family, address, port, expected) => {
  const ends = getEndpoints({ address, port })[family]
  expect(ends && findProcess(bytes, family, ends, port, 43287)).toBe(expected)
})
