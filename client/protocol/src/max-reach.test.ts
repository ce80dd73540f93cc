import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isApprovedOperation } from './approval.ts'
import { dsOperations } from './ds.ts'

/** Changes of administrators that may reach many devices, or many applications: each takes the number that was shown. */
const limited = [
  'changeDevices',
  'changeRollout',
  'copyConfigurations',
  'deleteConfiguration',
  'deleteInstaller',
  'deleteLabel',
  'deleteOrganization',
  'deleteRollout',
  'deleteSigningKey',
  'deleteVersion',
  'haltRollouts',
  'patchConfiguration',
  'patchLabel',
  'patchVersion',
  'putConfiguration',
  'putGroup',
  'putInstaller',
  'putLabel',
  'putRollout',
  'putVersion',
  'restoreConfiguration',
  'restoreVersion',
  'revokeLabelKey',
  'rotateLabelKey',
]

/** The others, and why no number has to be shown. */
const others: Readonly<Record<string, readonly string[]>> = {
  'one device': [
    'approveDevice',
    'putDeviceTags',
    'blockDevice',
    'unblockDevice',
    'requestSync',
    'deleteDevice',
  ],
  'one API client': [
    'addApiClient',
    'addClientCredential',
    'changeApiClient',
    'removeApiClient',
    'removeClientCredential',
  ],
  'one account, or its own': [
    'addAdministrator',
    'beginSecondFactor',
    'changePassword',
    'changeRole',
    'confirmSecondFactor',
    'createRecoveryCodes',
    'endAdministratorSessions',
    'endOtherSessions',
    'endOwnSession',
    'removeAdministrator',
    'removeSecondFactor',
    'resetSecondFactor',
    'setPassword',
  ],
  'nothing yet: what it would change is counted': ['putTagImport'],
  'a name': ['putOrganization', 'patchOrganization'],
  'something that nothing refers to': ['deleteGroup'],
  'a file that a version in use keeps: it cannot be replaced or removed': [
    'putKeystore',
    'deleteKeystore',
  ],
  'one webhook': [
    'deleteWebhook',
    'putWebhook',
    'redeliverWebhookEvent',
    'rotateWebhookSecret',
    'testWebhook',
  ],
  'a change that has not been made': ['removeApproval'],
  'the key before works until the new one does': ['rotateSigningKey'],
}

const roles: readonly string[] = ['viewer', 'operator', 'publisher', 'administrator']

test('every change of administrators takes the number that was shown, or reaches one thing only', () => {
  proves('affected-known')
  const changes = dsOperations.filter(
    ({ method, access }) => method !== 'GET' && roles.includes(access),
  )
  const takesLimit = changes.filter(({ query }) => query !== undefined && 'maxReach' in query.shape)
  expect(takesLimit.map(({ name }) => name).toSorted()).toEqual(limited)
  expect(changes.map(({ name }) => name).toSorted()).toEqual(
    [...limited, ...Object.values(others).flat()].toSorted(),
  )
})

test('of the changes that take the number, those that decide which version devices get need a second administrator', () => {
  proves('second-administrator')
  const decides = new Set([
    'changeRollout',
    'deleteRollout',
    'deleteVersion',
    'patchVersion',
    'putRollout',
    'putVersion',
    'restoreVersion',
  ])
  expect(Object.fromEntries(limited.map((name) => [name, isApprovedOperation(name)]))).toEqual(
    Object.fromEntries(limited.map((name) => [name, decides.has(name)])),
  )
  const approved = dsOperations.map(({ name }) => name).filter(isApprovedOperation)
  expect(approved.filter((name) => !limited.includes(name))).toEqual([])
})

test('every operation that takes an installation key says what a new one ends', () => {
  proves('affected-known')
  const taking = dsOperations.filter(
    ({ body }) =>
      body !== undefined &&
      'schema' in body &&
      'shape' in body.schema &&
      'installationApiKey' in (body.schema.shape as object),
  )
  const ends =
    'A new key ends the old one immediately: computers with the old key that are not registered yet can no longer register.'
  expect(taking.map(({ name, description = '' }) => [name, description.includes(ends)])).toEqual([
    ['putVersion', true],
    ['patchVersion', true],
  ])
})
