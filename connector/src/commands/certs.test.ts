/** What a person is told of the stores: one sign has one meaning. */
import { expect, test } from 'vitest'
import { signOf } from './certs.ts'
import { storeWords } from './store-words.ts'

test.each([
  ['installed', true, undefined, 'good'],
  ['installed', false, 'read-only', 'bad'],
  ['uninstalled', false, undefined, 'good'],
  ['uninstalled', false, 'certutil is missing', 'note'],
  ['uninstalled', true, 'read-only', 'bad'],
  ['seen', true, undefined, 'good'],
  ['seen', false, undefined, 'note'],
] as const)('store that was %s and believes: %s (%s), is %s', (asked, trusted, reason, sign) => {
  expect(signOf({ trusted, ...(reason && { reason }) }, asked)).toBe(sign)
})

test('store that cannot be asked is told with what makes it one that can', () => {
  const reason = 'certutil is missing: install libnss3-tools (Debian)'
  expect(storeWords({ store: 'nss', trusted: false, reason })).toEqual({
    what: 'nss cannot be asked: certutil is missing',
    remedy: 'install libnss3-tools (Debian)',
  })
})

test.each([
  [{ trusted: true }, 'nss believes the root'],
  [{ trusted: false }, 'nss does not believe the root'],
  [{ trusted: false, reason: 'read-only' }, 'nss does not believe the root: read-only'],
])('store with %j: %s', (result, what) => {
  expect(storeWords({ store: 'nss', ...result })).toEqual({ what })
})
