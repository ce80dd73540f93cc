/** What each page that asks before a change says of the way back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createOrganization, createVersion, getData, uploadInstaller } from '../harness/arrange.ts'
import { openPageSession } from '../harness/page-session.ts'
import { findAddress, screens } from './screens.ts'
import { type SeededService, startSeededService } from './seeded-service.ts'

let seeded: SeededService
beforeAll(async () => {
  seeded = await startSeededService()
})
afterAll(() => seeded?.service.stop())

/** A form with a dangerous button and a way out is the question; the paragraph before it says whether there is a way back. */
const question =
  /(?:<p>([^<]*)<\/p>)?<form method="post"(?:(?!<\/form>).)*<div class="actions"><button type="submit" class="danger">(?:(?!<\/form>).)*<a href/s

/** The same of pages that ask before something harmless. */
const harmlessQuestion =
  /(?:<p>([^<]*)<\/p>)?<form method="post"(?:(?!<\/form>).)*<div class="actions"><button type="submit">(?:(?!<\/form>).)*<a href/s
const harmless = [
  ...['device-sync', 'device-unblock', 'rollout-pause'],
  ...['rotate-administrator-key', 'rotate-application-key', 'rotate-reply-key'],
]

const none = 'This can’t be undone.'
const undo = 'You can undo this afterward.'
const atAnyTime =
  'You can pause or halt the rollout at any time. Devices that have installed the version keep it.'
const rotation = 'To undo this, revoke the announced key before it starts signing.'

test('every page that asks before a change says whether it can be undone', async () => {
  proves('label-acts-confirmed')
  const session = await openPageSession(seeded.service)
  const found: Record<string, string | undefined> = {}
  for (const screen of screens.filter(({ isPublic }) => !isPublic)) {
    const asks = harmless.includes(screen.name) ? harmlessQuestion : question
    const match = asks.exec((await session.get(findAddress(screen, seeded))).text)
    if (match) found[screen.name] = match[1]
  }
  // Those of the screens are in use, and cannot be removed yet.
  const { service } = seeded
  const { id } = await createOrganization(service, await service.login())
  await uploadInstaller(service, await service.login(), { name: 'unused.deb' })
  // Its first revision differs from what it is.
  const token = await service.login()
  const version = (await createVersion(service, token)).id
  const body = { allowed: false }
  getData(await service.request('PATCH', `/v3/versions/${version}`, { token, body }))
  for (const [name, address] of [
    ['version-restore', `versions/${version}/history/1/restore`],
    ['organization-remove', `organizations/${id}/remove`],
    ['installer-remove', 'installers/unused.deb/remove'],
  ] as const)
    found[name] = question.exec((await session.get(address)).text)?.[1]
  expect(found).toEqual({
    'device-approve': `${none} Blocking or removing the device later doesn’t delete its keystore.`,
    'device-sync': 'Nothing else changes.',
    'device-block': 'You can unblock the device afterward.',
    'device-unblock': 'You can block the device again afterward.',
    'device-remove': none,
    'devices-change': 'For 30 days, you can unblock exactly these devices in “Bulk changes”.',
    'version-key': `${none} The service doesn’t keep the old key.`,
    'version-restore': undo,
    'rollout-start': atAnyTime,
    'rollout-resume': atAnyTime,
    'rollout-pause': 'You can resume the rollout afterward.',
    'rollout-halt': 'You can resume the rollout afterward.',
    'rollout-finish':
      'A finished rollout can’t be resumed or halted. To stop offering the version, change its release settings.',
    'stop-review': 'You can resume each rollout and allow the version again afterward.',
    'rollout-remove': 'This can’t be undone, but you can create the rollout again.',
    'group-remove': 'This can’t be undone, but you can create the group again.',
    'version-remove': `${none} The history of the version is removed, too.`,
    'installer-remove': 'This can’t be undone, but you can upload the file again.',
    'configuration-restore': undo,
    'configuration-remove': undo,
    'organization-remove': none,
    'label-rotate': none,
    'label-revoke': none,
    'label-remove': none,
    'rotate-application-key': rotation,
    'rotate-administrator-key': rotation,
    'rotate-reply-key': rotation,
    'signing-key-withdraw': none,
    'administrator-password': none,
    'administrator-factor': none,
    'administrator-remove': none,
    'api-client-revoke': none,
    'api-client-remove': none,
    'webhook-secret': none,
    'webhook-remove': none,
  })
})
