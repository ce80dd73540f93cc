/** Which addresses and host names are this machine's own. */
import { expect, test } from 'vitest'
import { isLoopbackAddress, isLoopbackHost, isLoopbackHostInBrowsers } from './loopback.ts'

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['10.0.0.1', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::2', false],
  ['127.0.0.1.shop.example', false],
  ['localhost', false],
  ['', false],
])('isLoopbackAddress of %j is %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected)
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['a.localhost', false],
  ['localhost.shop.example', false],
  ['shop.example', false],
])('isLoopbackHost of %j is %s', (hostname, expected) => {
  expect(isLoopbackHost(hostname)).toBe(expected)
})

test.each([
  ['localhost', true],
  ['a.localhost', true],
  ['a.b.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['.localhost', false],
  ['notlocalhost', false],
  ['localhost.shop.example', false],
])('isLoopbackHostInBrowsers of %j is %s', (hostname, expected) => {
  expect(isLoopbackHostInBrowsers(hostname)).toBe(expected)
})
