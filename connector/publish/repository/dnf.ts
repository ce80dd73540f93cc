/** The half of a repository that dnf reads: signed packages in `rpm`, and signed lists of them in `rpm/repodata`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createLists } from './create-lists.ts'
import { readMetadata } from './dnf-metadata.ts'
import { generation, lists, publishLists } from './publish-lists.ts'
import type { RepositoryHalf } from './repository-half.ts'
import { runTool } from './signer.ts'

const define = (name: string, value: string) => ['--define', `${name} ${value}`]
// Debian's rpm looks for gpg2.
const gpg = define('__gpg', '/usr/bin/gpg')

export const dnf: RepositoryHalf = {
  suffix: '.rpm',
  packages: 'rpm',
  others: [lists, generation],
  isSame: (there, path) => readDigest(there) === readDigest(path),
  check: (path) => void readDigest(path),
  prepare(copy, { fingerprint }) {
    runTool(['rpmsign', ...define('_gpg_name', fingerprint), ...gpg, '--addsign', copy])
  },
  readList(folder, signer) {
    const parent = join(folder, 'rpm')
    const metadata = existsSync(join(parent, lists))
      ? readMetadata(join(parent, lists), signer)
      : undefined
    return {
      packages: new Map(metadata?.packages.map(({ name, sha256 }) => [name, sha256])),
      replace: (change) => publishLists(parent, createLists(metadata, change), change.signer),
    }
  },
}

/** Of the header with the digest of the payload in it: a signature changes neither. */
const readDigest = (path: string) =>
  runTool([
    'rpm',
    '--query',
    '--nosignature',
    '--package',
    path,
    '--queryformat',
    '%{SHA256HEADER}',
  ])
