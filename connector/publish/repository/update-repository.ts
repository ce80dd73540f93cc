/** Adds packages to a repository, a folder that any web server can serve, and signs its lists anew. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PublishError, type RepositoryOptions } from '../options.ts'
import type { PublishedFile } from '../package-files.ts'
import { apt } from './apt.ts'
import { dnf } from './dnf.ts'
import { replaceFile } from './replace-file.ts'
import type { RepositoryHalf } from './repository-half.ts'
import { findFingerprints, findSigner, type Signer } from './signer.ts'

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
export function updateRepository({ folder, key, files, isDryRun, now, print }: Order): void {
  const signer = findSigner(key)
  checkKey(folder, signer)
  const orders = halves.flatMap((half) => {
    const added = files.flatMap((file) => findAddition(half, folder, file, print))
    return hasPackages(files, half) ? [{ half, added }] : []
  })
  if (orders.length === 0)
    throw new PublishError('Cannot publish to the repository: there is neither a deb nor an rpm')
  if (isDryRun) {
    for (const { file } of orders.flatMap(({ added }) => added))
      print(`${file.name}  would be added`)
    return
  }
  mkdirSync(folder, { recursive: true })
  replaceFile(join(folder, publicKeyName), signer.publicKey)
  for (const { half, added } of orders) {
    for (const { file, path } of added) {
      half.add(folder, file, path, signer)
      print(`${file.name}  added`)
    }
    if (half.writeIndexes(folder, signer, now))
      print(`List of every ${half.suffix.slice(1)} signed by ${signer.fingerprint}`)
  }
}

const hasPackages = (files: readonly PublishedFile[], { suffix }: RepositoryHalf) =>
  files.some(({ name }) => name.endsWith(suffix))

interface Addition {
  readonly file: PublishedFile
  readonly path: string
}

function findAddition(
  half: RepositoryHalf,
  folder: string,
  file: PublishedFile,
  print: Order['print'],
): readonly Addition[] {
  if (!file.name.endsWith(half.suffix) || !('path' in file.content)) return []
  const { path } = file.content
  half.check(path)
  const isThere = half.has(folder, file, path)
  if (isThere === undefined) return [{ file, path }]
  // Readers have its digest in their lists.
  if (!isThere)
    throw new PublishError(
      `Cannot add "${file.name}": the repository has another package of that name; make a new version`,
    )
  print(`${file.name}  is there already`)
  return []
}

/** Machines know one key: with another one they would refuse everything. */
function checkKey(folder: string, { fingerprint }: Signer): void {
  const path = join(folder, publicKeyName)
  const known = existsSync(path) ? findFingerprints(readFileSync(path, 'utf8')) : []
  if (known.length > 0 && !known.includes(fingerprint))
    throw new PublishError(
      `Cannot sign "${folder}" with ${fingerprint}: ${known.join(', ')} signs it; another key takes another folder`,
    )
}
