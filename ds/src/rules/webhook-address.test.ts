import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findAddressFault, isAllowedAddress } from './webhook-address.ts'

/** Each with whether DS_WEBHOOK_PRIVATE_ADDRESSES allows it. */
const refused: readonly [address: string, allowedIfPrivate: boolean][] = [
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['10.0.0.1', true],
  ['172.16.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['100.100.100.200', true],
  ['::1', true],
  ['fc00::1', true],
  ['fd00:ec2::254', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', true],
  ['169.254.169.254', false],
  ['::ffff:169.254.169.254', false],
  ['168.63.129.16', false],
  ['192.0.0.192', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['224.0.0.1', false],
  ['240.0.0.1', false],
  ['198.18.0.1', false],
  ['192.0.2.1', false],
  ['::', false],
  ['::a9fe:a9fe', false],
  ['::7f00:1', false],
  ['fe80::1', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['64:ff9b::127.0.0.1', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['64:ff9b:1::10.0.0.1', false],
  ['::ffff:0:127.0.0.1', false],
  ['2002:7f00:1::', false],
  ['2001:0:1::', false],
  ['100::1', false],
  ['2001:db8::1', false],
  ['not an address', false],
]

test.each(refused)('isAllowedAddress refuses %s', (address, allowedIfPrivate) => {
  proves('webhook-address')
  expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([
    false,
    allowedIfPrivate,
  ])
})

test.each(['93.184.216.34', '2606:4700::1111'])('isAllowedAddress allows %s', (address) => {
  expect(isAllowedAddress(address, false)).toBe(true)
})

test.each<[url: string, isPublic: boolean, isPrivate: boolean]>([
  ['https://hooks.example/path?query', true, true],
  ['https://93.184.216.34/', true, true],
  ['http://hooks.example/', false, false],
  ['http://10.0.0.1/', false, false],
  ['https://10.0.0.1/', false, true],
  ['http://127.0.0.1:8080/', false, true],
  ['http://localhost:8080/', false, true],
  ['https://localhost/', false, true],
  ['https://a.localhost./', false, true],
  ['https://2130706433/', false, true],
  ['https://0x7f.1/', false, true],
  ['https://0177.0.0.1/', false, true],
  ['https://[::ffff:7f00:1]/', false, true],
  ['https://169.254.169.254/', false, false],
  ['https://[64:ff9b::7f00:1]/', false, false],
])('findAddressFault of %s', (url, isPublic, isPrivate) => {
  proves('webhook-address')
  expect([findAddressFault(url, false), findAddressFault(url, true)]).toEqual([
    isPublic ? undefined : expect.any(String),
    isPrivate ? undefined : expect.any(String),
  ])
})
