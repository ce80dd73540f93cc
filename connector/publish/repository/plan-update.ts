/** What an update of a repository does. Only what its administrator signed or names now is signed: others may write to the folder. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hash } from '../../../.ci/packaging/archives.ts'
import { PublishError } from '../options.ts'
import { refuseLinks } from './folder.ts'
import { unfinished } from './replace-file.ts'
import type { RepositoryHalf, SignedList } from './repository-half.ts'
import type { Signer } from './signer.ts'

export interface Candidate {
  readonly name: string
  readonly path: string
  /** Hex. */
  readonly sha256: string
}

export interface Update {
  readonly half: RepositoryHalf
  readonly list: SignedList
  /** Names that the list has, and whose packages are there. */
  readonly kept: readonly string[]
  readonly added: readonly Candidate[]
  /** Names that the list has, and whose packages an administrator has removed. */
  readonly withdrawn: readonly string[]
}

/** Throws a PublishError with the name of a file that is neither in the last signed list nor among `candidates`. */
export function planUpdate(
  half: RepositoryHalf,
  folder: string,
  candidates: readonly Candidate[],
  signer: Signer,
): Update {
  for (const { path } of candidates) half.check(path)
  const parent = join(folder, half.packages)
  refuseLinks(parent)
  const list = half.readList(folder, signer)
  const there = readNames(parent, half.others)
  for (const name of there) {
    const candidate = candidates.find((each) => each.name === name)
    checkPackage(half, join(parent, name), list.packages.get(name), candidate)
  }
  const kept = there.filter((name) => list.packages.has(name))
  const added = candidates.filter(({ name }) => !kept.includes(name))
  const named = new Set([...kept, ...added.map(({ name }) => name)])
  return {
    half,
    list,
    kept,
    added,
    withdrawn: [...list.packages.keys()].filter((name) => !named.has(name)),
  }
}

const readNames = (parent: string, others: readonly string[]): readonly string[] =>
  existsSync(parent)
    ? readdirSync(parent)
        .filter((name) => !name.startsWith(unfinished))
        .filter((name) => !others.some((other) => name.startsWith(other)))
        .sort()
    : []

/** `listed`: its SHA-256 in the last signed list. */
function checkPackage(
  half: RepositoryHalf,
  path: string,
  listed: string | undefined,
  candidate: Candidate | undefined,
): void {
  const isFile = lstatSync(path).isFile()
  if (listed !== undefined && !(isFile && hash('sha256', path) === listed))
    throw new PublishError(
      `Cannot sign "${path}": it has changed since it was published; restore it, or remove it to withdraw it`,
    )
  if (candidate === undefined && listed === undefined)
    throw new PublishError(
      `Cannot sign "${path}": it is in no signed list; remove it, or publish it by its name`,
    )
  // Readers have its hash in their lists.
  if (candidate !== undefined && !(isFile && half.isSame(path, candidate.path)))
    throw new PublishError(
      `Cannot add "${candidate.name}": "${path}" is another package of that name; make a new version`,
    )
}
