/** `npm run publish`, as a process of its own, against the real service. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { getPublishCommand } from '../../test/bed/publish-command.ts'
import { root, toolPath } from '../../test/bed/repository.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { getPublicKey, signManifest } from '../packages/signing-key.ts'
import { readOptions } from '../publish/options.ts'
import { openDevice } from './distribution/device.ts'

let service: DistributionService
let top: string
let folder: string
let version: string
let [deb, msi] = ['', '']
let count = 0
beforeAll(async () => {
  service = await startDistributionService()
  top = await mkdtemp(join(tmpdir(), 'cardwire-publish-'))
})
afterAll(async () => {
  await service?.stop()
  await rm(top, { recursive: true, force: true })
})
beforeEach(async () => {
  count += 1
  version = `4.0.${count}`
  folder = await mkdtemp(join(top, 'packages-'))
  deb = `cardwire_${version}_amd64.deb`
  msi = `cardwire-${version}-x64.msi`
  await writeFile(join(folder, deb), `a deb of ${version}`.repeat(50_000))
  await writeFile(join(folder, `cardwire_${version}_arm64.deb`), `a deb for arm64 of ${version}`)
  await writeFile(join(folder, msi), `an msi of ${version}`)
  await writeFile(join(folder, 'SHA256SUMS'), 'is no package')
})

const publish = async (args: readonly string[] = [], input = `${administrator.password}\n`) =>
  runProgram(
    [
      ...(await getPublishCommand()),
      ...['--ds', service.url, '--version', version, '--folder', folder, ...args],
    ],
    { env: createEnvironment(top), cwd: root, input },
  )
const readVersion = async (): Promise<Json> => service.admin('GET', `/v3/versions/${version}`)
/** The manifest of one file, signed; its path, its text and the signature. */
async function writeManifest(file: string, system: string, content: string) {
  const path = join(folder, 'manifest.json')
  const listed = { file, system, architecture: 'x64', size: 1, sha256: sha256(content) }
  const text = JSON.stringify({ version, files: [listed] })
  await writeFile(path, text)
  const signature = signManifest(await readFile(path), generateKeyPairSync('ed25519').privateKey)
  await writeFile(`${path}.sig`, `${signature.trim()}\n`)
  return { path, text, signature: signature.trim() }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('publish uploads the packages and registers the version with address, digest and size of each', async () => {
  const { status, out, err } = await publish()
  expect([status, err]).toEqual([0, ''])
  expect(out).toMatch(/Installation key \(shown once\): [\w-]{36}\n$/)
  const content = `an msi of ${version}`
  expect((await readVersion()).uris).toEqual([
    { os: 'UNIX', uri: `file:///${deb}`, sha256: expect.any(String), size: expect.any(Number) },
    { os: 'WIN64', uri: `file:///${msi}`, sha256: sha256(content), size: content.length },
  ])
  const path = `/v3/downloads/installers/win64/versions/${version}`
  expect((await service.request('GET', path)).text).toBe(content)
})

test('publish gives a new version the configurations of the latest one, and says when it has no allowlist', async () => {
  proves('configurations-inherited')
  const { id: latest } = await service.registerVersion('98.0.0')
  const config = { cors: ['https://shop.example'] }
  const body = { type: 'CONTEXT_CONFIG', versionId: latest, config }
  await service.admin('PUT', '/v3/configurations', body)
  const wanted = `Version ${version} would be registered: UNIX, WIN64`
  expect((await publish(['--dry-run'])).out).toContain(
    `${wanted}, with the configurations of 98.0.0`,
  )
  const without = await publish(['--dry-run', '--without-configurations'])
  expect(without.out).toContain(`${wanted}\n`)
  const { out } = await publish([join(folder, deb)])
  expect(out).toContain(`Version ${version} is registered: UNIX, with the configurations of 98.0.0`)
  expect(out).not.toContain('no allowlist')
  const { items } = await service.admin('GET', `/v3/configurations?versionId=${version}`)
  expect(items.map((item: Json) => item.config)).toEqual([config])
  await service.admin('DELETE', `/v3/configurations/${items[0].id}`)
  expect((await publish()).out).toContain(`Version ${version} has no allowlist yet`)
})

test('publish can be repeated, and uploads and changes nothing then', async () => {
  proves('publishing-repeatable')
  await publish()
  const before = await readVersion()
  const { status, out } = await publish()
  expect([status, out.match(/is there already/g)?.length]).toEqual([0, 3])
  expect(out).toContain(`Version ${version} has these installers already`)
  expect(await readVersion()).toEqual(before)
})

test('publish goes on after it was cut short', async () => {
  proves('publishing-repeatable')
  const all = await publish([join(folder, deb)])
  expect(all.out).toContain(`Version ${version} is registered: UNIX`)
  const { out } = await publish()
  expect(out).toContain(`${deb}  is there already`)
  expect(out).toContain(`${msi}  uploaded`)
  expect((await readVersion()).uris.map(({ os }: Json) => os)).toEqual(['UNIX', 'WIN64'])
})

test('publish keeps flags and installers for other systems of a version', async () => {
  const other = { os: 'MACOS', uri: 'https://downloads.example/cardwire.pkg' }
  await service.registerVersion(version, { allowed: false, uris: [other] })
  await publish()
  const { allowed, uris } = await readVersion()
  expect([allowed, uris.at(-1)]).toEqual([false, other])
})

test('publish changes what more than one device is offered only with their number', async () => {
  proves('affected-unlimited', 'fleet-changed-unseen')
  const { id: old, installationApiKey } = await service.registerVersion(`3.9.${count}`)
  for (const _ of [1, 2]) {
    const settings = { dsUrl: service.url, version: old, installationKey: installationApiKey }
    const device = await openDevice(settings)
    await device.syncOnce()
    device.close()
  }
  const uris = [{ os: 'UNIX', uri: 'https://downloads.example/cardwire.deb' }]
  const recommended = { id: version, recommended: true, mandatory: false, allowed: true, uris }
  await service.admin('PUT', '/v3/versions?force=true&maxReach=2', recommended)
  expect((await publish(['--dry-run'])).out).toContain('Devices affected: 2\n')
  const refused = await publish()
  expect([refused.status, refused.err]).toEqual([
    1,
    `Cannot publish version ${version}: it affects 2 devices; to confirm this number, add --max-reach 2\n`,
  ])
  expect((await readVersion()).uris).toEqual(uris)
  const { items } = await service.admin('GET', '/v3/installers?size=100')
  expect(items.map(({ name }: Json) => name)).not.toContain(deb)
  const { status, out } = await publish(['--max-reach', '2'])
  expect([status, out]).toEqual([0, expect.stringContaining('Devices affected: 2\n')])
  expect((await readVersion()).uris[0].uri).toBe(`file:///${deb}`)
  const manifest = await writeManifest(deb, 'UNIX', `a deb of ${version}`.repeat(50_000))
  const files = [join(folder, deb), manifest.path]
  expect((await publish(['--dry-run', ...files])).out).toContain('Devices affected: 2\n')
  const unconfirmed = await publish(files)
  expect([unconfirmed.status, unconfirmed.err]).toEqual([
    1,
    `Cannot publish version ${version}: it affects 2 devices; to confirm this number, add --max-reach 2\n`,
  ])
  const confirmed = await publish(['--max-reach', '2', ...files])
  expect(confirmed.out).toContain('manifest.json  uploaded')
  await service.admin('PATCH', `/v3/versions/${version}?maxReach=2`, { recommended: false })
})

test('publish says before it uploads anything that devices would get no allowlist, and what to do', async () => {
  proves('allowlist-needed')
  const other = await startDistributionService()
  const at = ['--ds', other.url]
  const refuse = async (...args: readonly string[]) => {
    const { status, err } = await publish([...at, ...args])
    const { total } = await other.admin('GET', '/v3/installers')
    return [status, err, total]
  }
  const sentence = (reason: string) =>
    `Cannot publish version ${version}: 1 device would update to it from a version with an allowlist, and ${reason}\n`
  const choose = 'name a version that has one, such as --configurations-of 4.0.0'
  try {
    const { id: old, installationApiKey } = await other.registerVersion('3.0.0')
    const put = (versionId: string, cors: readonly string[]) =>
      other.admin('PUT', '/v3/configurations?maxReach=9', {
        ...{ type: 'CONTEXT_CONFIG', versionId, config: { cors } },
      })
    await put(old, ['https://shop.example'])
    const settings = { dsUrl: other.url, version: old, installationKey: installationApiKey }
    const device = await openDevice(settings)
    await device.syncOnce()
    device.close()
    const uris = [{ os: 'MACOS', uri: 'https://downloads.example/cardwire.pkg' }]
    await other.registerVersion('3.1.0', { uris })
    await put('3.1.0', [])
    await other.admin('PATCH', `/v3/versions/${old}?force=true&maxReach=9`, { allowed: false })
    const latest = sentence(
      `it gets the configurations of 3.1.0, which has none; add one in the admin console first, or ${choose}`,
    )
    expect(await refuse()).toEqual([1, latest, 0])
    expect(await refuse('--dry-run')).toEqual([1, latest, 0])
    expect(await refuse('--without-configurations')).toEqual([
      1,
      sentence(`it gets none; leave out --without-configurations, or ${choose}`),
      0,
    ])
    expect(await refuse('--configurations-of', '2.9.9')).toEqual([
      1,
      `Cannot publish version ${version}: there is no version 2.9.9 with configurations for it\n`,
      0,
    ])
    await other.registerVersion(version, { uris })
    expect(await refuse()).toEqual([
      1,
      sentence('it has none; add one in the admin console first'),
      0,
    ])
    await other.admin('DELETE', `/v3/versions/${version}`)
    const done = await publish([...at, '--configurations-of', old])
    expect(done.out).toContain(
      `Version ${version} is registered: UNIX, WIN64, with the configurations of 3.0.0`,
    )
    expect(done.out).not.toContain('no allowlist')
  } finally {
    await other.stop()
  }
})

test.each(['', '1.5', '-1', 'all', '9999999999'])(
  'publish refuses %j as a number of devices',
  (number) => {
    const args = ['--ds', 'https://ds.example', '--version', '4.0.1', `--max-reach=${number}`]
    expect(() => readOptions(args, {})).toThrow('such as --max-reach 1200')
  },
)

test('publish --dry-run says what it would do, and changes nothing', async () => {
  const { status, out } = await publish(['--dry-run'])
  expect([status, out]).toEqual([0, expect.stringContaining(`${deb}  would be uploaded`)])
  expect(out).toContain(`Version ${version} would be registered: UNIX, WIN64`)
  const { items } = await service.admin('GET', '/v3/installers?size=100')
  expect(items.map(({ name }: Json) => name)).not.toContain(deb)
})

test('publish refuses other bytes under the name of a package that a version has', async () => {
  await publish()
  await writeFile(join(folder, msi), 'another build')
  for (const more of [[], ['--dry-run']]) {
    const { status, err } = await publish(more)
    const reason = `Cannot replace "${msi}": version ${version} uses it`
    expect([status, err]).toEqual([1, expect.stringContaining(reason)])
  }
})

test('publish uploads a manifest of these packages, and refuses one of others', async () => {
  const { path, text, signature } = await writeManifest(msi, 'WIN64', `an msi of ${version}`)
  const refused = await publish()
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining(`another "${deb}"`)])
  const { status, out } = await publish([join(folder, msi), path])
  expect([status, out]).toEqual([0, expect.stringContaining('manifest.json  uploaded')])
  const found = await service.request('GET', `/v3/downloads/manifest?version=${version}`)
  expect(found.json.data).toEqual({
    manifest: text,
    signature,
  })
})

test('publish refuses a manifest whose signature is none, or of no key that it was given', async () => {
  const [key, other] = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey)
  if (!key || !other) throw new Error('no keys')
  const listed = { file: msi, system: 'WIN64', architecture: 'x64', size: 1 }
  const files = [{ ...listed, sha256: sha256(`an msi of ${version}`) }]
  const manifest = join(folder, 'manifest.json')
  await writeFile(manifest, JSON.stringify({ version, files }))
  const send = async (...options: readonly string[]) => {
    const { status, err } = await publish([...options, join(folder, msi), manifest])
    return [status, err]
  }
  // With a =: a key may begin with a dash.
  await writeFile(`${manifest}.sig`, 'signature')
  expect(await send()).toEqual([1, expect.stringContaining('it is not a signature')])
  await writeFile(`${manifest}.sig`, signManifest(await readFile(manifest), other))
  expect(await send(`--release-keys=${getPublicKey(key)}`)).toEqual([
    1,
    expect.stringContaining('no key of the releases has signed the manifest'),
  ])
  const keys = [key, other].map(getPublicKey).join()
  expect(await send(`--release-keys=${keys}`)).toEqual([0, ''])
})

test.each([
  ['a wrong password', [], 'the wrong password\n', /Cannot sign in as "admin"/],
  ['no password', [], '', /standard input is empty/],
  [
    'a service without TLS elsewhere',
    ['--ds', 'http://ds.example'],
    '',
    /http:\/\/ only of this machine/,
  ],
  ['a file that is no package', ['/etc/hostname'], '', /expected a deb, rpm, msi or pkg/],
  ['a key that is none', ['--release-keys', 'secret'], '', /"secret" is not a public key/],
  ['an unknown option', ['--password', 'secret'], '', /Unknown option/],
  ['packages of another version', ['--version', '3.9.9'], '', /its name says 4\.0\.\d+/],
  [
    'an address where no service is',
    ['--ds', 'http://127.0.0.1:9'],
    'password\n',
    /Cannot reach http:\/\/127\.0\.0\.1:9: /,
  ],
])('publish refuses %s with a sentence', async (_, args, input, sentence) => {
  const { status, err } = await publish(args, input)
  expect([status, err]).toEqual([1, expect.stringMatching(sentence)])
  expect(err).not.toContain('    at ')
})

test('publish sends nothing when NODE_TLS_REJECT_UNAUTHORIZED turns off the checks of certificates', () => {
  proves('certificate-checks-off')
  const args = ['--ds', 'https://ds.example', '--version', '4.0.0']
  expect(() => readOptions(args, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
    'Cannot publish: NODE_TLS_REJECT_UNAUTHORIZED turns off the verification of certificates',
  )
  expect(readOptions(args, {})?.ds).toBe('https://ds.example')
})

test('from its sources, as npm run publish starts it, --help names every option', async () => {
  const main = join(root, 'connector/publish/main.ts')
  const { status, out } = await runProgram([toolPath('node'), main, '--help'])
  expect([status, out]).toEqual([0, expect.stringContaining('--password-file')])
})

test.each([301, 302, 303, 307, 308])(
  'a redirect with status %i takes neither password nor token elsewhere',
  async (status) => {
    proves('publish-redirected')
    const requests: string[] = []
    const elsewhere = await listen((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      response.end('{"access_token":"a token","expires_in":300}')
    })
    const redirecting = await listen((_, response) =>
      response.writeHead(status, { location: `${elsewhere.url}/login` }).end(),
    )
    try {
      const { status: exit, err } = await publish(['--ds', redirecting.url])
      expect([exit, err]).toEqual([
        1,
        `Cannot use ${redirecting.url}: it redirects to ${elsewhere.url}; if that is your service, give its URL to --ds\n`,
      ])
      expect(requests).toEqual([])
    } finally {
      redirecting.stop()
      elsewhere.stop()
    }
  },
)

async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => void server.close(),
  }
}
