/** Adds packages to a repository, a folder that any web server can serve, and signs its lists anew. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '../../../.ci/packaging/archives.ts'
import { PublishError, type RepositoryOptions } from '../options.ts'
import type { PublishedFile } from '../package-files.ts'
import { apt } from './apt.ts'
import { dnf } from './dnf.ts'
import { type Candidate, planUpdate, type Update } from './plan-update.ts'
import { addCopy, replaceFile } from './replace-file.ts'
import type { RepositoryHalf } from './repository-half.ts'
import { resolveLinks } from './resolve-links.ts'
import { findFingerprints, findSigner, type Signer } from './signer.ts'
import { readStoredFile } from './stored-files.ts'

/** The name of the public key that machines verify the repository with. */
export const publicKeyName = 'cardwire.asc'

const halves: readonly RepositoryHalf[] = [apt, dnf]

interface Order extends RepositoryOptions {
  readonly files: readonly PublishedFile[]
  readonly isDryRun: boolean
  readonly now: Date
  readonly print: (line: string) => void
}

/** Can be repeated. Earlier versions stay; another package with the name of one that is there is refused. */
export function updateRepository(given: Order): void {
  const order = { ...given, folder: resolveLinks(given.folder) }
  const { folder, key, files, isDryRun } = order
  const signer = findSigner(key)
  checkKey(folder, signer)
  const updates = halves.flatMap((half) => {
    const candidates = findCandidates(half, files)
    return candidates.length > 0 ? [planUpdate(half, folder, candidates, signer)] : []
  })
  if (updates.length === 0)
    throw new PublishError('Cannot publish to the repository: there is neither a deb nor an rpm')
  printPlan(updates, order)
  if (isDryRun) return
  mkdirSync(folder, { recursive: true })
  replaceFile(join(folder, publicKeyName), signer.publicKey)
  const work = mkdtempSync(join(tmpdir(), 'cardwire-repository-'))
  try {
    for (const update of updates) applyUpdate(update, signer, work, order)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function printPlan(updates: readonly Update[], { files, isDryRun, print }: Order): void {
  for (const { kept, added, withdrawn } of updates) {
    for (const { name } of files) if (kept.includes(name)) print(`${name}  is there already`)
    for (const { name } of isDryRun ? added : []) print(`${name}  would be added`)
    for (const name of withdrawn) print(`${name}  ${isDryRun ? 'would be withdrawn' : 'withdrawn'}`)
  }
}

const findCandidates = (
  { suffix }: RepositoryHalf,
  files: readonly PublishedFile[],
): readonly Candidate[] =>
  files.flatMap(({ name, sha256, content }) =>
    name.endsWith(suffix) && 'path' in content ? [{ name, sha256, path: content.path }] : [],
  )

/** Only what is signed already stays as it is: packages and lists are made in a private folder, and copied from there. */
function applyUpdate(
  { half, list, kept, added, withdrawn }: Update,
  signer: Signer,
  work: string,
  { folder, now, print }: Order,
): void {
  const copies = added.map(({ name, path, sha256 }) => {
    const copy = join(work, name)
    copyFileSync(path, copy)
    if (hash('sha256', copy) !== sha256)
      throw new PublishError(`Cannot add "${path}": it changed while it was published`)
    half.prepare(copy, signer)
    addCopy(copy, join(folder, half.packages, name))
    print(`${name}  added`)
    return copy
  })
  if (added.length === 0 && withdrawn.length === 0) return
  list.replace({ kept, added: copies, work, signer, now })
  print(`List of every ${half.suffix.slice(1)} signed by ${signer.fingerprint}`)
}

/** Machines know one key: with another one they would refuse everything. */
function checkKey(folder: string, { fingerprint }: Signer): void {
  const path = join(folder, publicKeyName)
  const known = existsSync(path) ? findFingerprints(readStoredFile(path).toString()) : []
  if (known.length > 0 && !known.includes(fingerprint))
    throw new PublishError(
      `Cannot sign "${folder}" with ${fingerprint}: ${known.join(', ')} signs it; another key takes another folder`,
    )
}
