/** A package repository into whose folder someone else writes: the publisher signs nothing that it did not sign before or add now. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  makeEmptyDeb,
  makeEmptyRpm,
  makeKey,
  publish,
} from '../../packages/test/test-repository.ts'
import { withFolder } from '../../publish/repository/folder.ts'

let top: string
let [keys, key, published, folder] = ['', '', '', '']
let next: readonly string[]
beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), 'cardwire-hostile-repository-'))
  keys = join(top, 'keys')
  key = makeKey(keys, 'Packages <packages@shop.example>')
  published = join(top, 'published')
  folder = published
  expect(await add('1.0.0', make(top, '1.0.0'))).toMatchObject({ status: 0 })
  next = make(top, '1.0.1')
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

let count = 0
beforeEach(() => {
  count += 1
  folder = join(top, `repository-${count}`)
  cpSync(published, folder, { recursive: true, verbatimSymlinks: true })
})

const make = (at: string, version: string) => [
  makeEmptyDeb(at, version),
  makeEmptyRpm(at, { name: 'cardwire', version }),
]
const add = (version: string, files: readonly string[], ...args: readonly string[]) =>
  publish(keys, [
    ...['--repository', folder, '--repository-key', key, '--version', version, ...args, ...files],
  ])

/** What machines read first; each has a signature. */
const signedLists = ['dists/stable/InRelease', 'rpm/repodata/repomd.xml.asc'] as const
const readLists = () =>
  signedLists.map((path) => (existsSync(join(folder, path)) ? read(path) : undefined))
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/** Packages of the attacker: another name, and the same name and version with other bytes. */
function makeForeign() {
  const at = join(top, `foreign-${count}`)
  mkdirSync(at)
  const deb = makeEmptyDeb(at, '1.0.0', 'other bytes')
  const rpm = makeEmptyRpm(at, { name: 'openssh-server', version: '99' })
  const rebuilt = makeEmptyRpm(at, { name: 'cardwire', version: '1.0.0', provides: ['backdoor'] })
  return { deb, rpm, rebuilt }
}
const place = (from: string, path: string) => copyFileSync(from, join(folder, path))
const debOf = (version: string) => `pool/cardwire_${version}_amd64.deb`
const rpmOf = (version: string) => `rpm/cardwire-${version}-1.noarch.rpm`
/** The file that a list of names with hashes in them calls so. */
const findFile = (parent: string, end: string) =>
  `${parent}/${readdirSync(join(folder, parent)).find((name) => name.endsWith(end))}`
const byHash = 'dists/stable/main/binary-amd64/by-hash/SHA256'

const plantings: readonly (readonly [what: string, path: () => string, plant: () => void])[] = [
  [
    'a deb with another name',
    () => 'pool/openssh-server_99_amd64.deb',
    () => place(makeForeign().deb, 'pool/openssh-server_99_amd64.deb'),
  ],
  ['a rebuilt deb', () => debOf('1.0.0'), () => place(makeForeign().deb, debOf('1.0.0'))],
  [
    'a deb with one byte more',
    () => debOf('1.0.0'),
    () => appendFileSync(join(folder, debOf('1.0.0')), '\0'),
  ],
  [
    'another deb of the version that comes',
    () => debOf('1.0.1'),
    () => place(makeForeign().deb, debOf('1.0.1')),
  ],
  [
    'a file that is no package',
    () => 'pool/notes.txt',
    () => writeFileSync(join(folder, 'pool/notes.txt'), ''),
  ],
  [
    'a deb in a folder of the pool',
    () => 'pool/deeper',
    () => {
      mkdirSync(join(folder, 'pool/deeper'))
      place(makeForeign().deb, 'pool/deeper/cardwire_2.0.0_amd64.deb')
    },
  ],
  [
    'a link in place of a deb, even to the same bytes',
    () => debOf('1.0.0'),
    () => {
      rmSync(join(folder, debOf('1.0.0')))
      symlinkSync(join(published, debOf('1.0.0')), join(folder, debOf('1.0.0')))
    },
  ],
  [
    'a list of apt without its signature',
    () => 'dists/stable/InRelease',
    () => writeFileSync(join(folder, 'dists/stable/InRelease'), 'Suite: stable\n'),
  ],
  [
    'a changed list of apt',
    () => 'dists/stable/InRelease',
    () =>
      writeFileSync(
        join(folder, 'dists/stable/InRelease'),
        read('dists/stable/InRelease').replace('Suite: stable', 'Suite: Stable'),
      ),
  ],
  [
    'changed entries of apt',
    () => byHash,
    () => {
      for (const name of readdirSync(join(folder, byHash)))
        appendFileSync(join(folder, byHash, name), '\nPackage: openssh-server\n')
    },
  ],
  [
    'no list of apt',
    () => debOf('1.0.0'),
    () => rmSync(join(folder, 'dists'), { recursive: true }),
  ],
  [
    'an rpm with another name',
    () => 'rpm/openssh-server-99-1.noarch.rpm',
    () => place(makeForeign().rpm, 'rpm/openssh-server-99-1.noarch.rpm'),
  ],
  ['a rebuilt rpm', () => rpmOf('1.0.0'), () => place(makeForeign().rebuilt, rpmOf('1.0.0'))],
  [
    'another rpm of the version that comes',
    () => rpmOf('1.0.1'),
    () => place(makeForeign().rpm, rpmOf('1.0.1')),
  ],
  [
    'an rpm in a folder, where createrepo_c finds it',
    () => 'rpm/deeper',
    () => {
      mkdirSync(join(folder, 'rpm/deeper'))
      place(makeForeign().rpm, 'rpm/deeper/openssh-server-99-1.noarch.rpm')
    },
  ],
  [
    'a changed list of dnf',
    () => 'rpm/repodata/repomd.xml',
    () => appendFileSync(join(folder, 'rpm/repodata/repomd.xml'), '\n'),
  ],
  [
    'a list of dnf without a signature',
    () => 'rpm/repodata/repomd.xml',
    () => rmSync(join(folder, 'rpm/repodata/repomd.xml.asc')),
  ],
  [
    'changed entries of dnf',
    () => findFile('rpm/repodata', 'primary.xml.gz'),
    () =>
      writeFileSync(
        join(folder, findFile('rpm/repodata', 'primary.xml.gz')),
        gzipSync('<metadata/>'),
      ),
  ],
  ['no list of dnf', () => rpmOf('1.0.0'), () => rmSync(join(folder, 'rpm/repodata'))],
]

test.each(plantings)('%s is not signed: publishing ends with its name', async (_, path, plant) => {
  proves('repository-planted')
  plant()
  const name = path()
  const before = readLists()
  const { status, err } = await add('1.0.1', next)
  expect([status, err]).toEqual([1, expect.stringContaining(join(folder, name))])
  expect(err).not.toMatch(/\n +at /)
  expect(readLists()).toEqual(before)
})

test('a list that another key signed is not continued', async () => {
  proves('repository-planted')
  const others = join(top, 'others')
  const foreignKey = makeKey(others, 'Packages <packages@shop.example>')
  const foreign = join(top, 'foreign-repository')
  const options = ['--repository', foreign, '--repository-key', foreignKey, '--version', '9.0.0']
  expect(await publish(others, [...options, ...make(top, '9.0.0')])).toMatchObject({ status: 0 })
  for (const part of ['dists', 'pool', 'rpm']) {
    rmSync(join(folder, part), { recursive: true })
    cpSync(join(foreign, part), join(folder, part), { recursive: true, verbatimSymlinks: true })
  }
  const { status, err } = await add('1.0.1', next)
  expect([status, err]).toEqual([1, expect.stringContaining('dists/stable/InRelease')])
})

test('links that wait under the names of new files lead nowhere', async () => {
  proves('repository-planted')
  const victim = join(top, 'victim')
  writeFileSync(victim, 'kept')
  const waiting = ['cardwire.asc', debOf('1.0.1'), rpmOf('1.0.1'), signedLists[0]]
  for (const path of waiting) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    symlinkSync(victim, join(folder, dirname(path), `.new-${name}`))
  }
  expect(await add('1.0.1', next)).toMatchObject({ status: 0, err: '' })
  expect(readFileSync(victim, 'utf8')).toBe('kept')
})

test.each(['pool', 'dists', 'dists/stable/main', 'rpm'])(
  'a link in place of %s leads nowhere: publishing ends with its name',
  async (path) => {
    proves('repository-planted')
    const elsewhere = join(top, `elsewhere-${count}`)
    cpSync(join(folder, path), elsewhere, { recursive: true, verbatimSymlinks: true })
    rmSync(join(folder, path), { recursive: true })
    symlinkSync(elsewhere, join(folder, path))
    const before = readdirSync(elsewhere, { recursive: true })
    const { status, err } = await add('1.0.1', next)
    expect([status, err]).toEqual([1, expect.stringContaining(join(folder, path))])
    expect(err).not.toMatch(/\n +at /)
    expect(readdirSync(elsewhere, { recursive: true })).toEqual(before)
  },
)

test('of earlier lists stays only what its name is the SHA-256 of', async () => {
  proves('repository-planted')
  const content = 'an earlier list'
  const digest = createHash('sha256').update(content).digest('hex')
  const secret = join(top, 'secret')
  writeFileSync(secret, content)
  const repodata = join(folder, 'rpm/repodata')
  writeFileSync(join(repodata, `${digest}-other.xml.gz`), content)
  const others = ['a'.repeat(64), digest].map((name) => `${name}-primary.xml.gz`)
  writeFileSync(join(repodata, others[0] ?? ''), content)
  symlinkSync(secret, join(repodata, others[1] ?? ''))
  execFileSync('mkfifo', [join(repodata, `${digest}-filelists.xml.gz`)])
  writeFileSync(join(repodata, 'notes.txt'), content)
  const before = readdirSync(repodata).filter((name) => /^[0-9a-f]{64}-.*/.test(name))
  expect(await add('1.0.1', next)).toMatchObject({ status: 0, err: '' })
  const after = readdirSync(repodata)
  const planted = [...others, `${digest}-filelists.xml.gz`]
  expect(after).toEqual(expect.arrayContaining(before.filter((name) => !planted.includes(name))))
  for (const name of [...planted, 'notes.txt']) expect(after).not.toContain(name)
})

test('lists that are a link out of the repository are not continued', async () => {
  proves('repository-planted')
  const elsewhere = join(top, `lists-${count}`)
  cpSync(join(folder, 'rpm/repodata'), elsewhere, { recursive: true, dereference: true })
  rmSync(join(folder, 'rpm/repodata'))
  symlinkSync(elsewhere, join(folder, 'rpm/repodata'))
  const { status, err } = await add('1.0.1', next)
  expect([status, err]).toEqual([1, expect.stringContaining(`it leads to "${elsewhere}"`)])
})

test('a link that takes the place of a folder after it was opened leads nowhere', () => {
  proves('repository-planted')
  const [path, moved, victim] = ['pool/new', 'pool/moved', 'victim'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  mkdirSync(victim)
  withFolder(path, (here) => {
    renameSync(path, moved)
    symlinkSync(victim, path)
    writeFileSync(join(here, 'a.deb'), '')
  })
  expect([readdirSync(victim), readdirSync(moved)]).toEqual([[], ['a.deb']])
  expect(() => withFolder(path, () => undefined)).toThrow(`a link leads to "${victim}"`)
  expect(() => withFolder(join(path, 'deeper'), () => undefined)).toThrow('a link leads to')
})

test('the repository itself may be a link', async () => {
  const real = folder
  folder = `${real}-link`
  symlinkSync(real, folder)
  expect(await add('1.0.1', next)).toMatchObject({ status: 0, err: '' })
  expect(existsSync(join(real, debOf('1.0.1')))).toBe(true)
})

test('a package that was removed is withdrawn, and can come back', async () => {
  const files = make(join(top), '1.0.0')
  expect(await add('1.0.1', next)).toMatchObject({ status: 0 })
  rmSync(join(folder, debOf('1.0.0')))
  rmSync(join(folder, rpmOf('1.0.0')))
  const withdrawn = await add('1.0.1', next)
  expect(withdrawn).toMatchObject({ status: 0, out: expect.stringContaining('withdrawn') })
  expect(read('dists/stable/main/binary-amd64/Packages')).not.toContain('Version: 1.0.0')
  const back = await add('1.0.0', files)
  expect(back).toMatchObject({ status: 0, err: '' })
  expect(read('dists/stable/main/binary-amd64/Packages').match(/^Version: .*/gm)).toEqual([
    'Version: 1.0.0',
    'Version: 1.0.1',
  ])
})
