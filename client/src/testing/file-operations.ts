/** What the simulated connector answers about files: folders in memory, which the simulated person gives or refuses. */
import * as contract from '../protocol/index.ts'
import { Problem } from '../protocol/problem.ts'
import { type BoundOperation, bind } from './responder.ts'

/** The files of a folder: bytes by the way from the folder of the type, joined by `/`. */
export type TestFolder = Readonly<Record<string, Uint8Array<ArrayBuffer>>>

interface OpenType {
  readonly entity: string
  readonly type: string
  readonly files: Map<string, Uint8Array<ArrayBuffer>>
}

/** `folders`: what the person chooses, by entity and type joined by `/`; for others none. */
export function createFileOperations(
  folders: Readonly<Record<string, TestFolder>>,
): readonly BoundOperation[] {
  const types = new Map<string, OpenType>()
  const toKey = (entity: string, type: string) => `${entity}/${type}`
  const find = (entity: string, type: string): OpenType => {
    const found = types.get(toKey(entity, type))
    if (found) return found
    throw new Problem('file-type-unknown', `Cannot find the type "${type}" of "${entity}"`)
  }
  const choose = (entity: string, type: string): OpenType => {
    const chosen = folders[toKey(entity, type)]
    if (!chosen)
      throw new Problem(
        'file-type-refused',
        'Cannot make the type: the person has chosen no folder',
      )
    const made = { entity, type, files: new Map(Object.entries(chosen)) }
    types.set(toKey(entity, type), made)
    return made
  }
  const toType = ({ entity, type, files }: OpenType): contract.FileType => ({
    ...{ entity, type, path: `/home/test/${type}`, access: 'rw', status: 'MAPPED' },
    files: files.size,
  })
  const toEntry = ({ entity, type }: OpenType, way: string, size: number): contract.FileEntry => {
    const relPath = way.split('/')
    const name = relPath.pop() ?? ''
    return {
      ...{ entity, type, name, relPath, size, isDir: false, access: 'rw' as const },
      extension: /\.([^.]+)$/.exec(name)?.[1] ?? '',
      path: `/home/test/${type}/${way}`,
      lastModificationTime: '2026-01-01T00:00:00.000Z',
    }
  }
  const toWay = (relPath: readonly string[] | undefined, name: string) =>
    [...(relPath ?? []).filter(Boolean), name].join('/')
  const read = (of: OpenType, way: string) => {
    const bytes = of.files.get(way)
    if (bytes) return bytes
    throw new Problem('file-unknown', 'Cannot find the file: there is none of this name')
  }
  const write = (to: OpenType, way: string, bytes: Uint8Array<ArrayBuffer>) => {
    if (to.files.has(way))
      throw new Problem('file-taken', 'Cannot write the file: there is one of this name already')
    to.files.set(way, bytes)
    return toEntry(to, way, bytes.length)
  }

  return [
    bind(contract.createFileType, async ({ body: { entity, type } }) => ({
      data: toType(types.get(toKey(entity, type)) ?? choose(entity, type)),
    })),
    bind(contract.updateFileType, async ({ body: { entity, type } }) => {
      find(entity, type)
      return { data: toType(choose(entity, type)) }
    }),
    bind(contract.deleteFileType, async ({ body: { entity, type } }) => {
      find(entity, type)
      return { data: types.delete(toKey(entity, type)) }
    }),
    bind(contract.listFileTypes, async ({ body: { entity } }) => {
      const found = [...types.values()].filter((one) => !entity || one.entity === entity)
      return { data: { types: found.map(toType), total: found.length } }
    }),
    bind(contract.listFiles, async ({ body: { entity, type, relPath } }) => {
      const of = find(entity, type)
      const start = toWay(relPath, '')
      const files = [...of.files]
        .filter(([way]) => way.startsWith(start) && !way.slice(start.length).includes('/'))
        .map(([way, bytes]) => toEntry(of, way, bytes.length))
      return { data: { files, total: files.length } }
    }),
    bind(contract.getFileInfo, async ({ body: { entity, type, fileName, relPath } }) => {
      const [of, way] = [find(entity, type), toWay(relPath, fileName)]
      return { data: toEntry(of, way, read(of, way).length) }
    }),
    // A folder is there with its first file.
    bind(contract.createFileFolder, async ({ body: { entity, type, relPath } }) => ({
      data: { ...toEntry(find(entity, type), relPath.join('/'), 0), isDir: true, extension: '' },
    })),
    bind(contract.copyFile, async ({ body }) => {
      const { entity, fileName, newFileName = fileName } = body
      const bytes = read(find(entity, body.fromType), toWay(body.fromRelPath, fileName))
      const to = find(entity, body.toType)
      return { data: write(to, toWay(body.toRelPath, newFileName), bytes) }
    }),
    bind(contract.moveFile, async ({ body }) => {
      const { entity, fileName } = body
      const [from, way] = [find(entity, body.fromType), toWay(body.fromRelPath, fileName)]
      const to = find(entity, body.toType)
      const data = write(to, toWay(body.toRelPath, fileName), read(from, way))
      from.files.delete(way)
      return { data }
    }),
    bind(
      contract.renameFile,
      async ({ body: { entity, type, fileName, newFileName, relPath } }) => {
        const [of, way] = [find(entity, type), toWay(relPath, fileName)]
        const data = write(of, toWay(relPath, newFileName), read(of, way))
        of.files.delete(way)
        return { data }
      },
    ),
    bind(contract.uploadFile, async ({ body: { entity, type, fileName, relPath } }) => {
      const bytes = read(find(entity, type), toWay(relPath, fileName))
      return new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } })
    }),
    bind(contract.downloadFile, async ({ body }) => {
      // A stream by its type; the double gets the form as the page made it.
      const form = body as unknown as FormData
      const text = (name: string) => String(form.get(name) ?? '')
      const file = form.get('file')
      const bytes =
        file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array()
      const to = find(text('entity'), text('type'))
      return {
        data: write(to, toWay(form.getAll('relPath').map(String), text('fileName')), bytes).path,
      }
    }),
  ]
}
