/** Whose request it is, behind proxies that are trusted and ones that are not. */
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findClientAddress, isLoopbackPeer, isOwnHost } from './client-address.ts'

const trusted = ['10.0.0.0/8', '192.0.2.7/32', '2001:db8:aaaa::/48'].map((network) =>
  ipaddr.parseCIDR(network),
)

describe('findClientAddress', () => {
  test.each([
    { behaviour: 'is the peer without a proxy', peer: '198.51.100.4', expected: '198.51.100.4' },
    {
      behaviour: 'ignores what a peer says that is not trusted',
      peer: '198.51.100.4',
      forwarded: '203.0.113.9',
      expected: '198.51.100.4',
    },
    {
      behaviour: 'is whom a trusted peer names',
      peer: '10.1.2.3',
      forwarded: '203.0.113.9',
      expected: '203.0.113.9',
    },
    {
      behaviour: 'is the last that a chain of trusted proxies names',
      peer: '10.1.2.3',
      forwarded: '203.0.113.9, 10.9.9.9,192.0.2.7',
      expected: '203.0.113.9',
    },
    {
      behaviour: 'stops at the first hop from the right that is not trusted',
      peer: '10.1.2.3',
      forwarded: '127.0.0.1, 198.51.100.4, 10.9.9.9',
      expected: '198.51.100.4',
    },
    {
      behaviour: 'does not let a client put trusted names before its own',
      peer: '10.1.2.3',
      forwarded: '10.0.0.1, 203.0.113.9',
      expected: '203.0.113.9',
    },
    {
      behaviour: 'is the peer when every hop is trusted',
      peer: '10.1.2.3',
      forwarded: '10.4.5.6',
      expected: '10.1.2.3',
    },
    {
      behaviour: 'is the peer when the nearest hop is no address',
      peer: '10.1.2.3',
      forwarded: '203.0.113.9, unknown',
      expected: '10.1.2.3',
    },
    {
      behaviour: 'is the peer when the header is empty',
      peer: '10.1.2.3',
      forwarded: '',
      expected: '10.1.2.3',
    },
    {
      behaviour: 'undresses an IPv4 peer in IPv6 clothes before it is compared',
      peer: '::ffff:10.1.2.3',
      forwarded: '::ffff:203.0.113.9',
      expected: '203.0.113.9',
    },
    {
      behaviour: 'counts an IPv6 household by its /56',
      peer: '2001:db8:1:2:3:4:5:6',
      expected: '2001:db8:1::/56',
    },
    {
      behaviour: 'trusts IPv6 proxies by their network',
      peer: '2001:db8:aaaa::1',
      forwarded: '2001:db8:1:2:ffff::1',
      expected: '2001:db8:1::/56',
    },
    {
      behaviour: 'takes a link-local peer with its zone',
      peer: 'fe80::1%eth0',
      expected: 'fe80::/56',
    },
    { behaviour: 'is the text of a peer without an address', peer: '', expected: '' },
  ])('$behaviour', ({ peer, forwarded, expected }) => {
    proves('forwarded-for-forged')
    expect(findClientAddress(peer, forwarded, trusted)).toBe(expected)
  })

  test('ignores the header when no proxy is trusted', () => {
    proves('forwarded-for-forged')
    expect(findClientAddress('127.0.0.1', '203.0.113.9', [])).toBe('127.0.0.1')
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', true],
    ['2001:db8:1:2::1', '2001:db8:1:102::1', false],
  ])('has %s and %s for one subscriber: %s', (one, other, same) => {
    expect(findClientAddress(one, undefined, []) === findClientAddress(other, undefined, [])).toBe(
      same,
    )
  })
})

describe('isLoopbackPeer', () => {
  test.each([
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['128.0.0.1', false],
    ['10.0.0.1', false],
    ['::', false],
    ['::ffff:10.0.0.1', false],
    ['localhost', false],
    ['', false],
  ])('of %j is %s', (address, expected) => {
    expect(isLoopbackPeer(address)).toBe(expected)
  })
})

describe('isOwnHost', () => {
  test.each([
    ['127.0.0.1:8080', true],
    ['localhost', true],
    ['LOCALHOST:8080', true],
    ['[::1]:8080', true],
    ['ds.example', true],
    ['ds.example:8080', true],
    ['evil.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['evil.example#localhost', false],
    ['10.0.0.1', false],
    ['a b', false],
    ['', false],
    [undefined, false],
  ])('of %j is %s', (header, expected) => {
    expect(isOwnHost(header, ['ds.example'])).toBe(expected)
  })
})
