/** What the operations of installers and of keystores have in common: files of a folder are uploaded, listed and removed. */
import { type deleteInstaller, type Input, type listInstallers, Problem } from '@cardwire/protocol'
import type { Context } from 'hono'
import type { OperationAudit } from '../db/audit.ts'
import { type ListedPackage, toFileUri, toPackageKey } from '../packages/packages.ts'
import {
  auditedFields,
  createUnavailableProblem,
  type FileStore,
  storeUpload,
  type Upload,
  type UploadServices,
} from './store-upload.ts'

type Removal = Pick<Input<typeof deleteInstaller>, 'params'> & {
  readonly query?: Input<typeof deleteInstaller>['query']
  readonly audit: OperationAudit
}

export function createFileRoutes(services: UploadServices, store: FileStore) {
  const { files, kind, requireUnused } = store

  return {
    async upload(input: Upload, context: Context) {
      const { name } = input.params
      const { isKnown, size, sha256 } = await storeUpload(services, store, input, context)
      return { created: !isKnown, data: { ...toListedFile({ key: name, size }), sha256 } }
    },

    async list({ query: { page, size, name = '' } }: Input<typeof listInstallers>) {
      const wanted = name.toLowerCase()
      const all = (await files.list()).filter(({ key }) => key.toLowerCase().includes(wanted))
      const items = all.slice((page - 1) * size, page * size).map(toListedFile)
      return { data: { items, page, size, total: all.length } }
    },

    async remove({ params: { name }, query, audit }: Removal) {
      await requireFile(name)
      await requireUnused(name, 'remove', query?.maxReach)
      await audit.createEntry(kind, name, auditedFields).write()
      try {
        await files.remove(name)
      } catch (error) {
        await audit.createUndoEntry(kind, name, auditedFields).write()
        throw createUnavailableProblem(services, error, `remove "${name}"`)
      }
      return { data: { name } }
    },

    requireFile,
  }

  async function requireFile(name: string) {
    // A name that is no path in the folder finds nothing.
    const key = toPackageKey(toFileUri(name))
    const file = key === name ? await files.find(key) : undefined
    if (!file) throw new Problem(`${kind}-unknown`, `Cannot find "${name}" among the ${kind}s`)
    return file
  }
}

export const toListedFile = ({ key, size }: ListedPackage) => ({
  name: key,
  uri: toFileUri(key),
  size,
})
