/** The half of a repository that apt reads: packages in `pool`, and signed lists of them in `dists/stable`. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hash } from '../../../.ci/packaging/archives.ts'
import { PublishError } from '../options.ts'
import { addCopy, replaceFile } from './replace-file.ts'
import type { RepositoryHalf } from './repository-half.ts'
import { runTool } from './signer.ts'

const pool = 'pool'
const suite = 'stable'
const component = 'main'

export const apt: RepositoryHalf = {
  suffix: '.deb',
  has(folder, { name, sha256 }) {
    const there = join(folder, pool, name)
    return existsSync(there) ? hash('sha256', there) === sha256 : undefined
  },
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
  add: (folder, { name }, path) => addCopy(path, join(folder, pool, name)),
  writeIndexes(folder, signer, now) {
    const indexes = createIndexes(folder)
    const inRelease = join(folder, 'dists', suite, 'InRelease')
    const contents = describe(indexes)
    if (existsSync(inRelease) && readFileSync(inRelease, 'utf8').includes(contents)) return false
    for (const { path, content, sha256 } of indexes) {
      const file = join(folder, 'dists', suite, path)
      // Whoever has read the list before goes on by these: they stay.
      replaceFile(join(file, '..', 'by-hash/SHA256', sha256), content)
      replaceFile(file, content)
    }
    // The last one, and the only one that apt looks for by its name.
    replaceFile(inRelease, signer.sign(`Date: ${now.toUTCString()}\n${contents}`))
    return true
  },
}

interface Index {
  /** Below the folder of the suite. */
  readonly path: string
  readonly content: Uint8Array
  readonly sha256: string
}

const architecturePattern = /^Architecture: (\w+)$/m

function createIndexes(folder: string): readonly Index[] {
  const stanzas = readdirSync(join(folder, pool))
    .filter((name) => name.endsWith('.deb') && !name.startsWith('.'))
    .sort()
    .map((name) => describePackage(folder, `${pool}/${name}`))
  const architectures = [
    ...new Set(stanzas.map((text) => architecturePattern.exec(text)?.[1] ?? '')),
  ]
  return architectures.sort().flatMap((architecture) => {
    const text = stanzas
      .filter((stanza) => architecturePattern.exec(stanza)?.[1] === architecture)
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
  sha256: createHash('sha256').update(content).digest('hex'),
})

/** A stanza of Packages (Debian repository format, wiki.debian.org/DebianRepository/Format). */
const describePackage = (folder: string, path: string) =>
  [
    runTool(['dpkg-deb', '--field', join(folder, path)]).trimEnd(),
    `Filename: ${path}`,
    `Size: ${statSync(join(folder, path)).size}`,
    `SHA256: ${hash('sha256', join(folder, path))}`,
    '',
  ].join('\n')

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
