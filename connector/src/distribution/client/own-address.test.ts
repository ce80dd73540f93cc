import type { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isOwnAddress } from './own-address.ts'

const interfaces = {
  eth0: [{ address: '192.0.2.7' }, { address: '2001:db8::7' }],
} as unknown as ReturnType<typeof networkInterfaces>

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['0.0.0.0', true],
  ['0.1.2.3', true],
  ['169.254.169.254', true],
  ['192.0.2.7', true],
  ['192.0.2.8', false],
  ['10.0.0.1', false],
  ['::1', true],
  ['[::1]', true],
  ['::', true],
  ['::ffff:127.0.0.1', true],
  ['[::ffff:7f00:1]', true],
  ['::ffff:192.0.2.7', true],
  ['::ffff:192.0.2.8', false],
  ['fe80::1%eth0', true],
  ['febf::1', true],
  ['2001:DB8:0::7', true],
  ['2001:db8::8', false],
  ['files.example', false],
  ['', false],
])('isOwnAddress for %s is %s', (address, own) => {
  expect(isOwnAddress(address, interfaces)).toBe(own)
})
