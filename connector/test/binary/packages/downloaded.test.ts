/** The Debian package as a user gets it from a service with DS_STAMP_INSTALLERS, in a machine that boots: nothing is typed after the install. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { PackageManifest } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, createRoot, makeMachineFolder } from '../../../../test/bed/booted-machine.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { root as repository } from '../../../../test/bed/repository.ts'
import { makePublished } from './make-packages.ts'

const script = fileURLToPath(new URL('downloaded.sh', import.meta.url))
/** A package, a root, a boot, and everything in it. */
const bootMs = 600_000

let folder: string
let facts: Readonly<Record<string, string>>
let slot: { readonly offset: number; readonly length: number } | undefined
beforeAll(() => {
  folder = makeMachineFolder('downloaded')
  const packages = makePublished(folder)
  const manifest = JSON.parse(readFileSync(packages['manifest.json'] ?? '', 'utf8'))
  slot = PackageManifest.parse(manifest).files[0]?.slot
  // A run has built it.
  if (!process.env['TEST_SERVICE_BUILT'])
    execFileSync('npm', ['run', '--silent', 'build', '-w', 'ds'], { cwd: repository })
  const root = join(folder, 'root')
  createRoot(root)
  const folders = { '/repository': repository }
  facts = boot({ root, script, packages, folders, results: join(folder, 'results') })
}, bootMs)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The facts of one chapter of the script, by their names in it. */
const read = (chapter: string) =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([fact, value]) =>
      fact.startsWith(`${chapter}.`) ? [[fact.slice(chapter.length + 1), value]] : [],
    ),
  )

test('downloaded package differs from the one that was built in its slot alone', () => {
  proves('installer-key-stamped')
  expect(facts['publish.status']).toBe('0')
  const [first = 0, last = 0] = (facts['download.differs'] ?? '').split(' ').map(Number)
  const { offset = 0, length = 0 } = slot ?? {}
  expect(first).toBeGreaterThan(offset)
  expect(last).toBeGreaterThan(first)
  expect(last).toBeLessThanOrEqual(offset + length)
})

test('downloaded package is installed by one command, and the registry answers to those who trust the machine', () => {
  proves('installer-complete')
  expect(read('install')).toEqual({ status: '0', answers: 'yes' })
})

test('downloaded package registers the machine and the user who logs in, without any further setting', () => {
  proves('installer-complete')
  expect(facts['session.starts']).toBe('yes')
  expect(read('registered')).toEqual({ machine: 'yes', user: 'yes' })
})

test('keystore of the service is served after an approval, and not before, by the registry and by the connector', () => {
  proves('stamped-key-public')
  expect(facts['approved.devices']).toBe('connector registry')
  expect(read('keystore')).toEqual({ before: 'no no', after: 'yes yes' })
  expect(facts['doctor.machine']).toBe('2')
})

test('page that the service allows gets a consent and the card in the reader, with nothing typed after the install', () => {
  proves('installer-complete')
  expect(read('page')).toEqual({
    consent: '"consentState":"APPROVED"',
    card: '"atr":"3B9813400AA503010101AD1311"',
  })
})

test('installation key is in no log and no arguments of a program, and in one file that everybody may read', () => {
  proves('stamped-key-leaked')
  expect(read('key')).toEqual({ length: '37', seen: '', readable: '/etc/cardwire/installed.conf' })
})

test('settings of the machine that others than root may write do not count, and the doctor says so', () => {
  proves('machine-settings-writable')
  expect(facts['doctor.ignored']).toMatch(
    /^✗ .*users other than root can write it +→ run: chown root/,
  )
})
