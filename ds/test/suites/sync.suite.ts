/** Synchronization: what administrators decide reaches a device with its next request. */
import { createHash } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice, type Device } from '../harness/device.ts'

const md5 = 'd41d8cd98f00b204e9800998ecf8427e'

export function syncSuite(service: () => DistributionService, installer: Uint8Array): void {
  const admin = async (method: string, path: string, body?: Json) =>
    getData(await service().request(method, path, { token: await service().login(), body }))
  const version = async (overrides: Json = {}) =>
    createVersion(service(), await service().login(), overrides)
  const configure = (versionId: string, type: string, config: Json, id?: string) =>
    admin('PUT', '/v3/configurations', { versionId, type, config, ...(id && { id }) })
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  test('POST /v3/devices/sync answers a device of a version without configurations', async () => {
    const own = await version()
    const device = await createDevice(service(), own)
    const { reply, json } = await device.sync()
    // Only a runtime that holds requests offers a wait.
    expect({ ...reply, wait: undefined }).toEqual({
      aud: device.id,
      re: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
      revision: 1,
      state: expect.any(String),
      unchanged: false,
      acknowledged: [],
      verdict: { action: 'none', version: own.id },
      cors: [],
      files: [],
      tokenKeys: (await service().request('GET', '/.well-known/jwks.json')).json.keys,
      replyKeys: device.registration.replyKeys,
      cycle: 28_800,
    })
    // Thirty days, the default of DS_POLICY_MAX_AGE.
    expect(reply.exp - reply.iat).toBeCloseTo(2_592_000, 0)
    expect(decodeProtectedHeader(json.data).kid).toBe(device.registration.replyKeys[0].kid)
  })

  test('POST /v3/devices/sync sends a short reply while nothing changed, and the whole content after a change', async () => {
    proves('allowlist-synced')
    const own = await version()
    const versionId = own.id
    const device = await createDevice(service(), own)
    const first = await device.sync()
    const second = await device.sync({ state: first.reply.state })
    expect(second.reply).toMatchObject({ unchanged: true, state: first.reply.state, revision: 1 })
    expect(second.json.data.length).toBeLessThan(1000)
    const { id } = await configure(versionId, 'CONTEXT_CONFIG', { cors: ['https://a.example'] })
    const third = await device.sync({ state: first.reply.state })
    expect(third.reply).toMatchObject({
      unchanged: false,
      revision: 2,
      cors: ['https://a.example'],
    })
    await configure(versionId, 'CONTEXT_CONFIG', { cors: ['https://b.example'] }, id)
    const fourth = await device.sync({ state: third.reply.state })
    expect(fourth.reply).toMatchObject({ revision: 3, cors: ['https://b.example'] })
    await admin('DELETE', `/v3/configurations/${id}`)
    const fifth = await device.sync({ state: fourth.reply.state })
    expect(fifth.reply).toMatchObject({ revision: 4, cors: [], state: first.reply.state })
  })

  test('POST /v3/devices/sync sends what the administrator says about cards, with the libraries for the system of the device', async () => {
    proves('context-config-cards')
    const own = await version()
    const grants = [{ origin: 'https://a.example', allow: ['bulk'] }]
    const library = { path: '/usr/lib/a.so', sha256: 'ab'.repeat(32), atrs: [] }
    const libraries = [
      { ...library, os: 'UNIX' },
      { ...library, os: 'WIN64', path: 'C:\\a.dll' },
    ]
    const device = await createDevice(service(), own)
    const { id } = await configure(own.id, 'CONTEXT_CONFIG', { cors: [] })
    const before = (await device.sync()).reply
    expect(before).not.toHaveProperty('cards')
    const cards = { grants, libraries }
    await configure(own.id, 'CONTEXT_CONFIG', { cors: [], cards }, id)
    const { reply } = await device.sync({ state: before.state })
    expect(reply.cards).toEqual({ grants, libraries: [libraries[0]], folders: [] })
    const { reply: windows } = await device.sync({ platform: 'WIN64' })
    expect(windows.cards.libraries).toEqual([libraries[1]])
    await configure(own.id, 'CONTEXT_CONFIG', { cors: [] }, id)
    const after = (await device.sync({ state: reply.state })).reply
    expect(after).not.toHaveProperty('cards')
    expect(after.state).toBe(before.state)
  })

  test('POST /v3/devices/sync sends the digests of the files for the system of the device', async () => {
    proves('digests-synced')
    const own = await version()
    const files = [
      { path: 'bin/any', digest: md5 },
      { path: 'bin/windows.dll', digest: md5, os: 'WIN64' },
      { path: 'bin/unix', digest: `sha256:${'0'.repeat(64)}`, os: 'UNIX' },
    ]
    await configure(own.id, 'FILE_DIGESTS', { files })
    const paths = async (device: Device, platform: string) =>
      (await device.sync({ platform })).reply.files.map(({ path }: Json) => path)
    const device = await createDevice(service(), own)
    expect(await paths(device, 'UNIX')).toEqual(['bin/any', 'bin/unix'])
    expect(await paths(device, 'WIN64')).toEqual(['bin/any', 'bin/windows.dll'])
  })

  test('POST /v3/devices/sync decides about the version of the device, and offers an installer with digest and size', async () => {
    proves('update-check')
    // Higher than what other tests register, and gone at the end, so that nobody else is told of them.
    const [own, next] = ['900.0.0', '900.1.0']
    const uris = [
      { os: 'UNIX', uri: 'file:///packages/connector.bin' },
      { os: 'WIN64', uri: 'https://downloads.example/a.msi', sha256: 'a'.repeat(64), size: 7 },
    ]
    const key = await version({ id: own })
    const device = await createDevice(service(), key)
    const readVerdict = async (flags: Json, body: Json = {}) => {
      await version({ id: next, uris, ...flags })
      return (await device.sync({ version: own, ...body })).reply.verdict
    }
    try {
      expect(await readVerdict({})).toEqual({ action: 'none', version: own })
      const offer = {
        version: next,
        url: `${service().url}/v3/downloads/installers/unix/versions/${next}`,
        sha256: sha256(installer),
        size: installer.length,
      }
      expect(await readVerdict({ recommended: true })).toEqual({
        action: 'recommend',
        version: own,
        offer,
      })
      expect(await readVerdict({ mandatory: true })).toEqual({
        action: 'require',
        version: own,
        offer,
      })
      expect(await readVerdict({ mandatory: true }, { platform: 'WIN64' })).toEqual({
        action: 'require',
        version: own,
        offer: {
          version: next,
          url: 'https://downloads.example/a.msi',
          sha256: 'a'.repeat(64),
          size: 7,
        },
      })
      expect(await readVerdict({ mandatory: true }, { platform: 'MACOS' })).toEqual({
        action: 'require',
        version: own,
      })
      // The verdict belongs to the version that asks: the next one is not older than itself.
      expect(await readVerdict({ mandatory: true }, { version: next })).toEqual({
        action: 'none',
        version: next,
      })
      await version({ id: own, allowed: false })
      expect(await readVerdict({})).toEqual({ action: 'stop', version: own, offer })
      const stored = await admin('GET', `/v3/devices/${device.id}`)
      expect(stored).toMatchObject({ version: own, verdict: 'stop' })
      const download = await fetch(offer.url)
      expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(offer.sha256)
    } finally {
      for (const id of [own, next]) await admin('DELETE', `/v3/versions/${id}`)
    }
  })

  test('POST /v3/devices/sync refuses a version that is not registered', async () => {
    const device = await createDevice(service(), await version())
    const refused = await device.sync({ version: '9.9.9' })
    expect([refused.status, refused.json.code]).toEqual([404, 'version-unknown'])
  })

  test('POST /v3/devices/sync shows administrators machine, keystore and faults, and no names of users', async () => {
    proves('context-received')
    const own = await version()
    const device = await createDevice(service(), own)
    const faults = [
      { kind: 'keystore-refused', detail: 'wrong password', at: '2026-01-01T00:00:00Z' },
    ]
    const machine = { hostname: 'desk.example', architecture: 'x86_64', os: 'Linux' }
    await device.sync({
      faults,
      keystore: 'b'.repeat(64),
      device: machine,
      user: { username: 'jdoe', name: 'Jane Doe', language: 'nl' },
    })
    const stored = await admin('GET', `/v3/devices/${device.id}`)
    expect(stored).toMatchObject({ faults, keystore: 'b'.repeat(64), device: machine })
    expect(stored.user).toEqual({ language: 'nl' })
    await device.sync()
    expect((await admin('GET', `/v3/devices/${device.id}`)).faults).toEqual([])
  })

  test('POST /v3/devices/sync ignores unknown fields of a newer connector', async () => {
    const device = await createDevice(service(), await version())
    expect((await device.sync({ tomorrow: { a: 1 } })).status).toBe(200)
  })

  test.each([
    ['a version that is none', { version: 'x' }, 'version'],
    ['another system', { platform: 'AMIGA' }, 'platform'],
    ['a batch without entries', { batches: [{ id: crypto.randomUUID(), entries: [] }] }, 'batches'],
    ['a fault without words', { faults: [{ kind: 'A b', detail: '', at: 'x' }] }, 'faults'],
    [
      '21 faults',
      { faults: Array(21).fill({ kind: 'a', detail: '', at: '2026-01-01T00:00:00Z' }) },
      'faults',
    ],
    ['a host name without end', { device: { hostname: 'x'.repeat(256) } }, 'device'],
  ])('POST /v3/devices/sync refuses %s', async (_, body, field) => {
    const device = await createDevice(service(), await version())
    const { status, json } = await device.sync(body)
    expect([status, json.code]).toEqual([422, 'input-invalid'])
    expect(json.errors[0].path).toMatch(new RegExp(`^${field}`))
  })
}
