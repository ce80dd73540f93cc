/** What the simulated connector answers about files. */
import * as contract from '@cardwire/protocol'
import { createFileStore, read, toEntry, toType, toWay, write } from './file-store.ts'
import { type BoundOperation, bind } from './responder.ts'
import type { TestFolder } from './test-types.ts'

/** `folders`: what the user chooses, by entity and type joined by `/`; for others none. */
export function createFileOperations(
  folders: Readonly<Record<string, TestFolder>>,
): readonly BoundOperation[] {
  const store = createFileStore(folders)
  return [
    bind(contract.createFileType, async ({ body: { entity, type } }) => ({
      data: toType(store.known(entity, type) ?? store.choose(entity, type)),
    })),
    bind(contract.updateFileType, async ({ body: { entity, type } }) => {
      store.find(entity, type)
      return { data: toType(store.choose(entity, type)) }
    }),
    bind(contract.deleteFileType, async ({ body: { entity, type } }) => {
      store.find(entity, type)
      return { data: store.forget(entity, type) }
    }),
    bind(contract.listFileTypes, async ({ body: { entity } }) => {
      const found = store.list(entity)
      return { data: { types: found.map(toType), total: found.length } }
    }),
    bind(contract.listFiles, async ({ body: { entity, type, relPath } }) => {
      const of = store.find(entity, type)
      const start = toWay(relPath, '')
      const files = [...of.files]
        .filter(([way]) => way.startsWith(start) && !way.slice(start.length).includes('/'))
        .map(([way, bytes]) => toEntry(of, way, bytes.length))
      return { data: { files, total: files.length } }
    }),
    bind(contract.getFileInfo, async ({ body: { entity, type, fileName, relPath } }) => {
      const [of, way] = [store.find(entity, type), toWay(relPath, fileName)]
      return { data: toEntry(of, way, read(of, way).length) }
    }),
    // A folder is there with its first file.
    bind(contract.createFileFolder, async ({ body: { entity, type, relPath } }) => ({
      data: {
        ...toEntry(store.find(entity, type), relPath.join('/'), 0),
        isDir: true,
        extension: '',
      },
    })),
    bind(contract.copyFile, async ({ body }) => {
      const { entity, fileName, newFileName = fileName } = body
      const bytes = read(store.find(entity, body.fromType), toWay(body.fromRelPath, fileName))
      const to = store.find(entity, body.toType)
      return { data: write(to, toWay(body.toRelPath, newFileName), bytes) }
    }),
    bind(contract.moveFile, async ({ body }) => {
      const { entity, fileName } = body
      const [from, way] = [store.find(entity, body.fromType), toWay(body.fromRelPath, fileName)]
      const to = store.find(entity, body.toType)
      const data = write(to, toWay(body.toRelPath, fileName), read(from, way))
      from.files.delete(way)
      return { data }
    }),
    bind(
      contract.renameFile,
      async ({ body: { entity, type, fileName, newFileName, relPath } }) => {
        const [of, way] = [store.find(entity, type), toWay(relPath, fileName)]
        const data = write(of, toWay(relPath, newFileName), read(of, way))
        of.files.delete(way)
        return { data }
      },
    ),
    bind(contract.uploadFile, async ({ body: { entity, type, fileName, relPath } }) => {
      const bytes = read(store.find(entity, type), toWay(relPath, fileName))
      return new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } })
    }),
    bind(contract.downloadFile, async ({ body }) => {
      // A stream by its type; the double gets the form as the page made it.
      const form = body as unknown as FormData
      const text = (name: string) => String(form.get(name) ?? '')
      const file = form.get('file')
      const bytes =
        file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array()
      const to = store.find(text('entity'), text('type'))
      return {
        data: write(to, toWay(form.getAll('relPath').map(String), text('fileName')), bytes).path,
      }
    }),
  ]
}
