/** The half of a repository that dnf reads: signed packages in `rpm`, and signed lists of them in `rpm/repodata`. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { addCopy, replaceLink, unfinished } from './replace-file.ts'
import type { RepositoryHalf } from './repository-half.ts'
import { runTool, type Signer } from './signer.ts'

const define = (name: string, value: string) => ['--define', `${name} ${value}`]
// Debian's rpm looks for gpg2.
const gpg = define('__gpg', '/usr/bin/gpg')

const packages = 'rpm'
const lists = 'repodata'
const list = 'repomd.xml'

export const dnf: RepositoryHalf = {
  suffix: '.rpm',
  has(folder, { name }, path) {
    const there = join(folder, packages, name)
    return existsSync(there) ? readDigest(there) === readDigest(path) : undefined
  },
  check: (path) => void readDigest(path),
  add: (folder, { name }, path, { fingerprint }) =>
    addCopy(path, join(folder, packages, name), (copy) => {
      runTool(['rpmsign', ...define('_gpg_name', fingerprint), ...gpg, '--addsign', copy])
    }),
  writeIndexes(folder, signer) {
    const parent = join(folder, packages)
    // createrepo_c would list a copy that was not signed.
    removeOthers(parent)
    const current = readCurrent(parent)
    const next = mkdtempSync(join(parent, generation))
    createLists(parent, next)
    const isSame = current !== undefined && readList(parent) === readList(next)
    if (!isSame) publishLists(parent, next, signer)
    removeOthers(parent)
    return !isSame
  },
}

/** The link `repodata` leads into a folder of this name. */
const generation = '.lists-'

/** The name of the folder that has the lists of now. */
function readCurrent(parent: string): string | undefined {
  const link = join(parent, lists)
  return existsSync(link) ? dirname(readlinkSync(link)) : undefined
}

/** Also what an attempt has left that did not come to its end. */
function removeOthers(parent: string): void {
  const current = readCurrent(parent)
  for (const name of readdirSync(parent)) {
    const isOther = name.startsWith(generation) && name !== current
    if (isOther || name.startsWith(unfinished)) rmSync(join(parent, name), { recursive: true })
  }
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

const readList = (folder: string) => readFileSync(join(folder, lists, list), 'utf8')

/** The same packages make the same lists: their time is that of the newest package. */
function createLists(parent: string, folder: string): void {
  const times = readdirSync(parent)
    .filter((name) => name.endsWith('.rpm'))
    .map((name) => Math.floor(statSync(join(parent, name)).mtimeMs / 1000))
  const revision = ['--revision', String(Math.max(...times)), '--set-timestamp-to-revision']
  runTool([
    'createrepo_c',
    ...['--quiet', '--no-database', ...revision, '--outputdir', folder, parent],
  ])
}

/** The list and its signature appear in one step; what an earlier list names stays, for whoever has read that one. */
function publishLists(parent: string, next: string, signer: Signer): void {
  const folder = join(next, lists)
  writeFileSync(join(folder, `${list}.asc`), signer.signDetached(readList(next)))
  const earlier = join(parent, lists)
  for (const name of existsSync(earlier) ? readdirSync(earlier) : []) {
    if (!existsSync(join(folder, name))) linkSync(join(earlier, name), join(folder, name))
  }
  chmodSync(next, 0o755)
  replaceLink(earlier, join(basename(next), lists))
}
