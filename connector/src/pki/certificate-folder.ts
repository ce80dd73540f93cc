/** The folder of the certificates: four files that are changed together and read by their owner alone. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listDamagedFiles } from '../system/damaged-files.ts'
import { isMissing } from '../system/missing-file.ts'
import { explainFileError } from './explain-file-error.ts'
import { withFolderLock } from './folder-lock.ts'
import { createStaging } from './staged-files.ts'

/** The four files of the specification (Certificate files). */
export const fileNames = {
  rootCert: 'rootCA.pem',
  rootKey: 'rootCA-key.pem',
  leafCert: 'localhost.pem',
  leafKey: 'localhost-key.pem',
} as const

export type FileKey = keyof typeof fileNames
/** The texts of the files; undefined where there is none. */
export type CertificateTexts = { readonly [key in FileKey]: string | undefined }

/**
 * The lists beside them: which packages use the folder, which extra names are wanted, and which roots of a registry
 * service (PEM) were installed in the stores of this user.
 */
export const listNames = {
  packages: 'packages.json',
  hosts: 'hosts.json',
  serviceRoots: 'service-roots.json',
} as const

export interface CertificateFolder {
  readonly path: string
  read(): Promise<CertificateTexts>
  /** A list, `[]` where there is none. Throws DamagedList when it is no list of texts, and the error of a file that cannot be read. */
  readList(name: keyof typeof listNames): Promise<readonly string[]>
  /** Creates the folder when it is missing, and keeps other processes out while `work` runs. */
  withLock<T>(work: () => Promise<T>): Promise<T>
  /** Under the lock: all of these or none, also when the machine stops in the middle. */
  commit(changes: Partial<Readonly<Record<FileKey, string>>>): Promise<void>
  writeList(name: keyof typeof listNames, items: readonly string[]): Promise<void>
  /** Under the lock: removes our files. The folder stays, it is shared. */
  remove(): Promise<void>
}

/** A list was read, and it is none: unlike one that cannot be read, it says nothing. */
export class DamagedList extends Error {}

export function openCertificateFolder(path: string): CertificateFolder {
  const at = (name: string) => join(path, name)
  const { stage, recover } = createStaging(path)

  return {
    path,
    async read() {
      const [rootCert, rootKey, leafCert, leafKey] = await Promise.all([
        readText(at(fileNames.rootCert)),
        readText(at(fileNames.rootKey)),
        readText(at(fileNames.leafCert)),
        readText(at(fileNames.leafKey)),
      ])
      return { rootCert, rootKey, leafCert, leafKey }
    },
    async readList(name) {
      const text = await readText(at(listNames[name]))
      const value = text === undefined ? [] : parseJson(text)
      if (isStringArray(value)) return value
      throw new DamagedList(`Cannot read "${at(listNames[name])}": it is not a list of strings`)
    },
    async withLock(work) {
      try {
        await mkdir(path, { recursive: true, mode: 0o700 })
        return await withFolderLock(path, async () => {
          await recover()
          return await work()
        })
      } catch (error) {
        throw explainFileError(error, path)
      }
    },
    commit: (changes) =>
      stage(Object.fromEntries(toEntries(changes).map(([key, text]) => [fileNames[key], text]))),
    writeList: (name, items) => stage({ [listNames[name]]: `${JSON.stringify(items, null, 2)}\n` }),
    async remove() {
      const ours: string[] = [...Object.values(fileNames), ...Object.values(listNames)]
      // Keys first: a root without its key signs nothing.
      const keysFirst = ours.toSorted(
        (a, b) => Number(b.includes('key')) - Number(a.includes('key')),
      )
      for (const name of keysFirst) await rm(at(name), { force: true })
      for (const { path: kept, name } of listDamagedFiles(path))
        if (ours.includes(name)) await rm(kept, { force: true })
    },
  }
}

const keys: readonly FileKey[] = ['rootCert', 'rootKey', 'leafCert', 'leafKey']

const toEntries = (changes: Partial<Readonly<Record<FileKey, string>>>) =>
  keys.flatMap((key): [FileKey, string][] => {
    const text = changes[key]
    return text === undefined ? [] : [[key, text]]
  })

/** undefined: it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** A file's text, undefined when it does not exist. Throws when it cannot be read for another reason. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw explainFileError(error, path)
  }
}
