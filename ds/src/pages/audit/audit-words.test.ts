/** Every operation of the audit log has words. */
import { dsOperations, isManagement } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { nameField, nameOperation } from './audit-words.ts'

const names = [
  ...dsOperations.filter(isManagement).map(({ name }) => name),
  // Written by logins, by devices, by the service itself and by its command.
  ...[
    'issueToken',
    'logInBrowser',
    'logInRefused',
    'useRecoveryCode',
    'useBreakGlass',
    'registerDevice',
    'syncDevice',
  ],
  ...['removeUnseenDevices', 'rotateSecret', 'haltRollout', 'advanceRollout', 'notice'],
]

test.each(names)('nameOperation has words for "%s"', (name) => {
  expect(nameOperation(name)).toMatch(/^[A-Z][a-z]+ /)
})

test('nameOperation says that a change was undone', () => {
  expect(nameOperation('putLabel:undone')).toBe('Added or changed an application (undone)')
})

test.each(['ofTomorrow', 'toString'])('nameOperation has "%s" itself', (name) => {
  expect(nameOperation(name)).toBe(name)
})

test.each([
  ...['name', 'orgId', 'apiKey', 'recommended', 'mandatory', 'allowed', 'uris', 'password', 'role'],
  ...['installationApiKey', 'content', 'config', 'config.cors', 'config.cards', 'config.files'],
  ...['config.uri', 'config.password', 'config.digest', 'blocked', 'approved', 'secondFactor'],
  ...['recoveryCode', 'session', 'use', 'algorithm', 'signsFrom', 'tags'],
  ...['rules', 'priority', 'url', 'events', 'enabled', 'secret', 'test', 'event', 'halt'],
  ...['version', 'state', 'stage', 'stages', 'flag', 'goodRate', 'badRate'],
])('nameField has a word for "%s"', (field) => {
  expect(nameField(field)).toMatch(/^[A-Z]/)
})

test.each(['config.limits', 'newField', 'toString'])('nameField leaves "%s" as it is', (field) => {
  expect(nameField(field)).toBe(field)
})
