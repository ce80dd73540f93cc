/** Devices as time passes: keys of replies rotate and are retired, devices are away, settings differ. */
import type { SyncReply } from '@cardwire/protocol'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createServiceClient, type Json } from '../../test/bed/service-request.ts'
import { createApp } from '../src/app.ts'
import { createKeyring } from '../src/auth/keys/keyring.ts'
import { readSettings } from '../src/settings.ts'
import { createDevice, createIdentity, type Device, register } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'

const hour = 3_600_000
const day = 24 * hour
const overlap = day

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

const admin = async (method: string, path: string, body?: Json) =>
  ds.request(method, path, { token: await ds.login(), ...(body !== undefined && { body }) })
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

test('a clock of the service that was a day ahead locks no device out once it is right, and no assertion is accepted twice', async () => {
  proves('service-clock-ahead')
  const device = await createDevice(ds, await aVersion())
  ds.now += day
  expect((await device.sync()).status).toBe(200)
  ds.now -= day
  const token = await device.createAssertion(JSON.stringify({ version: '4.0.0', platform: 'UNIX' }))
  expect((await device.sync({}, { token })).status).toBe(200)
  expect((await device.sync({}, { token })).json).toMatchObject({ code: 'assertion-replayed' })
})

describe('keys of replies', () => {
  test('a key whose successor has signed for the overlap signs no more, also once a clock that was ahead is right', async () => {
    proves('service-clock-ahead')
    const device = await createDevice(ds, await aVersion())
    const successor = await rotate()
    ds.now += 3 * overlap
    expect(await signer(device)).toBe(successor)
    ds.now -= 3 * overlap
    expect(await signer(device)).toBe(successor)
    expect(await inState('signing')).toEqual([successor])
  })

  test('rotation activates the standby key, and no device is locked out in any phase', async () => {
    const version = await aVersion()
    const [first] = await inState('signing')
    const [reserve] = await inState('standby')
    const devices = {
      always: await createDevice(ds, version),
      awayWhileAnnounced: await createDevice(ds, version),
      awayTillTheEnd: await createDevice(ds, version),
    }
    expect(await rotate()).toBe(reserve)
    expect(await inState('announced')).toEqual([reserve])
    expect(await inState('standby')).toHaveLength(1)
    expect(await signer(devices.always)).toBe(first)
    const newcomer = await createDevice(ds, version)

    ds.now += overlap
    expect(await inState('retiring')).toEqual([first])
    for (const device of [devices.always, devices.awayWhileAnnounced, newcomer])
      expect(await signer(device)).toBe(reserve)

    ds.now += overlap
    expect((await replyKeys()).map(({ id }) => id)).not.toContain(first)
    for (const device of [...Object.values(devices), newcomer])
      expect(await signer(device)).toBe(reserve)
  })

  test('retiring the key that signs makes the standby key sign at once', async () => {
    const device = await createDevice(ds, await aVersion())
    const [lost] = await inState('signing')
    const [reserve] = await inState('standby')
    expect((await admin('DELETE', `/v3/signing-keys/${lost}?maxReach=999999999`)).status).toBe(200)
    const { reply, json } = await device.sync()
    expect(decodeProtectedHeader(json.data).kid).toBe(reserve)
    const kids = (reply as SyncReply & { replyKeys: Json[] }).replyKeys.map(({ kid }) => kid)
    expect(kids).toEqual([reserve, ...(await inState('standby'))])
    expect(kids).toHaveLength(2)

    const [next] = await inState('standby')
    await admin('DELETE', `/v3/signing-keys/${reserve}?maxReach=999999999`)
    expect(await signer(device)).toBe(next)
  })

  test('retiring the key that signs while another is announced locks no device out', async () => {
    const device = await createDevice(ds, await aVersion())
    const [lost] = await inState('signing')
    const announced = await rotate()
    await admin('DELETE', `/v3/signing-keys/${lost}?maxReach=999999999`)
    expect(await signer(device)).toBe(announced)
  })

  test('retiring the standby key adds another', async () => {
    const device = await createDevice(ds, await aVersion())
    const [lost] = await inState('standby')
    await admin('DELETE', `/v3/signing-keys/${lost}?maxReach=999999999`)
    expect(await signer(device)).toBe((await inState('signing'))[0])
    expect(await inState('standby')).not.toEqual([lost])
    expect(await inState('standby')).toHaveLength(1)
  })

  test('a device that was away during three rotations follows the endorsements from the key it knows', async () => {
    proves('rotations-missed')
    const version = await aVersion()
    const device = await createDevice(ds, version)
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await rotate()
      ds.now += 2 * overlap
      // Somebody asks, which makes the key that stands by.
      await createDevice(ds, version)
    }
    await expect(device.sync()).rejects.toThrow('no applicable key')
    await device.followKeyRotations()
    expect(await signer(device)).toBe((await inState('signing'))[0])
  })

  test('a device that was away follows the endorsements past retired keys', async () => {
    const version = await aVersion()
    const device = await createDevice(ds, version)
    for (let loss = 0; loss < 3; loss += 1) {
      const [lost] = await inState('signing')
      expect((await admin('DELETE', `/v3/signing-keys/${lost}?maxReach=999999999`)).status).toBe(
        200,
      )
      await replyKeys()
    }
    await expect(device.sync()).rejects.toThrow('no applicable key')
    await device.followKeyRotations()
    expect(await signer(device)).toBe((await inState('signing'))[0])
  })

  test('of two keys that are added at once the stored one is endorsed, once', async () => {
    const [one, other] = [createKeyring(ds.services), createKeyring(ds.services)]
    await Promise.all([one.list('reply'), other.list('reply')])
    const { json } = await ds.request('GET', '/v3/devices/successions')
    const vouched = json.data.map((word: string) => (decodeJwt(word)['key'] as Json).kid)
    const kept = (await replyKeys()).map(({ id }) => id)
    expect(vouched.toSorted()).toEqual(kept.slice(1).toSorted())
  })

  test('keys of tokens endorse no key', async () => {
    await aVersion()
    const before = (await ds.request('GET', '/v3/devices/successions')).json.data
    await admin('POST', '/v3/signing-keys', { use: 'application' })
    expect((await ds.request('GET', '/v3/devices/successions')).json.data).toEqual(before)
  })

  test('a key is published to devices before it signs', async () => {
    const device = await createDevice(ds, await aVersion())
    const { reply } = await device.sync()
    const announced = await rotate()
    const renewed = (await device.sync({ state: reply.state })).reply
    expect(renewed.unchanged).toBe(false)
    expect(renewed.replyKeys.map(({ kid }: Json) => kid)).toContain(announced)
    expect(renewed.replyKeys).toHaveLength(3)
  })
})

describe('devices that were not seen for DS_DEVICE_RETENTION_DAYS', () => {
  const state = async (device: Device) =>
    (await admin('GET', `/v3/devices/${device.id}`)).status === 200
  const passDays = async (days: number, device: Device) => {
    for (let passed = 0; passed < days; passed += 1) {
      ds.now += day
      await device.sync()
    }
  }
  const lines: Json[] = []
  const restart = async (
    settings: Readonly<Record<string, string>>,
    changes: Parameters<typeof startInProcess>[2] = {},
  ) => {
    await ds.stop()
    lines.length = 0
    const write = (event: string, fields: Json) => lines.push({ event, ...fields })
    ds = await startInProcess(settings, undefined, {
      log: { info: () => undefined, warn: write, error: write },
      ...changes,
    })
  }

  test('are deleted, each with an entry in the audit, and blocked devices stay', async () => {
    proves('service-clock-jump')
    await restart({ DS_DEVICE_RETENTION_DAYS: '30' })
    const version = await aVersion()
    const [kept, gone] = [await createDevice(ds, version), await createDevice(ds, version)]
    const blocked = await createDevice(ds, version)
    await gone.request('POST', '/v3/devices/logs', new Uint8Array([1]))
    await admin('POST', `/v3/devices/${blocked.id}/block`)
    await passDays(30, kept)
    expect(await state(gone)).toBe(true)
    await passDays(1, kept)
    expect([await state(gone), await state(kept), await state(blocked)]).toEqual([
      false,
      true,
      true,
    ])
    expect((await gone.sync()).json.code).toBe('device-unknown')
    const { items } = (await admin('GET', `/v3/audit?kind=device&id=${gone.id}`)).json.data
    expect(items).toEqual([
      {
        sequence: expect.any(Number),
        at: new Date(ds.now).toISOString(),
        who: { subject: 'local', name: 'local' },
        operation: 'removeUnseenDevices',
        kind: 'device',
        id: gone.id,
        fields: [],
      },
    ])
    // The block is still known when the device comes back.
    expect((await blocked.sync()).json.code).toBe('device-blocked')
  })

  test('stay when the clock of the service is ahead once, and the log says so', async () => {
    proves('service-clock-jump')
    await restart({})
    const version = await aVersion()
    const [kept, away] = [await createDevice(ds, version), await createDevice(ds, version)]
    await passDays(30, kept)
    lines.length = 0
    ds.now += 402 * day
    await kept.sync()
    expect(await state(away)).toBe(true)
    expect(lines.filter(({ event }) => event === 'clock jumped')).toEqual([
      { event: 'clock jumped', days: 402, removalsFrom: expect.any(String) },
    ])
    ds.now -= 402 * day
    await passDays(30, kept)
    expect([await state(away), await state(kept)]).toEqual([true, true])
  })

  test('stay when the clock of the service is ahead in steps of a few days, and the log says so', async () => {
    proves('service-clock-jump')
    let uptime = 0
    await restart({}, { uptime: () => uptime })
    const version = await aVersion()
    const [kept, away] = [await createDevice(ds, version), await createDevice(ds, version)]
    for (let days = 0; days < 30; days += 1) {
      uptime += day
      ds.now += day
      await kept.sync()
    }
    for (let days = 0; days < 420; days += 4) {
      ds.now += 4 * day
      await kept.sync()
    }
    expect([await state(away), await state(kept)]).toEqual([true, true])
    expect(lines.some(({ event }) => event === 'clock jumped')).toBe(true)
  })

  test('are deleted a fortnight after a jump of the clock that lasts', async () => {
    proves('service-clock-jump')
    await restart({})
    const version = await aVersion()
    const [kept, gone] = [await createDevice(ds, version), await createDevice(ds, version)]
    await passDays(30, kept)
    ds.now += 402 * day
    await kept.sync()
    await passDays(13, kept)
    expect(await state(gone)).toBe(true)
    await passDays(1, kept)
    expect([await state(gone), await state(kept)]).toEqual([false, true])
  })

  test('are deleted although one of their requests came while the clock was ahead', async () => {
    await restart({ DS_DEVICE_RETENTION_DAYS: '20' })
    const version = await aVersion()
    const [kept, gone] = [await createDevice(ds, version), await createDevice(ds, version)]
    ds.now += 402 * day
    for (const device of [kept, gone]) await device.sync()
    ds.now -= 402 * day
    for (const device of [kept, gone]) expect((await device.sync()).status).toBe(200)
    await passDays(21, kept)
    expect([await state(gone), await state(kept)]).toEqual([false, true])
  })
})

test('a device whose clock differs by up to a minute is served, and gets the time of the service', async () => {
  const device = await createDevice(ds, await aVersion())
  const seconds = ds.now / 1000
  const from = (iat: number) => device.sync({}, { claims: { iat, exp: iat + 60 } })
  expect((await from(seconds - 59)).reply.iat).toBe(seconds)
  expect((await from(seconds + 59)).status).toBe(200)
  expect((await from(seconds + 61)).headers.get('date')).toBe(new Date(ds.now).toUTCString())
})

test('DS_CYCLE is the cycle that devices get', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_CYCLE: '7' })
  const device = await createDevice(ds, await aVersion())
  expect(device.registration.cycle).toBe(7)
  expect((await device.sync()).reply.cycle).toBe(7)
})

test('DS_POLICY_MAX_AGE ends the policy so many days after each synchronization, and reaches devices that know the policy', async () => {
  proves('policy-expiry')
  await ds.stop()
  ds = await startInProcess({ DS_POLICY_MAX_AGE: '0' })
  const created = await aVersion()
  const device = await createDevice(ds, created)
  const { reply: before } = await device.sync()
  expect(before).not.toHaveProperty('exp')
  await ds.stop()
  ds = await startInProcess({})
  const other = await createDevice(ds, await aVersion())
  const { reply: whole } = await other.sync()
  expect(whole.exp - whole.iat).toBe(30 * 86_400)
  expect(whole.state).not.toBe(before.state)
  ds.now += 86_400_000
  const { reply } = await other.sync({ state: whole.state })
  expect(reply).toMatchObject({ unchanged: true, state: whole.state })
  expect(reply.exp - whole.exp).toBeCloseTo(86_400, 0)
})

test('DS_USER_NAMES=on stores the names of users', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_USER_NAMES: 'on' })
  const device = await createDevice(ds, await aVersion())
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

  test('registers a version that a device names, once, with an entry in the audit', async () => {
    const { installationApiKey } = await aVersion()
    const registered = await register(ds, await createIdentity(), installationApiKey, {
      version: '4.1.0',
    })
    expect(registered.status).toBe(201)
    const device = await createDevice(ds, { id: '4.1.0', installationApiKey })
    const answers = await Promise.all([
      device.sync({ version: '4.2.0' }),
      (await createDevice(ds, { id: '4.1.0', installationApiKey })).sync({ version: '4.2.0' }),
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

  test('registers a hundred versions, and more as soon as an administrator has changed or deleted one', async () => {
    proves('versions-flood')
    const uris = [{ os: 'UNIX', uri: 'https://downloads.example/connector.deb' }]
    const body = { id: '4.0.0', uris, recommended: false, mandatory: false, allowed: true }
    const own = (await admin('PUT', '/v3/versions', body)).json.data
    const device = await createDevice(ds, own)
    for (let n = 0; n < 100; n += 1)
      expect((await device.sync({ version: `5.0.${n}` })).status).toBe(200)
    const refused = await device.sync({ version: '6.0.0' })
    expect([refused.status, refused.json.code]).toEqual([404, 'version-unknown'])
    expect((await device.sync({ version: '5.0.7' })).status).toBe(200)
    const total = async () => (await admin('GET', '/v3/versions')).json.data.total
    const entries = async () => (await admin('GET', '/v3/audit?kind=version')).json.data.total
    const before = await entries()
    expect(await total()).toBe(101)
    await device.sync({ version: '6.0.0' })
    expect([await total(), await entries()]).toEqual([101, before])
    expect((await admin('DELETE', '/v3/versions/5.0.1')).status).toBe(200)
    expect((await device.sync({ version: '6.0.0' })).status).toBe(200)
  })

  test('registers no version without a key, nor one that differs only in build metadata', async () => {
    const { installationApiKey } = await aVersion()
    const by = (apikey: string, version: string) =>
      createIdentity().then((identity) => register(ds, identity, apikey, { version }))
    expect((await by(crypto.randomUUID(), '4.1.0')).json.code).toBe('api-key-refused')
    expect((await by(installationApiKey, '4.0.0+other')).json.code).toBe('version-unknown')
    expect(await versions()).toEqual(['4.0.0'])
  })
})

test('registrations from an address are limited per minute, and the list names the setting and the valid key', async () => {
  proves('registration-limits', 'devices-flood')
  await ds.stop()
  ds = await startInProcess({ DS_TOKEN_LIMIT: '1', DS_REGISTRATION_LIMIT: '3' })
  const { id: version, installationApiKey } = await aVersion()
  const by = async (from: string) =>
    register(ds, await createIdentity(), installationApiKey, { version }, { from })
  for (let n = 0; n < 3; n += 1) expect((await by('192.0.2.7')).status).toBe(201)
  const limited = await by('192.0.2.7')
  expect([limited.status, limited.json.code]).toEqual([429, 'too-many-requests'])
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await by('192.0.2.8')).status).toBe(201)
  const { json } = await admin('GET', '/v3/devices/refusals?address=192.0.2.7')
  expect(json.data.items).toMatchObject([
    {
      reason: 'too-many-requests',
      keyVersion: version,
      detail: expect.stringContaining('(DS_REGISTRATION_LIMIT)'),
    },
  ])
  const { text } = await (await openPageSession(ds)).get('refusals?q=192.0.2.7')
  expect(text).toContain(`Key of version ${version}`)
  expect(text).toContain('raise DS_REGISTRATION_LIMIT.')
  expect(text).not.toContain('Missing or invalid')
})

describe('new devices of a day', () => {
  const restart = async (settings: Readonly<Record<string, string>>) => {
    await ds.stop()
    ds = await startInProcess(settings)
    return aVersion()
  }
  const registerOne = async ({ id: version, installationApiKey }: Json, from: string) =>
    register(ds, await createIdentity(), installationApiKey, { version }, { from })

  test('are limited by address, and known devices are not', async () => {
    proves('installation-key-check', 'devices-flood')
    const version = await restart({ DS_DEVICES_PER_ADDRESS: '2' })
    const identity = await createIdentity()
    const again = () =>
      register(ds, identity, version.installationApiKey, { version: version.id }, { from })
    const from = '192.0.2.7'
    expect((await again()).status).toBe(201)
    expect((await registerOne(version, from)).status).toBe(201)
    const refused = await registerOne(version, from)
    expect([refused.status, refused.json.code]).toEqual([429, 'too-many-requests'])
    // It is midnight: a whole day is left, in which an administrator may raise the limit.
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(refused.json.detail).toContain('(DS_DEVICES_PER_ADDRESS)')
    const check = async (address: string) => {
      const headers = { apikey: version.installationApiKey }
      const path = '/v3/devices/installation-key'
      return (await ds.request('GET', path, { headers, from: address })).json.data.newDevices
    }
    expect([await check(from), await check('192.0.2.8')]).toEqual([false, true])
    const { json } = await admin('GET', `/v3/devices/refusals?address=${from}`)
    expect(json.data.items).toMatchObject([{ reason: 'too-many-requests', keyVersion: version.id }])
    expect((await again()).status).toBe(200)
    expect((await registerOne(version, '192.0.2.8')).status).toBe(201)
    ds.now += day - 1000
    expect((await registerOne(version, from)).headers.get('retry-after')).toBe('1')
    ds.now += 1000
    expect((await registerOne(version, from)).status).toBe(201)
  })

  test('are limited by installation key, from whatever address they come', async () => {
    proves('devices-flood')
    const version = await restart({ DS_DEVICES_PER_KEY: '2' })
    const statuses = []
    for (const n of [1, 2, 3]) statuses.push((await registerOne(version, `192.0.2.${n}`)).status)
    expect(statuses).toEqual([201, 201, 429])
    const refused = await registerOne(version, '192.0.2.3')
    expect(refused.json.detail).toContain('(DS_DEVICES_PER_KEY)')
    expect((await registerOne(await aVersion('4.1.0'), '192.0.2.3')).status).toBe(201)
  })
})

test('attempts that the limit of the key refuses do not use up that of the address', async () => {
  proves('registration-limits')
  await ds.stop()
  ds = await startInProcess({ DS_DEVICES_PER_KEY: '1', DS_DEVICES_PER_ADDRESS: '3' })
  const register1 = async ({ id: version, installationApiKey }: Json) =>
    (await register(ds, await createIdentity(), installationApiKey, { version })).status
  const first = await aVersion()
  const statuses = []
  for (let n = 0; n < 5; n += 1) statuses.push(await register1(first))
  expect(statuses).toEqual([201, 429, 429, 429, 429])
  expect(await register1(await aVersion('4.1.0'))).toBe(201)
})

test('DS_DEVICE_APPROVAL=on gives a new device no keystore before an administrator approves it', async () => {
  proves('keystore-by-installation-key')
  const start = async (approval: 'on' | 'off') => {
    await ds.stop()
    ds = await startInProcess({ DS_DEVICE_APPROVAL: approval })
    return aVersion()
  }
  const configure = () =>
    admin('PUT', '/v3/configurations', {
      versionId: '4.0.0',
      type: 'SSL_KEYSTORE',
      config: { uri: 'https://keys.example/k.p12', password: 'x' },
    })
  const version = await start('on')
  await configure()
  const device = await createDevice(ds, version)
  const waiting = await device.sync()
  expect(waiting.status).toBe(200)
  expect(waiting.reply.keystore).toBeUndefined()
  const refused = await device.request('GET', '/v3/devices/keystore')
  expect([refused.status, refused.json.description]).toEqual([
    404,
    expect.stringContaining('has to approve this device'),
  ])
  const listed = (await admin('GET', '/v3/devices?approved=false')).json.data.items
  expect(listed.map(({ id }: Json) => id)).toEqual([device.id])

  const approved = await admin('POST', `/v3/devices/${device.id}/approve`)
  expect(approved.json.data).toMatchObject({ id: device.id, approved: true })
  const [entry] = (await admin('GET', `/v3/audit?kind=device&id=${device.id}`)).json.data.items
  expect(entry).toMatchObject({ operation: 'approveDevice', fields: ['approved'] })
  const { reply } = await device.sync({ state: waiting.reply.state })
  expect(reply.keystore).toMatchObject({ uri: 'https://keys.example/k.p12' })

  const other = await start('off')
  await configure()
  expect((await (await createDevice(ds, other)).sync()).reply.keystore).toBeDefined()
})

test('a key that was stamped into packages approves no device once stamping is off, until it is replaced', async () => {
  proves('stamped-key-public')
  await ds.stop()
  ds = await startInProcess({ DS_STAMP_INSTALLERS: 'on' })
  const version = await aVersion()
  const services = { ...ds.services, settings: readSettings({}) }
  const app = createApp(services)
  const request = createServiceClient(ds.url, 'x-test-peer', async (sent) => app.fetch(sent))
  const isApproved = async (of: Json) => {
    const { id } = await createDevice({ ...ds, request }, of)
    return (await admin('GET', `/v3/devices/${id}`)).json.data.approved
  }
  const setKey = async (installationApiKey: string): Promise<Json> => {
    const flags = { recommended: false, mandatory: false, allowed: true }
    const body = { id: version.id, uris: [], ...flags, installationApiKey }
    return (await request('PUT', '/v3/versions', { token: await ds.login(), body })).json.data
  }
  expect(await isApproved(version)).toBe(false)
  expect(await isApproved({ ...version, ...(await setKey(version.installationApiKey)) })).toBe(
    false,
  )
  expect(await isApproved(await setKey(crypto.randomUUID()))).toBe(true)
  // In other letters, it is the same key.
  const { installationApiKey: stamped } = version
  expect(await isApproved(await setKey(stamped.toUpperCase()))).toBe(false)
  expect(await isApproved(await setKey(crypto.randomUUID()))).toBe(true)
  expect(await isApproved(await aVersion('4.0.1'))).toBe(false)
})

test('a key that was stamped into packages approves no device of another version, when its own is gone', async () => {
  proves('stamped-key-public')
  await ds.stop()
  ds = await startInProcess({ DS_STAMP_INSTALLERS: 'on' })
  const version = await aVersion()
  const token = await ds.login()
  expect((await ds.request('DELETE', `/v3/versions/${version.id}`, { token })).status).toBe(200)
  const app = createApp({ ...ds.services, settings: readSettings({}) })
  const request = createServiceClient(ds.url, 'x-test-peer', async (sent) => app.fetch(sent))
  const flags = { recommended: false, mandatory: false, allowed: true }
  const { installationApiKey } = version
  const body = { id: '4.0.2', uris: [], ...flags, installationApiKey }
  const next = (await request('PUT', '/v3/versions', { token, body })).json.data
  const { id } = await createDevice({ ...ds, request }, next)
  expect((await admin('GET', `/v3/devices/${id}`)).json.data.approved).toBe(false)
})

test('hashes of stamped keys are kept for the newest ten thousand', async () => {
  await ds.stop()
  ds = await startInProcess({ DS_STAMP_INSTALLERS: 'on' })
  const { driver } = ds
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 10005)'
  await driver.run({
    sql: `insert into stamped_keys (hash, created_at) ${numbers} select 'h' || i, i from n`,
    params: [],
  })
  await aVersion()
  const sql = 'select count(*), min(created_at) from stamped_keys'
  expect(await driver.run({ sql, params: [] })).toEqual([[10_000, 7]])
})

describe('logs of devices', () => {
  test('beyond DS_LOGS_KEPT the oldest are deleted', async () => {
    proves('devices-flood')
    await ds.stop()
    ds = await startInProcess({ DS_LOGS_KEPT: '2' })
    const version = await aVersion()
    const devices: Device[] = []
    for (let n = 0; n < 3; n += 1) {
      const device = await createDevice(ds, version)
      await device.request('POST', '/v3/devices/logs', new Uint8Array([n]))
      devices.push(device)
      ds.now += 1000
    }
    const statuses = []
    for (const { id } of devices)
      statuses.push((await admin('GET', `/v3/devices/${id}/logs`)).status)
    expect(statuses).toEqual([404, 200, 200])
  })

  test('of a time when the clock was ahead go before those of now', async () => {
    proves('devices-flood')
    await ds.stop()
    ds = await startInProcess({ DS_LOGS_KEPT: '2' })
    const version = await aVersion()
    const upload = async () => {
      const device = await createDevice(ds, version)
      await device.request('POST', '/v3/devices/logs', new Uint8Array([1]))
      ds.now += 1000
      return device
    }
    ds.now += 30 * day
    const ahead = [await upload(), await upload()]
    ds.now -= 30 * day
    const statuses = []
    for (const { id } of [...ahead, await upload(), await upload()])
      statuses.push((await admin('GET', `/v3/devices/${id}/logs`)).status)
    expect(statuses).toEqual([404, 404, 200, 200])
  })

  test('are stored 20 times a minute from an address', async () => {
    proves('devices-flood')
    const device = await createDevice(ds, await aVersion())
    const statuses = []
    for (let n = 0; n < 21; n += 1)
      statuses.push((await device.request('POST', '/v3/devices/logs', new Uint8Array([n]))).status)
    expect(statuses).toEqual([...Array(20).fill(200), 429])
  })
})
