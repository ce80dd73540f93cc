/** What is in a folder, as pages see it: files and folders; links, hidden names and everything else are left out. */
import { constants, type Stats } from 'node:fs'
import { access, lstat, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type FileEntry, type FilePage, maxListedFiles } from '@cardwire/protocol/file-exchange'
import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import type { ContainedFolder } from './contained-folder.ts'
import { findNameFault } from './file-names.ts'
import { createFileUnknown, createLinkRefused, toFileProblem } from './file-problem.ts'

/** The folder of a type, or one below it. */
export interface FilePlace {
  readonly entity: string
  readonly type: string
  readonly segments: readonly string[]
}

export interface Listing {
  readonly files: readonly FileEntry[]
  readonly total: number
}

export const wholeList: FilePage = { start: 0, size: 10_000, sort: 'ASC' }

/** The entries of one page, by name in the order of code units, which is the same on every system. Those that cannot be read are left out; throws the first failure when none can be. */
export async function listEntries(
  folder: ContainedFolder,
  place: FilePlace,
  page: FilePage = wholeList,
): Promise<Listing> {
  const names = (await listNames(folder)).toSorted()
  const read: PromiseSettledResult<FileEntry>[] = []
  for (const batch of toBatches(takePage(names, page))) {
    const entries = batch.map((name) => readEntry(folder, place, name))
    read.push(...(await Promise.allSettled(entries)))
  }
  const files = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [failed] = read.flatMap((one) =>
    one.status === 'rejected' && !isGone(one.reason) ? [one] : [],
  )
  if (files.length === 0 && failed) throw failed.reason
  return { files, total: names.length }
}

/** It was removed, or became a link or a device, after the names were read. */
function isGone(error: unknown): boolean {
  const problem = toFileProblem(error)
  return problem instanceof Problem && gone.includes(problem.name)
}
const gone: readonly ProblemName[] = ['file-unknown', 'file-path-refused']

/** What is looked at before other requests have their turn. */
const batchSize = 1000

/** Without an order; of very many those that the system names first. */
export async function listNames(folder: ContainedFolder): Promise<readonly string[]> {
  const entries = await readdir(folder.at('.'), { withFileTypes: true })
  const names: string[] = []
  for (const batch of toBatches(entries)) {
    for (const entry of batch) {
      if ((entry.isFile() || entry.isDirectory()) && !findNameFault(entry.name)) {
        names.push(entry.name)
      }
    }
    if (names.length >= maxListedFiles) return names.slice(0, maxListedFiles)
    await setImmediate()
  }
  return names
}

function* toBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += batchSize) yield all.slice(at, at + batchSize)
}

/** The part of a list that a page asks for; both ends of the order start at 0. */
export function takePage<T>(sorted: readonly T[], { start, size, sort }: FilePage): readonly T[] {
  const ordered = sort === 'DESC' ? sorted.toReversed() : sorted
  return ordered.slice(start, start + size)
}

/** Throws `file-unknown` for what is neither file nor folder, `file-path-refused` for a link. */
export async function readEntry(
  folder: ContainedFolder,
  { entity, type, segments }: FilePlace,
  name: string,
): Promise<FileEntry> {
  const path = folder.at(name)
  const stats = await lstat(path)
  if (stats.isSymbolicLink()) throw createLinkRefused()
  if (!stats.isFile() && !stats.isDirectory()) throw createFileUnknown()
  return {
    ...describe(name, stats),
    path: join(folder.path, name),
    relPath: [...segments],
    type,
    entity,
    access: await readAccess(path),
  }
}

const describe = (name: string, stats: Stats) => ({
  name,
  extension: stats.isDirectory() ? '' : extname(name).slice(1),
  size: stats.isDirectory() ? 0 : stats.size,
  lastModificationTime: stats.mtime.toISOString(),
  isDir: stats.isDirectory(),
})

/** Of this connector, which is what a page can do at most. */
export async function readAccess(path: string): Promise<FileEntry['access']> {
  const may = (mode: number) =>
    access(path, mode).then(
      () => true,
      () => false,
    )
  const [reads, writes] = await Promise.all([may(constants.R_OK), may(constants.W_OK)])
  if (reads) return writes ? 'rw' : 'r'
  return writes ? 'w' : ''
}
