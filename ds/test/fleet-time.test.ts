/** The fleet as time goes by: keys of replies rotate and get lost, devices stay away, settings differ. */
import type { SyncReply } from '@cardwire/client/protocol'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyring } from '../src/auth/keyring.ts'
import { aDevice, anIdentity, type Device, register } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import type { Json } from './harness/service.ts'

const hour = 3_600_000
const day = 24 * hour
const overlap = day

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

const admin = async (method: string, path: string, body?: Json) =>
  ds.ask(method, path, { token: await ds.login(), ...(body !== undefined && { body }) })
const aVersion = async (id = '4.0.0'): Promise<Json> => {
  const flags = { recommended: false, mandatory: false, allowed: true }
  return (await admin('PUT', '/v3/versions', { id, uris: [], ...flags })).json.data
}
const replyKeys = async (): Promise<Json[]> =>
  (await admin('GET', '/v3/signing-keys')).json.data.filter(({ use }: Json) => use === 'reply')
const inState = async (state: string) =>
  (await replyKeys()).filter((key) => key.state === state).map(({ id }) => id)
const rotate = async () => (await admin('POST', '/v3/signing-keys', { use: 'reply' })).json.data.id
/** Synchronises, which throws when the device does not know the key; answers with the key that signed. */
const signer = async (device: Device) => {
  const { status, json } = await device.sync()
  expect(status).toBe(200)
  return decodeProtectedHeader(json.data).kid
}

test('a clock of the service that was a day ahead locks nobody out once it is right, and nothing is taken twice', async () => {
  const device = await aDevice(ds, await aVersion())
  ds.now += day
  expect((await device.sync()).status).toBe(200)
  ds.now -= day
  const token = await device.assert(JSON.stringify({ version: '4.0.0', platform: 'UNIX' }))
  expect((await device.sync({}, { token })).status).toBe(200)
  expect((await device.sync({}, { token })).json).toMatchObject({ code: 'assertion-replayed' })
})

describe('keys of replies', () => {
  test('a rotation calls up the key that stands by, and nobody is locked out in any phase', async () => {
    const version = await aVersion()
    const [first] = await inState('signing')
    const [reserve] = await inState('standby')
    const devices = {
      always: await aDevice(ds, version),
      awayWhileAnnounced: await aDevice(ds, version),
      awayTillTheEnd: await aDevice(ds, version),
    }
    expect(await rotate()).toBe(reserve)
    expect(await inState('announced')).toEqual([reserve])
    expect(await inState('standby')).toHaveLength(1)
    expect(await signer(devices.always)).toBe(first)
    const newcomer = await aDevice(ds, version)

    ds.now += overlap
    expect(await inState('retiring')).toEqual([first])
    for (const device of [devices.always, devices.awayWhileAnnounced, newcomer])
      expect(await signer(device)).toBe(reserve)

    ds.now += overlap
    expect((await replyKeys()).map(({ id }) => id)).not.toContain(first)
    for (const device of [...Object.values(devices), newcomer])
      expect(await signer(device)).toBe(reserve)
  })

  test('the loss of the key that signs calls up the one that stands by at once', async () => {
    const device = await aDevice(ds, await aVersion())
    const [lost] = await inState('signing')
    const [reserve] = await inState('standby')
    expect((await admin('DELETE', `/v3/signing-keys/${lost}`)).status).toBe(200)
    const { reply, json } = await device.sync()
    expect(decodeProtectedHeader(json.data).kid).toBe(reserve)
    const kids = (reply as SyncReply & { replyKeys: Json[] }).replyKeys.map(({ kid }) => kid)
    expect(kids).toEqual([reserve, ...(await inState('standby'))])
    expect(kids).toHaveLength(2)

    const [next] = await inState('standby')
    await admin('DELETE', `/v3/signing-keys/${reserve}`)
    expect(await signer(device)).toBe(next)
  })

  test('the loss of the key that signs while another is announced locks nobody out', async () => {
    const device = await aDevice(ds, await aVersion())
    const [lost] = await inState('signing')
    const announced = await rotate()
    await admin('DELETE', `/v3/signing-keys/${lost}`)
    expect(await signer(device)).toBe(announced)
  })

  test('the loss of the key that stands by makes another', async () => {
    const device = await aDevice(ds, await aVersion())
    const [lost] = await inState('standby')
    await admin('DELETE', `/v3/signing-keys/${lost}`)
    expect(await signer(device)).toBe((await inState('signing'))[0])
    expect(await inState('standby')).not.toEqual([lost])
    expect(await inState('standby')).toHaveLength(1)
  })

  test('a device that stayed away through three rotations follows the keys from one it knows', async () => {
    const version = await aVersion()
    const device = await aDevice(ds, version)
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await rotate()
      ds.now += 2 * overlap
      // Somebody asks, which makes the key that stands by.
      await aDevice(ds, version)
    }
    await expect(device.sync()).rejects.toThrow('no applicable key')
    await device.follow()
    expect(await signer(device)).toBe((await inState('signing'))[0])
  })

  test('a device that stayed away follows past keys that were lost, with each that signed', async () => {
    const version = await aVersion()
    const device = await aDevice(ds, version)
    for (let loss = 0; loss < 3; loss += 1) {
      const [lost] = await inState('signing')
      expect((await admin('DELETE', `/v3/signing-keys/${lost}`)).status).toBe(200)
      await replyKeys()
    }
    await expect(device.sync()).rejects.toThrow('no applicable key')
    await device.follow()
    expect(await signer(device)).toBe((await inState('signing'))[0])
  })

  test('keys of two that make one at once are vouched for as they are kept, each once', async () => {
    const [one, other] = [createKeyring(ds.services), createKeyring(ds.services)]
    await Promise.all([one.list('reply'), other.list('reply')])
    const { json } = await ds.ask('GET', '/v3/devices/successions')
    const vouched = json.data.map((word: string) => (decodeJwt(word)['key'] as Json).kid)
    const kept = (await replyKeys()).map(({ id }) => id)
    expect(vouched.toSorted()).toEqual(kept.slice(1).toSorted())
  })

  test('keys of tokens vouch for nobody', async () => {
    await aVersion()
    const before = (await ds.ask('GET', '/v3/devices/successions')).json.data
    await admin('POST', '/v3/signing-keys', { use: 'application' })
    expect((await ds.ask('GET', '/v3/devices/successions')).json.data).toEqual(before)
  })

  test('a key is told to devices before it signs', async () => {
    const device = await aDevice(ds, await aVersion())
    const { reply } = await device.sync()
    const announced = await rotate()
    const told = (await device.sync({ state: reply.state })).reply
    expect(told.unchanged).toBe(false)
    expect(told.replyKeys.map(({ kid }: Json) => kid)).toContain(announced)
    expect(told.replyKeys).toHaveLength(3)
  })
})

test('a device that was not seen for as long as the setting says is forgotten, its logs too', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_DEVICE_RETENTION_DAYS: '30' })
  const version = await aVersion()
  const [kept, gone] = [await aDevice(ds, version), await aDevice(ds, version)]
  ds.now += 30 * day
  await kept.sync()
  expect((await admin('GET', `/v3/devices/${gone.id}`)).status).toBe(200)
  ds.now += day
  await kept.sync()
  expect((await admin('GET', `/v3/devices/${gone.id}`)).status).toBe(404)
  expect((await gone.sync()).json.code).toBe('device-unknown')
  expect((await admin('GET', `/v3/devices/${kept.id}`)).status).toBe(200)
})

test('a device whose clock is right within five minutes is served, and learns the time of the service', async () => {
  const device = await aDevice(ds, await aVersion())
  const seconds = ds.now / 1000
  const from = (iat: number) => device.sync({}, { claims: { iat, exp: iat + 60 } })
  expect((await from(seconds - 299)).reply.iat).toBe(seconds)
  expect((await from(seconds + 299)).status).toBe(200)
  expect((await from(seconds + 301)).headers.get('date')).toBe(new Date(ds.now).toUTCString())
})

test('DS_CYCLE is what devices are told', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_CYCLE: '7' })
  const device = await aDevice(ds, await aVersion())
  expect(device.registration.cycle).toBe(7)
  expect((await device.sync()).reply.cycle).toBe(7)
})

test('DS_USER_NAMES=on keeps the names of people', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_USER_NAMES: 'on' })
  const device = await aDevice(ds, await aVersion())
  const user = { username: 'jdoe', name: 'Jane Doe', country: 'BE' }
  await device.sync({ user })
  expect((await admin('GET', `/v3/devices/${device.id}`)).json.data.user).toEqual(user)
})

describe('DS_IMPLICIT_VERSIONS=on', () => {
  beforeEach(async () => {
    await ds.stop()
    ds = await startInProcess({ DS_IMPLICIT_VERSIONS: 'on' })
  })
  const versions = async () =>
    (await admin('GET', '/v3/versions')).json.data.items.map(({ id }: Json) => id)

  test('makes a version that a device names, once, and says so in the audit', async () => {
    const { installationApiKey } = await aVersion()
    const registered = await register(ds, await anIdentity(), installationApiKey, {
      version: '4.1.0',
    })
    expect(registered.status).toBe(201)
    const device = await aDevice(ds, { id: '4.1.0', installationApiKey })
    const answers = await Promise.all([
      device.sync({ version: '4.2.0' }),
      (await aDevice(ds, { id: '4.1.0', installationApiKey })).sync({ version: '4.2.0' }),
    ])
    for (const { reply } of answers)
      expect(reply.verdict).toEqual({ action: 'none', version: '4.2.0' })
    expect(await versions()).toEqual(['4.2.0', '4.1.0', '4.0.0'])
    const { items } = (await admin('GET', '/v3/audit?kind=version&size=100')).json.data
    const implicit = items.filter(({ id }: Json) => id !== '4.0.0')
    expect(implicit.map(({ id, operation }: Json) => [id, operation])).toEqual([
      ['4.2.0', 'syncDevice'],
      ['4.1.0', 'registerDevice'],
    ])
  })

  test('makes no version without a key, nor one that differs in build metadata alone', async () => {
    const { installationApiKey } = await aVersion()
    const by = (apikey: string, version: string) =>
      anIdentity().then((identity) => register(ds, identity, apikey, { version }))
    expect((await by(crypto.randomUUID(), '4.1.0')).json.code).toBe('api-key-refused')
    expect((await by(installationApiKey, '4.0.0+other')).json.code).toBe('version-unknown')
    expect(await versions()).toEqual(['4.0.0'])
  })
})

test('registrations from an address are limited by the minute', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_TOKEN_LIMIT: '3' })
  const { id: version, installationApiKey } = await aVersion()
  const by = async (from: string) =>
    register(ds, await anIdentity(), installationApiKey, { version }, { from })
  for (let n = 0; n < 3; n += 1) expect((await by('192.0.2.7')).status).toBe(201)
  const limited = await by('192.0.2.7')
  expect([limited.status, limited.json.code]).toEqual([429, 'too-many-requests'])
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await by('192.0.2.8')).status).toBe(201)
})
