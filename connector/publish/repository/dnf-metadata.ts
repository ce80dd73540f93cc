/** The lists of dnf: `repomd.xml`, which is signed, and the files that it names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { PublishError } from '../options.ts'
import type { Signer } from './signer.ts'
import { readStoredFile, readWithDigest } from './stored-files.ts'

export const listName = 'repomd.xml'

export interface Metadata {
  /** Each file of the lists, by its name. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly packages: readonly MetadataPackage[]
}

export interface MetadataPackage {
  readonly name: string
  /** Hex. */
  readonly sha256: string
  readonly size: number
  /** Of its last change, in seconds since 1970. */
  readonly time: number
}

/** Throws a PublishError with the name of a file that `signer` has not signed. */
export function readMetadata(folder: string, signer: Signer): Metadata {
  const path = join(folder, listName)
  if (!existsSync(path) || !existsSync(`${path}.asc`))
    throw new PublishError(`Cannot use "${path}": it is not there with its signature`)
  const list = readStoredFile(path)
  signer.checkDetached(list, path)
  const entries = list.toString().match(/<data type="\w+">[\s\S]*?<\/data>/g) ?? []
  const files = entries.map((entry): readonly [string, Buffer] => {
    const name = basename(readValue(entry, /<location href="([^"]+)"/))
    return [name, readWithDigest(join(folder, name), readValue(entry, shaPattern))]
  })
  return { files: new Map([...files, [listName, list]]), packages: parsePackages(new Map(files)) }
}

/** What lists say that were made on this machine. */
export const readPackages = (folder: string): readonly MetadataPackage[] =>
  parsePackages(
    new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])),
  )

const shaPattern = /<checksum type="sha256"[^>]*>([0-9a-f]{64})</

/** primary.xml (createrepo_c(8)), which is compressed by gzip, and by zstd since createrepo_c 1.0. */
function parsePackages(files: ReadonlyMap<string, Uint8Array>): readonly MetadataPackage[] {
  const [name, content] = [...files].find(([each]) => /primary\.xml\.(gz|zst)$/.test(each)) ?? []
  if (name === undefined || content === undefined)
    throw new PublishError('Cannot read the lists of dnf: they name no primary.xml')
  const text = (name.endsWith('.zst') ? zstdDecompressSync : gunzipSync)(content).toString()
  return (text.match(/<package type="rpm">[\s\S]*?<\/package>/g) ?? []).map((entry) => ({
    name: readValue(entry, /<location href="([^"]+)"/),
    sha256: readValue(entry, shaPattern),
    size: Number(readValue(entry, /<size package="(\d+)"/)),
    time: Number(readValue(entry, /<time file="(\d+)"/)),
  }))
}

function readValue(entry: string, pattern: RegExp): string {
  const value = pattern.exec(entry)?.[1]
  if (value === undefined)
    throw new PublishError(`Cannot read the lists of dnf: ${pattern.source} is missing in them`)
  return value
}
