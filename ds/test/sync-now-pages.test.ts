/** Asking devices to sync from their pages. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'
import { readHidden } from './harness/page-text.ts'

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

async function createDevices() {
  const version = await createVersion(ds, await ds.login())
  const [one, blocked] = [await createDevice(ds, version), await createDevice(ds, version)]
  await ds.request('POST', `/v3/devices/${blocked.id}/block`, { token: await ds.login() })
  return { one, blocked }
}

test('the page of a device asks it to sync, and says when it will; not that of a blocked one', async () => {
  proves('sync-now')
  const { one, blocked } = await createDevices()
  const session = await openPageSession(ds)
  expect((await session.get(`devices/${blocked.id}`)).text).not.toContain('>Sync now<')
  expect((await session.get(`devices/${one.id}`)).text).toContain(
    `<a class="button second" href="devices/${one.id}/sync">Sync now</a>`,
  )
  const review = (await session.get(`devices/${one.id}/sync`)).text
  expect(review).toContain(
    'If the device keeps a connection open, it syncs within seconds. Otherwise, it syncs within 8 hours, as usual.',
  )
  const { status, headers } = await session.post(`devices/${one.id}/sync`, {})
  expect([status, headers.get('location')]).toEqual([303, `../../devices/${one.id}?done=sync`])
  const done = (await session.get(`devices/${one.id}?done=sync`)).text
  expect(done).toContain('The device was asked to sync.')
  expect(done).toContain('Asked to sync')
  expect((await session.get('audit?kind=device')).text).toContain('Asked a device to sync')
})

test('the list asks all that it has to sync, after their number was shown', async () => {
  proves('sync-now', 'many-devices-confirmed')
  await createDevices()
  const session = await openPageSession(ds)
  expect((await session.get('devices')).text).toContain('>Sync devices now<')
  const to = 'devices/change?change=sync'
  const review = (await session.get(to)).text
  expect(review).toContain('1 device will change.')
  expect(review).toContain('Blocked devices can’t sync, so they aren’t asked.')
  const form = { id: readHidden(review, 'id'), maxReach: readHidden(review, 'maxReach') }
  expect(form.maxReach).toBe('1')
  await session.post(to, { ...form, confirm: '1' })
  const done = (await session.get(`devices/changes/${form.id}`)).text
  expect(done).toContain('1 device was asked to sync.')
  expect(done).not.toContain('>Undo<')
})
