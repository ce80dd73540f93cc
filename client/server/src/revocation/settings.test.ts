/** Options that are refused, and URLs that are not requested. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { isAllowedUrl } from './address.ts'
import { createRevocationChecker } from './checker.ts'

test.each<[string, object]>([
  ['onUnknown', {}],
  ['onUnknown', { onUnknown: 'ignore' }],
  ['fetch', { fetch: 'https://proxy.example' }],
  ['clock', { clock: 7 }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: 2 ** 31 }],
  ['clockToleranceMs', { clockToleranceMs: -1 }],
  ['requireNonce', { requireNonce: 'yes' }],
  ['allowPrivateAddresses', { allowPrivateAddresses: 1 }],
  ['maxCrlBytes', { maxCrlBytes: Number.NaN }],
  ['maxCacheBytes', { maxCacheBytes: 1.5 }],
])('createRevocationChecker refuses the option %s of %o', (name, given) => {
  const options = name === 'onUnknown' ? given : { onUnknown: 'refuse', ...given }
  expect(() => createRevocationChecker(options as never)).toThrow(
    new RegExp(`^Cannot use ${name}: expected `),
  )
})

test.each<[url: string, isPublic: boolean, isPrivate: boolean]>([
  ['http://ocsp.example/path?query', true, true],
  ['https://ocsp.example/', true, true],
  ['http://93.184.216.34/', true, true],
  ['http://[2606:4700::1111]/', true, true],
  ['http://10.0.0.1/', false, true],
  ['http://127.0.0.1:8080/', false, true],
  ['http://100.64.0.1/', false, true],
  ['http://localhost/', false, true],
  ['http://a.localhost./', false, true],
  ['http://2130706433/', false, true],
  ['http://0x7f.1/', false, true],
  ['http://[::1]/', false, true],
  ['http://[fd00::1]/', false, true],
  ['http://[::ffff:10.0.0.1]/', false, true],
  ['http://169.254.169.254/', false, false],
  ['http://[::ffff:a9fe:a9fe]/', false, false],
  ['http://[::a9fe:a9fe]/', false, false],
  ['http://[64:ff9b::7f00:1]/', false, false],
  ['http://168.63.129.16/', false, false],
  ['http://100.100.100.200/', false, false],
  ['http://[fd00:ec2::254]/', false, false],
  ['http://[fd20:ce::254]/', false, false],
  ['http://[::fffe:7f00:1]/', false, false],
  ['http://[4000::1]/', false, false],
  ['http://0.0.0.0/', false, false],
  ['http://user:password@ocsp.example/', false, false],
  ['ldap://ocsp.example/', false, false],
  ['file:///etc/passwd', false, false],
  ['http://', false, false],
])('%s is requested: %s, and with allowPrivateAddresses: %s', (url, isPublic, isPrivate) => {
  proves('revocation-costly')
  expect([isAllowedUrl(url, false), isAllowedUrl(url, true)]).toEqual([isPublic, isPrivate])
})
