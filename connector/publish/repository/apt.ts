/** The half of a repository that apt reads: packages in `pool`, and signed lists of them in `dists/stable`. */
import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hash } from '../../../.ci/packaging/archives.ts'
import { PublishError } from '../options.ts'
import { replaceFile } from './replace-file.ts'
import type { ListChange, RepositoryHalf } from './repository-half.ts'
import { runTool, type Signer } from './signer.ts'
import { computeDigest, readWithDigest } from './stored-files.ts'

const pool = 'pool'
const suite = 'stable'
const component = 'main'
const byHash = 'by-hash/SHA256'

export const apt: RepositoryHalf = {
  suffix: '.deb',
  packages: pool,
  others: [],
  isSame: (there, path) => hash('sha256', there) === hash('sha256', path),
  check(path) {
    // A package without a slot has no such member.
    const members = runTool(['dpkg-deb', '--info', path])
    const isStamped =
      members.includes(' slot') && /^CARDWIRE_/m.test(runTool(['dpkg-deb', '--info', path, 'slot']))
    if (isStamped)
      throw new PublishError(
        `Cannot add "${path}": a service has written its values into it; add the package as it was built`,
      )
  },
  // The bytes of the release: their hash in the list is enough for apt.
  prepare: () => undefined,
  readList(folder, signer) {
    const stanzas = new Map(
      readStanzas(join(folder, 'dists', suite), signer).map((text) => [readName(text), text]),
    )
    return {
      packages: new Map([...stanzas].map(([name, text]) => [name, readField(text, 'SHA256')])),
      replace: (change) => publishList(folder, stanzas, change),
    }
  },
}

/** A stanza of Packages (Debian repository format, wiki.debian.org/DebianRepository/Format). Each describes a package. */
function readStanzas(folder: string, signer: Signer): readonly string[] {
  const inRelease = join(folder, 'InRelease')
  if (!existsSync(inRelease)) return []
  const text = signer.readSigned(inRelease)
  const indexes = [...text.matchAll(/^ ([0-9a-f]{64}) \d+ (.*)\/Packages$/gm)]
  return indexes.flatMap(([, sha256 = '', place = '']) =>
    readWithDigest(join(folder, place, byHash, sha256), sha256)
      .toString()
      .split(/\n{2,}/)
      .filter(Boolean)
      .map((stanza) => `${stanza.trimEnd()}\n`),
  )
}

const describePackage = (path: string) =>
  [
    runTool(['dpkg-deb', '--field', path]).trimEnd(),
    `Filename: ${pool}/${basename(path)}`,
    `Size: ${statSync(path).size}`,
    `SHA256: ${hash('sha256', path)}`,
    '',
  ].join('\n')

/** The last line of that name: ours are behind those of the package. */
const readField = (stanza: string, name: string): string =>
  stanza.match(new RegExp(`(?<=^${name}: ).*`, 'gm'))?.at(-1) ?? ''

const readName = (stanza: string) => basename(readField(stanza, 'Filename'))

function publishList(
  folder: string,
  stanzas: ReadonlyMap<string, string>,
  { kept, added, signer, now }: ListChange,
): void {
  const indexes = createIndexes([
    ...kept.flatMap((name) => stanzas.get(name) ?? []),
    ...added.map(describePackage),
  ])
  for (const { path, content, sha256 } of indexes) {
    const file = join(folder, 'dists', suite, path)
    // Computers that have read the list before still use these: they stay.
    replaceFile(join(file, '..', byHash, sha256), content)
    replaceFile(file, content)
  }
  // The last one, and the only one that apt looks for by its name.
  const inRelease = join(folder, 'dists', suite, 'InRelease')
  replaceFile(inRelease, signer.sign(`Date: ${now.toUTCString()}\n${describe(indexes)}`))
}

interface Index {
  /** Below the folder of the suite. */
  readonly path: string
  readonly content: Uint8Array
  readonly sha256: string
}

function createIndexes(stanzas: readonly string[]): readonly Index[] {
  const architectures = new Set(stanzas.map((text) => readField(text, 'Architecture')))
  return [...architectures].sort().flatMap((architecture) => {
    const text = stanzas
      .filter((stanza) => readField(stanza, 'Architecture') === architecture)
      .toSorted((a, b) => (readName(a) < readName(b) ? -1 : 1))
      .join('\n')
    const path = `${component}/binary-${architecture}/Packages`
    return [
      createIndex(path, Buffer.from(text)),
      createIndex(`${path}.gz`, gzipSync(text, { level: 9 })),
    ]
  })
}

const createIndex = (path: string, content: Uint8Array): Index => ({
  path,
  content,
  sha256: computeDigest(content),
})

/** A Release file without its date. */
function describe(indexes: readonly Index[]): string {
  const architectures = indexes.flatMap(
    ({ path }) => /binary-(\w+)\/Packages$/.exec(path)?.[1] ?? [],
  )
  return [
    'Origin: Cardwire',
    'Label: Cardwire',
    `Suite: ${suite}`,
    `Codename: ${suite}`,
    `Architectures: ${architectures.join(' ')}`,
    `Components: ${component}`,
    'Acquire-By-Hash: yes',
    'SHA256:',
    ...indexes.map(({ path, content, sha256 }) => ` ${sha256} ${content.length} ${path}`),
    '',
  ].join('\n')
}
