/** How the outcome for a trust store is shown to a user: one sign has one meaning. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { chooseSign } from './certs.ts'
import { describeTrust } from './trust-report.ts'

test.each([
  ['installed', true, undefined, 'good'],
  ['installed', false, 'read-only', 'bad'],
  ['uninstalled', false, undefined, 'good'],
  ['uninstalled', false, 'certutil is missing', 'note'],
  ['uninstalled', true, 'read-only', 'bad'],
  ['seen', true, undefined, 'good'],
  ['seen', false, undefined, 'note'],
] as const)(
  'a store after "%s", trusted: %s (%s), has the sign %s',
  (action, trusted, reason, sign) => {
    expect(chooseSign({ trusted, ...(reason && { reason }) }, action)).toBe(sign)
  },
)

test('a store that cannot be read after "uninstalled" has the sign of a failure', () => {
  proves('trust-unread')
  const result = { trusted: false, unread: true, reason: 'certutil -L failed' } as const
  expect(chooseSign(result, 'uninstalled')).toBe('bad')
  expect(describeTrust({ store: 'nss', ...result })).toBe('nss cannot be read: certutil -L failed')
})

test('a store with a remedy is described as one that cannot be read', () => {
  const result = {
    store: 'nss',
    trusted: false,
    reason: 'certutil is missing',
    remedy: 'install it',
  }
  expect(describeTrust(result)).toBe('nss cannot be read: certutil is missing')
})

test.each([
  [{ trusted: true }, 'nss trusts the root certificate'],
  [{ trusted: false }, 'nss does not trust the root certificate'],
  [{ trusted: false, reason: 'read-only' }, 'nss does not trust the root certificate: read-only'],
])('a store with %j is described as: %s', (result, what) => {
  expect(describeTrust({ store: 'nss', ...result })).toBe(what)
})
