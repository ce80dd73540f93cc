/** An update from one Debian package to the next, in a machine that boots, through a real service: what is refused, and what is installed. */
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createManifestName, type PackageManifest } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import { boot, createRoot } from '../../../test/bed/booted-machine.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { root as repository, toolPath } from '../../../test/bed/repository.ts'
import { makePackage } from '../../test/binary/packages/make-packages.ts'
import { signManifest } from '../signing-key.ts'
import { type MachineService, prepareMachineService } from './machine-service.ts'

const script = fileURLToPath(new URL('update.sh', import.meta.url))
/** Two packages, a root, a boot, and everything in it. */
const bootMs = 600_000
const [before, after, own] = ['900.0.0', '900.0.1', '900.0.2']

let folder: string
let service: MachineService
let facts: Readonly<Record<string, string>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-update-'))
  const key = generateKeyPairSync('ed25519').privateKey
  const keyFile = join(folder, 'release-key.pem')
  writeFileSync(keyFile, key.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  const make = (version: string) =>
    makePackage(join(folder, version), [
      ...['--formats', 'deb', '--fast', '--version', version, '--signing-key', keyFile],
    ])
  const [old, next] = [make(before), make(after)]
  service = await prepareMachineService((running) => fill(running, next))
  layOutRefused(next, key)
  const root = join(folder, 'root')
  createRoot(root, ['sudo'])
  const { folders } = service
  facts = boot({
    root,
    script,
    packages: { 'old.deb': old },
    results: join(folder, 'results'),
    folders,
  })
}, bootMs)
afterAll(() => {
  for (const path of [folder, service?.folder]) rmSync(path, { recursive: true, force: true })
})

/** The version before is registered, the one after published and recommended, by the commands of a release. */
async function fill(running: DistributionService, next: string): Promise<void> {
  const { installationApiKey } = await running.registerVersion(before)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, administrator.password)
  execFileSync(
    toolPath('node'),
    [
      ...['connector/publish/main.ts', '--ds', running.url, '--version', after],
      ...['--folder', dirname(next), '--password-file', passwordFile],
    ],
    { cwd: repository, env: process.env, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const { uris } = await running.admin('GET', `/v3/versions/${after}`)
  await running.registerVersion(after, { uris, recommended: true })
  const settings = [
    `CARDWIRE_DS_URL=${running.url}`,
    `CARDWIRE_INSTALLATION_KEY=${installationApiKey}`,
  ]
  writeFileSync(join(running.folder, 'cardwire.conf'), `${settings.join('\n')}\n`)
}

/** What the service serves in place of the release, in a folder for each; `released`: what puts it right again. */
function layOutRefused(next: string, key: KeyObject): void {
  const of = (name: string) => {
    const path = join(service.folder, name)
    mkdirSync(path)
    return path
  }
  const [name, manifestName] = [basename(next), createManifestName(after)]
  const published = join(service.folder, 'packages')
  const released = of('released')
  for (const file of [name, manifestName]) cpSync(join(published, file), join(released, file))
  const { manifest, signature } = JSON.parse(readFileSync(join(released, manifestName), 'utf8'))

  const changed = readFileSync(next)
  const last = changed.length - 1
  changed[last] = (changed[last] ?? 0) ^ 1
  writeFileSync(join(of('wrong-digest'), name), changed)

  const other = Buffer.from(signature, 'base64')
  other[0] = (other[0] ?? 0) ^ 1
  writeManifest(of('wrong-signature'), after, manifest, other.toString('base64'))

  const { files, version }: PackageManifest = JSON.parse(manifest)
  const elsewhere = { version, files: files.map((file) => ({ ...file, architecture: 'arm64' })) }
  writeSigned(of('other-machine'), elsewhere, key)

  // What somebody does who has the service: a version of its own, with a manifest by a key of its own.
  const ownName = `cardwire_${own}_amd64.deb`
  const folderOfOwn = of('own-manifest')
  writeFileSync(join(folderOfOwn, ownName), changed)
  const { sha256 } = describeBytes(changed)
  const file = {
    file: ownName,
    system: 'UNIX' as const,
    architecture: 'x64',
    ...describeBytes(changed),
  }
  writeSigned(
    folderOfOwn,
    { version: own, files: [file] },
    generateKeyPairSync('ed25519').privateKey,
  )
  const uris = [{ os: 'UNIX', uri: `file:///${ownName}`, sha256 }]
  cpSync(join(folderOfOwn, ownName), join(published, ownName))
  const flags = { id: own, recommended: true, mandatory: false, allowed: true, uris }
  writeFileSync(join(service.folder, 'own.json'), JSON.stringify(flags))
  writeFileSync(
    join(service.folder, 'own-withdrawn.json'),
    JSON.stringify({ ...flags, allowed: false }),
  )
}

const describeBytes = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

function writeSigned(path: string, manifest: PackageManifest, key: KeyObject): void {
  const text = JSON.stringify(manifest)
  writeManifest(path, manifest.version, text, signManifest(Buffer.from(text), key).trim())
}

function writeManifest(path: string, version: string, manifest: string, signature: string): void {
  const text = JSON.stringify({ manifest, signature })
  writeFileSync(join(path, createManifestName(version)), text)
}

/** The facts of one chapter of the script, by their names in it. */
const read = (chapter: string) =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      name.startsWith(`${chapter}.`) ? [[name.slice(chapter.length + 1), value]] : [],
    ),
  )

test('an update --dry-run says what would install it', () => {
  expect(read('before')).toEqual({ runs: `yes ${before}` })
  expect(read('dry')).toEqual({ status: '0', says: 'yes' })
})

test.each([
  ['an installer with another digest', 'wrong-digest'],
  ['a manifest with a wrong signature', 'wrong-signature'],
  ['an installer for another architecture', 'other-machine'],
  ['a manifest that the service has made itself', 'own-manifest'],
])('an update refuses %s, and the version before keeps running', (_, chapter) => {
  const keepsRunning = `yes yes ${before}`
  expect(read(chapter)).toEqual({ status: '1', says: 'yes', keepsRunning, left: '' })
})

test('an update refuses a file that another program of the user has exchanged after the check', () => {
  const keepsRunning = `yes yes ${before}`
  expect(read('exchanged')).toEqual({ status: '1', says: 'yes', keepsRunning })
})

test('an update ends in the version after, installed by apt, with every key and the connector of the user back', () => {
  expect(read('update')).toMatchObject({
    status: '0',
    says: 'yes',
    runs: `yes ${after} ${after}`,
    package: `install ok installed ${after}`,
    kept: 'yes',
    left: '',
  })
  expect(read('after')).toEqual({ status: '0' })
})

test('an update has the registry answer again within 3 s', () => {
  expect(Number(facts['update.gap'])).toBeLessThanOrEqual(3000)
})

test('the button of a window installs the version too, which ends the connector that showed it, and not the update', () => {
  expect(read('window')).toEqual({
    before,
    says: 'yes',
    runs: `yes ${after} ${after}`,
    package: `install ok installed ${after}`,
  })
})
