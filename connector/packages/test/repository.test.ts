/** A package repository as `npm run publish` makes it: what it refuses, and what readers see while it changes. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { writeSlot } from '@cardwire/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeEmptyDeb, makeEmptyRpm, makeKey, publish, serve } from './test-repository.ts'

let top: string
let keys: string
let [key, otherKey] = ['', '']
let folder: string
let count = 0
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'cardwire-repository-'))
  keys = join(top, 'keys')
  key = makeKey(keys, 'Packages <packages@shop.example>')
  otherKey = makeKey(keys, 'Others <others@shop.example>')
})
afterAll(() => rmSync(top, { recursive: true, force: true }))
beforeEach(() => {
  count += 1
  folder = join(top, `repository-${count}`)
})

const make = (version: string) => [
  makeEmptyDeb(top, version),
  makeEmptyRpm(top, { name: 'cardwire', version }),
]
const add = (version: string, files: readonly string[], ...args: readonly string[]) =>
  publish(keys, [
    ...['--repository', folder, '--repository-key', key, '--version', version, ...args, ...files],
  ])
/** Every file by its path, with its digest. */
const read = () =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(folder.length + 1), digest(readFileSync(path))]
      }),
  )
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('a version that is there already changes nothing, and earlier versions stay', async () => {
  const files = make('1.0.0')
  await add('1.0.0', files)
  const { status, out } = await add('1.0.1', make('1.0.1'))
  expect([status, out.match(/ added$/gm)?.length]).toEqual([0, 2])
  const before = read()
  const again = await add('1.0.0', files)
  expect([again.status, again.out.match(/ is there already$/gm)?.length]).toEqual([0, 2])
  expect(read()).toEqual(before)
  const lists = readFileSync(join(folder, 'dists/stable/main/binary-amd64/Packages'), 'utf8')
  expect(lists.match(/^Version: .*/gm)).toEqual(['Version: 1.0.0', 'Version: 1.0.1'])
  expect(Object.keys(before).filter((path) => /\.new-/.test(path))).toEqual([])
})

test('--dry-run says what it would add, and adds nothing', async () => {
  const { status, out } = await add('1.0.0', make('1.0.0'), '--dry-run')
  expect([status, out]).toEqual([
    0,
    'cardwire_1.0.0_amd64.deb  would be added\ncardwire-1.0.0-1.noarch.rpm  would be added\n',
  ])
  expect(readdirSync(top)).not.toContain(`repository-${count}`)
})

test('another package with the name of one that is there is refused', async () => {
  await add('1.0.0', make('1.0.0'))
  const before = read()
  const deb = makeEmptyDeb(top, '1.0.0', 'other bytes')
  const { status, err } = await add('1.0.0', [deb])
  expect([status, err]).toEqual([1, expect.stringContaining('another package of that name')])
  expect(read()).toEqual(before)
})

test('a package into which a service has written its values is refused', async () => {
  const values = { url: 'https://ds.example', installationKey: 'key', fingerprints: [] }
  const slot = new TextDecoder().decode(writeSlot(values))
  const { status, err } = await add('2.0.0', [makeEmptyDeb(top, '2.0.0', slot)])
  expect([status, err]).toEqual([1, expect.stringContaining('has written its values into it')])
  const empty = new TextDecoder().decode(writeSlot())
  expect((await add('2.0.1', [makeEmptyDeb(top, '2.0.1', empty)])).status).toBe(0)
})

test.each([
  ['another key than the one that signs it', () => otherKey, 'another key takes another folder'],
  ['a name that two keys have', () => 'shop.example', 'gpg has 2 keys of that name'],
  ['a key that gpg does not have', () => 'nobody@shop.example', 'with "nobody@shop.example": gpg'],
])('%s is refused', async (_, get, reason) => {
  await add('1.0.0', make('1.0.0'))
  const before = read()
  const { status, err } = await add('1.0.1', make('1.0.1'), '--repository-key', get())
  expect([status, err]).toEqual([1, expect.stringContaining(reason)])
  expect(err).not.toMatch(/\n +at /)
  expect(read()).toEqual(before)
})

test.each([
  [['--repository', '/nowhere'], '--repository and --repository-key go together'],
  [['--repository-key', 'key'], '--repository and --repository-key go together'],
  [[], 'give the address of the service'],
])('publish with %j ends with 1 and a sentence', async (args, reason) => {
  const { status, err } = await publish(keys, ['--version', '1.0.0', ...args])
  expect([status, err]).toEqual([1, expect.stringContaining(reason)])
  expect(err).not.toMatch(/\n +at /)
})

test('an attempt that ended half-way is completed by the next one', async () => {
  const [deb = '', rpm = ''] = make('1.0.0')
  await add('1.0.0', [deb])
  const [, later = ''] = make('1.0.1')
  const broken = join(top, 'cardwire-1.0.2-1.noarch.rpm')
  writeFileSync(broken, 'is no package')
  expect((await add('1.0.2', [rpm, broken])).status).toBe(1)
  expect((await add('1.0.1', [deb, rpm, later])).status).toBe(0)
  expect(readFileSync(join(folder, 'rpm/repodata/repomd.xml'), 'utf8')).toContain('primary')
})

test('what an attempt has left that was killed is in no list, and keeps no other one from its end', async () => {
  await add('1.0.0', make('1.0.0'))
  const left = makeEmptyRpm(top, { name: 'cardwire', version: '1.0.1' })
  copyFileSync(left, join(folder, 'rpm/.new-cardwire-1.0.1-1.noarch.rpm'))
  symlinkSync('.lists-gone/repodata', join(folder, 'rpm/.new-repodata'))
  const { status, err } = await add('1.0.2', make('1.0.2'))
  expect([status, err]).toEqual([0, ''])
  const names = readdirSync(join(folder, 'rpm')).filter((name) => !name.startsWith('.lists-'))
  expect(names.toSorted()).toEqual([
    'cardwire-1.0.0-1.noarch.rpm',
    'cardwire-1.0.2-1.noarch.rpm',
    'repodata',
  ])
  const primary = readdirSync(join(folder, 'rpm/repodata')).findLast((name) =>
    name.endsWith('primary.xml.gz'),
  )
  const list = gunzipSync(readFileSync(join(folder, 'rpm/repodata', primary ?? ''))).toString()
  expect(list).not.toContain('.new-')
})

test('whoever reads while versions are added gets every file of the list that they began with', async () => {
  await add('1.0.0', make('1.0.0'))
  const server = await serve(folder)
  const lists = new Map<string, readonly Listed[]>()
  const wrong: string[] = []
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      const apt = await readText(`${server.url}/dists/stable/InRelease`)
      const dnf = await readText(`${server.url}/rpm/repodata/repomd.xml`)
      lists.set(apt, readAptList(apt)).set(dnf, readDnfList(dnf))
      // Those of earlier lists, too: a slow reader has read one of them.
      for (const listed of [...lists.values()].flat())
        if (digest(await readBytes(`${server.url}/${listed.path}`)) !== listed.sha256)
          wrong.push(listed.path)
    }
  })()
  for (const version of ['1.0.1', '1.0.2', '1.0.3']) await add(version, make(version))
  isDone = true
  await reading
  server.close()
  expect(wrong).toEqual([])
  expect(lists.size).toBeGreaterThan(4)
  for (const listed of lists.values()) expect(listed.length).toBeGreaterThan(1)
})

interface Listed {
  readonly path: string
  readonly sha256: string
}

const readText = async (url: string) => (await fetch(url)).text()
const readBytes = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer())

const readAptList = (text: string): readonly Listed[] =>
  [...text.matchAll(/^ (\w{64}) \d+ (main\/.*)\/.*$/gm)].map(([, sha256 = '', place]) => ({
    path: `dists/stable/${place}/by-hash/SHA256/${sha256}`,
    sha256,
  }))

const readDnfList = (text: string): readonly Listed[] =>
  [...text.matchAll(/href="(repodata\/(\w{64})-[^"]*)"/g)].map(([, path, sha256 = '']) => ({
    path: `rpm/${path}`,
    sha256,
  }))
