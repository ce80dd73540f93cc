/** Keystores of groups: what is true when a device syncs decides, not what was checked when the keystore was saved. */
import type { GroupRule } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { deviceGroups } from '../src/db/schema.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { startInProcess } from './harness/in-process.ts'

test('a keystore whose group was loosened at the moment it was saved is for no device', async () => {
  proves('group-claimed', 'group-keystore')
  const ds = await startInProcess({ DS_MAX_REACH: 'any' })
  try {
    const token = await ds.login()
    const admin = async (method: string, path: string, body?: Json) =>
      getData(await ds.request(method, path, { token, body }))
    const version = await createVersion(ds, token)
    const id = crypto.randomUUID()
    await admin('PUT', `/v3/groups/${id}`, { name: 'Tills', rules: [{ tags: ['till'] }] })
    const file = (name: string, config: Json = {}) => ({
      ...{ type: 'SSL_KEYSTORE', versionId: version.id, ...config },
      config: { uri: `https://downloads.example/${name}.p12`, password: 'secret' },
    })
    await admin('PUT', '/v3/configurations', file('all'))
    await admin('PUT', '/v3/configurations', file('tills', { groupId: id }))
    const claims = { device: { hostname: 'till-1' } }
    const device = await createDevice(ds, version, claims)
    const readUri = async () => (await device.sync(claims)).reply.keystore?.uri
    await admin('PUT', `/v3/devices/${device.id}/tags`, { tags: ['till'] })
    expect(await readUri()).toBe('https://downloads.example/tills.p12')
    // As if both changes had passed their checks before either was saved.
    const setRules = async (rules: readonly GroupRule[]) => {
      await ds.services.db.update(deviceGroups).set({ rules }).where(eq(deviceGroups.id, id))
      // The catalog is read again.
      await admin('PUT', `/v3/groups/${crypto.randomUUID()}`, {
        ...{ name: crypto.randomUUID(), rules: [{ tags: ['none'] }] },
      })
    }
    await setRules([{ hostnames: ['till-*'] }])
    expect(await readUri()).toBe('https://downloads.example/all.p12')
    const { configurations } = await admin('GET', `/v3/devices/${device.id}`)
    expect(configurations).toMatchObject([{ type: 'SSL_KEYSTORE' }])
    expect(configurations[0].groupId).toBeUndefined()
    await setRules([{ tags: ['till'], hostnames: ['till-*'] }])
    expect(await readUri()).toBe('https://downloads.example/tills.p12')
  } finally {
    await ds.stop()
  }
})

test('a tag that a device reports does not get it approved', async () => {
  proves('tag-reported-for-approval')
  const ds = await startInProcess({ DS_MAX_REACH: 'any', DS_DEVICE_APPROVAL: 'on' })
  try {
    const token = await ds.login()
    const admin = async (method: string, path: string, body?: Json) =>
      getData(await ds.request(method, path, { token, body }))
    const version = await createVersion(ds, token)
    const liar = await createDevice(ds, version, { device: { hostname: 'liar', tags: ['berlin'] } })
    const honest = await createDevice(ds, version, { device: { hostname: 'honest' } })
    await admin('PUT', `/v3/devices/${honest.id}/tags`, { tags: ['berlin'] })
    const readReach = async (change: string) =>
      (await admin('GET', `/v3/devices/reach?tag=berlin&change=${change}`)).reach
    expect([await readReach('block'), await readReach('approve')]).toEqual([2, 1])
    const path = `/v3/device-changes/${crypto.randomUUID()}?tag=berlin&maxReach=1`
    expect(await admin('PUT', path, { change: 'approve' })).toMatchObject({ reach: 1, done: 1 })
    const isApproved = async ({ id }: { readonly id: string }) =>
      (await admin('GET', `/v3/devices/${id}`)).approved
    expect([await isApproved(liar), await isApproved(honest)]).toEqual([false, true])
  } finally {
    await ds.stop()
  }
})

test('a device that is not approved gets no tag by the host name that it reports', async () => {
  proves('tag-reported-for-approval', 'tag-import')
  const ds = await startInProcess({ DS_MAX_REACH: 'any', DS_DEVICE_APPROVAL: 'on' })
  try {
    const token = await ds.login()
    const admin = async (method: string, path: string, body?: Json | string) => {
      const headers = typeof body === 'string' ? { 'content-type': 'text/csv' } : {}
      return getData(await ds.request(method, path, { token, body, headers }))
    }
    const version = await createVersion(ds, token)
    const liar = await createDevice(ds, version, { device: { hostname: 'desk-7' } })
    const read = (text: string) => admin('PUT', `/v3/tag-imports/${crypto.randomUUID()}`, text)
    const file = 'hostname,tags\nDesk-7,berlin\n'
    expect(await read(file)).toMatchObject({ reach: 0, unknown: { count: 1, names: ['Desk-7'] } })
    expect(await read(`id,tags\n${liar.id},berlin\n`)).toMatchObject({ reach: 1 })
    const real = await createDevice(ds, version, { device: { hostname: 'desk-7' } })
    await admin('POST', `/v3/devices/${real.id}/approve`)
    // Nor does it make the name ambiguous.
    expect(await read(file)).toMatchObject({ reach: 1, ambiguous: { count: 0 } })
  } finally {
    await ds.stop()
  }
})
