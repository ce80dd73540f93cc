/** Reads the resources of a folder: YAML or JSON files, each with one document or several. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type Document, parseAllDocuments } from 'yaml'
import type * as z from 'zod'
import { StartError } from '../../self-hosted/start-error.ts'
import { Resource, toKey } from './resources.ts'

/** Bytes of a file, and how many files and resources a folder has at most. */
const limits = { bytes: 8 * 1024 * 1024, files: 1000, resources: 5000 }

/** Aliases that a document resolves: each can stand for a large part of it. */
const maxAliases = 100

export interface FoundResource {
  /** `versions/4.1.0.yaml`, relative to the folder. */
  readonly file: string
  readonly resource: Resource
}

/** Throws a StartError that names the file, the field, and what is wrong. */
export function readFolder(folder: string): readonly FoundResource[] {
  const found = listFiles(folder).flatMap((path) => readFile(folder, path))
  if (found.length === 0)
    throw new StartError(
      `Cannot apply "${folder}": it has no .yaml, .yml or .json file with a resource`,
    )
  if (found.length > limits.resources)
    throw new StartError(`Cannot apply "${folder}": it has more than ${limits.resources} resources`)
  const seen = new Map<string, string>()
  for (const { file, resource } of found) {
    const key = toKey(resource)
    const other = seen.get(key)
    if (other !== undefined)
      throw new StartError(`Cannot apply "${folder}": ${other} and ${file} both have the ${key}`)
    seen.set(key, file)
  }
  return found
}

/** The first line of a file that a resource names, which is relative to the file of the resource and in the folder, too. */
export function readSecretOf(folder: string, file: string, name: string): string {
  const path = resolve(dirname(join(folder, file)), name)
  try {
    const inside = relative(realpathSync(folder), realpathSync(path))
    if (!inside.startsWith('..') && !isAbsolute(inside))
      return readFileSync(path, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch {
    throw new StartError(`Cannot read "${path}", which ${file} names`)
  }
  throw new StartError(`Cannot use "${name}", which ${file} names: expected a file in the folder`)
}

function listFiles(folder: string): readonly string[] {
  let entries: readonly string[]
  try {
    entries = statSync(folder).isDirectory()
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      : []
  } catch {
    throw new StartError(`Cannot read "${folder}": expected a folder`)
  }
  const files = entries
    // Nothing of a repository's own folders, such as .git.
    .filter((name) => !name.split(/[\\/]/).some((part) => part.startsWith('.')))
    .filter((name) => /\.(ya?ml|json)$/i.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .toSorted()
  if (files.length <= limits.files) return files
  throw new StartError(`Cannot apply "${folder}": it has more than ${limits.files} files`)
}

function readFile(folder: string, path: string): readonly FoundResource[] {
  const file = relative(folder, path).replaceAll('\\', '/')
  if (statSync(path).size > limits.bytes)
    throw new StartError(`Cannot read ${file}: it is larger than ${limits.bytes} bytes`)
  const documents = parseAllDocuments(readFileSync(path, 'utf8'), { uniqueKeys: true })
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document, at) => {
    const where = documents.length === 1 ? file : `${file}, document ${at + 1}`
    const [error] = document.errors
    if (error) throw new StartError(`Cannot read ${where}: ${error.message.split('\n')[0]}`)
    const value = toValue(document, where)
    if (value === null) return []
    const result = Resource.safeParse(value)
    if (result.success) return [{ file, resource: result.data }]
    throw new StartError(
      [`Cannot read ${where}:`, ...result.error.issues.slice(0, 20).map(describeIssue)].join('\n'),
    )
  })
}

function toValue(document: Document, where: string): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    throw new StartError(`Cannot read ${where}: ${error instanceof Error ? error.message : error}`)
  }
}

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  `  ${path.length === 0 ? 'the document' : path.map(String).join('.')}: ${message}`
