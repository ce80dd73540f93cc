/** Packages that get the values of the service as they are downloaded (docs/decisions/0070). */
import { createHash } from 'node:crypto'
import { createManifestName, slotLength, writeSlot } from '@cardwire/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { nextVersion } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'

/** Not at the border of any part in which a file is read. */
const offset = 100_001
const name = 'cardwire.deb'
const unix = { file: name, system: 'UNIX' }
const windows = { file: 'cardwire.msi', system: 'WIN64' }
const systems = [unix, windows].map((system) => [system.file, system] as const)

/** As a deb is: what is around the slot does not repeat. */
const built = Uint8Array.from({ length: 700_000 }, (_, at) => (at * 31 + (at >> 8) * 7) % 256)
built.set(writeSlot() ?? [], offset)

export function stampingSuite(runtime: Runtime): void {
  describe('stamping', () => {
    let service: DistributionService
    beforeAll(async () => {
      service = await startDistributionService(
        runtime,
        { DS_STAMP_INSTALLERS: 'on' },
        { [name]: built, [windows.file]: built },
      )
    })
    afterAll(() => service?.stop())

    const upload = async (file: string, body: string | Uint8Array) =>
      service.request('PUT', `/v3/installers/${file}`, {
        token: await service.login(),
        headers: { 'content-type': 'application/octet-stream' },
        body,
      })

    /** A version with this package, as `npm run publish` leaves it. */
    const publish = async (
      changes: Json = {},
      versionChanges: Json = {},
      { file, system } = unix,
    ): Promise<Json> => {
      const id = nextVersion()
      const sha256 = createHash('sha256').update(built).digest('hex')
      const slot = { offset, length: slotLength }
      const listed = { file, system, architecture: 'x64', size: built.length, sha256 }
      const manifest = JSON.stringify({ version: id, files: [{ ...listed, slot, ...changes }] })
      await upload(createManifestName(id), JSON.stringify({ manifest, signature: 'c2lnbmVk' }))
      const uris = [{ os: system, uri: `file:///${file}`, sha256, size: built.length }]
      return service.registerVersion(id, { uris, ...versionChanges })
    }
    const download = (id: string, headers: Record<string, string> = {}, { system } = unix) => {
      const path = `/v3/downloads/installers/${system.toLowerCase()}/versions/${id}`
      return service.request('GET', path, { headers })
    }
    const readSlot = (bytes: Uint8Array) =>
      new TextDecoder()
        .decode(bytes.subarray(offset, offset + slotLength))
        .trimEnd()
        .split('\n')
    const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0
    const isBuilt = ({ bytes }: { readonly bytes: Uint8Array }) => isSame(bytes, built)

    test.each(systems)(
      'a package gets the address, the key and the fingerprints of the service, and nothing else differs: %s',
      async (_, system) => {
        proves('installer-key-stamped', 'manifest-offset-wrong')
        const version = await publish({}, {}, system)
        const { status, headers, bytes } = await download(version.id, {}, system)
        const device = await createDevice(service, version)
        expect([status, headers.get('content-length')]).toEqual([200, String(built.length)])
        expect(headers.get('repr-digest')).toBeNull()
        expect(readSlot(bytes)).toEqual([
          '# cardwire-slot-1',
          `CARDWIRE_DS_URL=${service.url}`,
          `CARDWIRE_INSTALLATION_KEY=${version.installationApiKey}`,
          `CARDWIRE_DS_FINGERPRINTS=${device.registration.replyKeys.map((key: Json) => key.kid).join(',')}`,
        ])
        const blanked = bytes.slice()
        blanked.set(writeSlot() ?? [], offset)
        expect(isSame(blanked, built)).toBe(true)
      },
    )

    test.each(systems)('parts of a package are those of the whole: %s', async (_, system) => {
      proves('installer-key-stamped')
      const { id } = await publish({}, {}, system)
      const whole = await download(id, {}, system)
      const etag = whole.headers.get('etag') ?? ''
      const end = offset + slotLength
      const ranges = [
        [0, 99],
        [offset - 10, offset + 9],
        [offset + 20, offset + 30],
        [end - 5, end + 5],
        [offset - 70_000, end + 70_000],
        [end, end + 9],
      ] as const
      for (const [first, last] of ranges) {
        const headers = { range: `bytes=${first}-${last}`, 'if-range': etag }
        const part = await download(id, headers, system)
        expect([part.status, part.bytes.length]).toEqual([206, last - first + 1])
        expect(isSame(part.bytes, whole.bytes.slice(first, last + 1))).toBe(true)
      }
      expect((await download(id, { 'if-none-match': etag }, system)).status).toBe(304)
    })

    test('the entity tag changes with the key', async () => {
      proves('stamped-key-public')
      const { createdAt: _, updatedAt: __, ...version } = await publish()
      const before = (await download(version.id)).headers.get('etag')
      expect((await download(version.id)).headers.get('etag')).toBe(before)
      const installationApiKey = crypto.randomUUID()
      await service.admin('PUT', '/v3/versions', { ...version, installationApiKey })
      const { headers, bytes } = await download(version.id)
      expect(headers.get('etag')).not.toBe(before)
      expect(readSlot(bytes)).toContain(`CARDWIRE_INSTALLATION_KEY=${installationApiKey}`)
      const range = { range: 'bytes=0-9', 'if-range': before ?? '' }
      expect((await download(version.id, range)).status).toBe(200)
    })

    test.each([
      ['no slot', { slot: undefined }],
      ['a slot that is elsewhere', { slot: { offset: offset + 1, length: slotLength } }],
      ['a slot beyond its end', { slot: { offset: built.length - 10, length: slotLength } }],
      ['another length of it', { slot: { offset, length: 100 } }],
      ['another size', { size: 5 }],
      ['another file', { file: 'another.deb' }],
    ])('a package whose manifest has %s is sent as it was built', async (_, changes) => {
      proves('manifest-offset-wrong')
      const { id } = await publish(changes)
      expect(isBuilt(await download(id))).toBe(true)
    })

    test('a package without a manifest is sent as it was built, with its digest', async () => {
      const uris = [{ os: 'UNIX', uri: `file:///${name}`, sha256: 'ab'.repeat(32) }]
      const { id } = await service.registerVersion(nextVersion(), { uris })
      const sent = await download(id)
      expect([isBuilt(sent), sent.headers.has('repr-digest')]).toEqual([true, true])
    })

    test.each(systems)(
      'a device that is registered is offered the package as it was built: %s',
      async (_, system) => {
        proves('manifest-offset-wrong')
        const version = await publish({}, { allowed: false }, system)
        const newer = await publish({}, {}, system)
        const device = await createDevice(service, version, { platform: system.system })
        const { reply } = await device.sync()
        const { url, sha256 } = reply.verdict.offer
        expect(url).toMatch(/\?stamp=off$/)
        const { bytes } = await service.request('GET', url)
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
        expect(isBuilt({ bytes })).toBe(true)
        expect(isBuilt(await download(newer.id, {}, system))).toBe(false)
      },
    )

    test('a device that registers with the key of a package waits for approval', async () => {
      proves('stamped-key-public')
      const version = await publish()
      const device = await createDevice(service, version)
      const { approved } = await service.admin('GET', `/v3/devices/${device.id}`)
      expect(approved).toBe(false)
    })

    test('GET /v3/downloads/manifest sends manifest and signature as they were published', async () => {
      const { id } = await publish()
      const found = await service.request('GET', `/v3/downloads/manifest?version=${id}`)
      expect(JSON.parse(found.json.data.manifest).version).toBe(id)
      expect(found.json.data.signature).toBe('c2lnbmVk')
      const none = await service.request('GET', '/v3/downloads/manifest?version=9.9.9')
      expect([none.status, none.json.code]).toEqual([404, 'installer-unknown'])
    })

    test.each(['1.0.0%00', '..%2F..%2Fsettings', '1.0'])(
      'a manifest of "%s" is refused: that is no version',
      async (version) => {
        const { status, json } = await service.request(
          'GET',
          `/v3/downloads/manifest?version=${version}`,
        )
        expect([status, json.code]).toEqual([422, 'input-invalid'])
        expect(json.detail).toContain('version')
      },
    )

    test('no list and no log has the key of a package', async () => {
      const { id, installationApiKey } = await publish()
      await download(id)
      const token = await service.login()
      const last = await service.request('GET', '/v3/versions?size=100', { token })
      await expect.poll(() => service.output()).toContain(last.headers.get('x-request-id'))
      expect(last.text).not.toContain(installationApiKey)
      expect(service.output()).not.toContain(installationApiKey)
    })
  })
}
