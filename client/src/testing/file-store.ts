/** The files of the simulated user: folders in memory, which the user gives or refuses. */
import type * as contract from '@cardwire/protocol'
import { createProblem } from './table-problem.ts'
import type { TestFolder } from './test-types.ts'

interface OpenType {
  readonly entity: string
  readonly type: string
  readonly files: Map<string, Uint8Array<ArrayBuffer>>
}

/** `folders`: what the user chooses, by entity and type joined by `/`; for others none. */
export function createFileStore(folders: Readonly<Record<string, TestFolder>>) {
  const types = new Map<string, OpenType>()
  const toKey = (entity: string, type: string) => `${entity}/${type}`
  const find = (entity: string, type: string): OpenType => {
    const found = types.get(toKey(entity, type))
    if (found) return found
    throw createProblem('file-type-unknown')
  }

  const choose = (entity: string, type: string): OpenType => {
    const chosen = folders[toKey(entity, type)]
    if (!chosen) throw createProblem('file-type-refused')
    const made = { entity, type, files: new Map(Object.entries(chosen)) }
    types.set(toKey(entity, type), made)
    return made
  }

  return {
    find,
    choose,
    known: (entity: string, type: string) => types.get(toKey(entity, type)),
    list: (entity: string | undefined) =>
      [...types.values()].filter((one) => !entity || one.entity === entity),
    forget: (entity: string, type: string) => types.delete(toKey(entity, type)),
  }
}

export const toType = ({ entity, type, files }: OpenType): contract.FileType => ({
  ...{ entity, type, path: `/home/test/${type}`, access: 'rw', status: 'MAPPED' },
  files: files.size,
})

export const toEntry = (
  { entity, type }: OpenType,
  way: string,
  size: number,
): contract.FileEntry => {
  const relPath = way.split('/')
  const name = relPath.pop() ?? ''
  return {
    ...{ entity, type, name, relPath, size, isDir: false, access: 'rw' as const },
    extension: /\.([^.]+)$/.exec(name)?.[1] ?? '',
    path: `/home/test/${type}/${way}`,
    lastModificationTime: '2026-01-01T00:00:00.000Z',
  }
}

export const toWay = (relPath: readonly string[] | undefined, name: string) =>
  [...(relPath ?? []).filter(Boolean), name].join('/')

export const read = (of: OpenType, way: string) => {
  const bytes = of.files.get(way)
  if (bytes) return bytes
  throw createProblem('file-unknown')
}

export const write = (to: OpenType, way: string, bytes: Uint8Array<ArrayBuffer>) => {
  if (to.files.has(way)) throw createProblem('file-taken')
  to.files.set(way, bytes)
  return toEntry(to, way, bytes.length)
}
