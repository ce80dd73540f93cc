/** A version with several packages for Linux: each machine is offered, and gets, the one that it can install. */
import { createHash } from 'node:crypto'
import { createManifestName } from '@cardwire/protocol'
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
import { fromOwnPage, openPageSession, toPagePath } from '../harness/page-session.ts'
import { boundary, createForm, encode, end, join } from '../harness/upload-form.ts'

const kinds = [
  ['amd64.deb', 'x64'],
  ['arm64.deb', 'arm64'],
  ['x86_64.rpm', 'x64'],
] as const
const usual = 'amd64.deb'
const debian = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const fedora = 'Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const arm = 'Mozilla/5.0 (X11; Linux aarch64; rv:140.0) Gecko/20100101 Firefox/140.0'

export function packageChoiceSuite(runtime: Runtime): void {
  describe('a version with several packages for Linux', () => {
    let running: DistributionService
    const service = () => running
    let older: Json
    let id: string
    const createFile = (ending: string) => ({
      name: `cardwire-${id}.${ending}`,
      bytes: Buffer.from(`the package ${id} ${ending}`),
    })
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

    const createManifest = (
      packages: readonly (readonly [ending: string, architecture: string])[],
    ) => {
      const files = packages.map(([ending, architecture]) => {
        const { name, bytes } = createFile(ending)
        return { file: name, system: 'UNIX', architecture, size: bytes.length, sha256: hash(bytes) }
      })
      const manifest = JSON.stringify({ version: id, files })
      return Buffer.from(JSON.stringify({ manifest, signature: 'c2lnbmVk' }))
    }

    /** As `npm run publish` leaves it. */
    beforeAll(async () => {
      running = await startDistributionService(runtime)
      older = await service().registerVersion(nextVersion())
      id = nextVersion()
      await service().putPackage(createManifestName(id), createManifest(kinds))
      for (const [ending] of kinds) {
        const { name, bytes } = createFile(ending)
        await service().putPackage(name, bytes)
      }
      const uris = [{ os: 'UNIX', uri: `file:///${createFile(usual).name}` }]
      await service().registerVersion(id, { uris, recommended: true })
    })

    afterAll(() => running?.stop())

    const download = (query: string, userAgent = debian, path = `installers/unix/versions/${id}`) =>
      service().request('GET', `/v3/downloads/${path}${query}`, {
        headers: { 'user-agent': userAgent },
      })

    test.each([
      ['', usual],
      ['?architecture=x64', usual],
      ['?architecture=arm64', 'arm64.deb'],
      ['?architecture=arm64&format=deb&stamp=off', 'arm64.deb'],
      ['?format=rpm', 'x86_64.rpm'],
    ])('is downloaded with "%s" as %s', async (query, ending) => {
      const { status, text } = await download(query)
      expect([status, text]).toEqual([200, createFile(ending).bytes.toString()])
    })

    test('has no package that its manifest does not list', async () => {
      const { status, json } = await download('?architecture=arm64&format=rpm')
      expect([status, json.description]).toEqual([404, expect.stringContaining('UNIX, arm64, rpm')])
      expect((await download('?architecture=mips')).status).toBe(422)
    })

    test.each([
      ['any Linux', debian, usual],
      ['Fedora', fedora, 'x86_64.rpm'],
      ['Linux on ARM', arm, 'arm64.deb'],
    ])('is downloaded by a browser of %s without a choice', async (_, userAgent, ending) => {
      proves('linux-package-choice')
      const { text } = await download('', userAgent, 'installer')
      expect(text).toBe(createFile(ending).bytes.toString())
    })

    test('is listed with each package where the system is not known', async () => {
      const { json } = await download('', 'curl/8.0', 'installer')
      const url = `${service().url}/v3/downloads/installers/unix/versions/${id}`
      expect(json.choices).toEqual(
        expect.arrayContaining([
          `${url}?architecture=x64&format=deb`,
          `${url}?architecture=arm64&format=deb`,
          `${url}?architecture=x64&format=rpm`,
        ]),
      )
    })

    test.each([
      ['x64', 'deb', usual, ''],
      ['x64', 'rpm', 'x86_64.rpm', '?architecture=x64&format=rpm'],
      ['arm64', 'deb', 'arm64.deb', '?architecture=arm64&format=deb'],
      ['arm64', undefined, 'arm64.deb', '?architecture=arm64&format=deb'],
      [undefined, undefined, usual, ''],
    ])(
      'is offered to a device with %s and %s as %s',
      async (architecture, packageFormat, ending, query) => {
        proves('linux-package-choice')
        const device = await createDevice(service(), older)
        const { reply } = await device.sync({
          version: older.id,
          platform: 'UNIX',
          device: { architecture, packageFormat },
        })
        const { bytes } = createFile(ending)
        expect(reply.verdict.offer).toEqual({
          version: id,
          url: `${service().url}/v3/downloads/installers/unix/versions/${id}${query}`,
          sha256: hash(bytes),
          size: bytes.length,
        })
      },
    )

    test('offers nothing to a device that none of its packages suits', async () => {
      proves('linux-package-choice')
      const device = await createDevice(service(), older)
      const { reply } = await device.sync({
        version: older.id,
        platform: 'UNIX',
        device: { architecture: 'arm64', packageFormat: 'rpm' },
      })
      expect(reply.verdict).toEqual({ action: 'recommend', version: older.id })
    })

    test('keeps its manifest while more devices are offered its packages than a change may affect', async () => {
      proves('fleet-changed-unseen')
      const readOffers = () =>
        Promise.all(
          devices.map(async ({ sync }) => {
            const device = { architecture: 'x64', packageFormat: 'deb' }
            const { reply } = await sync({ version: older.id, platform: 'UNIX', device })
            return reply.verdict.offer
          }),
        )
      const devices = await Promise.all([1, 2].map(() => createDevice(service(), older)))
      const before = await readOffers()
      // Each has the package of the other's processor.
      const swapped = createManifest([
        [usual, 'arm64'],
        ['arm64.deb', 'x64'],
      ])
      const path = `/v3/installers/${createManifestName(id)}`
      const token = await service().login()
      const headers = { 'content-type': 'application/octet-stream' }
      const replaced = await service().request('PUT', path, { token, headers, body: swapped })
      expect(await readOffers()).toEqual(before)
      const removed = await service().request('DELETE', path, { token })
      // Where the file system ignores case, it is the same file.
      const upper = path.replace('cardwire', 'CARDWIRE')
      const other = await service().request('PUT', upper, { token, headers, body: swapped })
      for (const { status, json } of [replaced, removed, other])
        expect([status, json.code]).toEqual([409, 'reach-exceeded'])
      const confirmed = { token, headers, body: createManifest(kinds) }
      const accepted = await service().request('PUT', `${path}?maxReach=99`, confirmed)
      expect(accepted.status).toBe(200)
    })

    test('has its manifest replaced by a form only when it repeats the number of devices that it was shown', async () => {
      proves('fleet-changed-unseen')
      const { cookie } = await openPageSession(service())
      const send = (fields: Readonly<Record<string, string>>) =>
        service().request('POST', toPagePath('installers'), {
          headers: {
            ...fromOwnPage(service()),
            cookie,
            'content-type': `multipart/form-data; boundary=${boundary}`,
          },
          body: join(
            createForm(createManifestName(id), createManifest(kinds), fields),
            encode(end),
          ),
        })
      const refused = await send({})
      expect(refused.status).toBe(409)
      const maxReach = /name="maxReach" value="(\d+)"/.exec(refused.text)?.[1] ?? ''
      expect(Number(maxReach)).toBeGreaterThan(1)
      expect(refused.text).toContain(`${maxReach} devices may be offered a different package`)
      const reviewed = /name="reviewed" value="([^"]+)"/.exec(refused.text)?.[1] ?? ''
      expect((await send({ reviewed, maxReach: '1' })).status).toBe(409)
      // The number of another file.
      expect((await send({ reviewed: createManifestName(older.id), maxReach })).status).toBe(409)
      expect((await send({ reviewed, maxReach })).status).toBe(303)
    })

    test('keeps every package that its manifest lists', async () => {
      for (const [ending] of kinds) {
        const path = `/v3/installers/${createFile(ending).name}`
        const { status, json } = await service().request('DELETE', path, {
          token: await service().login(),
        })
        expect([status, json.code]).toEqual([409, 'installer-in-use'])
        const session = await openPageSession(service())
        const page = await session.get(`installers/${createFile(ending).name}/remove`)
        expect([page.status, page.text.includes(`versions/${id}"`)]).toEqual([200, true])
        expect(page.text).not.toContain('name="confirm"')
      }
    })

    test('has its manifest removed by a page that shows the number of devices', async () => {
      proves('fleet-changed-unseen')
      const name = createManifestName(id)
      const session = await openPageSession(service())
      const path = `installers/${name}/remove`
      const asked = await session.get(path)
      const maxReach = /name="maxReach" value="(\d+)"/.exec(asked.text)?.[1] ?? ''
      expect(asked.status).toBe(200)
      expect(Number(maxReach)).toBeGreaterThan(1)
      expect(asked.text).toContain(`${maxReach} devices will be offered a different installer`)
      const file = { token: await service().login() }
      const { data } = (await service().request('GET', `/v3/installers/${name}`, file)).json
      expect(String(data.reach)).toBe(maxReach)
      expect((await session.post(path, { confirm: name, maxReach: '0' })).status).toBe(409)
      expect((await session.post(path, { confirm: name, maxReach })).status).toBe(303)
    })
  })
}
