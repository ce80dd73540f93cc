/** The files of a package for macOS, read from a folder: what its archive and its bill of materials are made of. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface Entry {
  /** `.`, or a path that begins with `./`. */
  readonly path: string
  /** With the bits of the file's type, as stat(2) has them. */
  readonly mode: number
  /** Of a link: where it leads. Of a folder: none. */
  readonly content: Uint8Array
}

/** Bits of a mode that say what a file is. */
export const fileTypes = {
  mask: 0o170000,
  folder: 0o040000,
  file: 0o100000,
  link: 0o120000,
} as const

export const typeOf = ({ mode }: Pick<Entry, 'mode'>): number => mode & fileTypes.mask

/** The folder itself first, then all that is below it, each folder before what is in it. */
export function readEntries(folder: string): readonly Entry[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return ['.', ...paths.map((path) => `./${path}`)].map((path) => {
    const place = join(folder, path)
    const { mode } = lstatSync(place)
    const type = mode & fileTypes.mask
    if (type === fileTypes.folder) return { path, mode, content: new Uint8Array() }
    if (type === fileTypes.file) return { path, mode, content: readFileSync(place) }
    // What a link may do is said by its target; Linux gives it all bits, macOS these.
    if (type === fileTypes.link)
      return { path, mode: fileTypes.link | 0o755, content: Buffer.from(readlinkSync(place)) }
    throw new Error(`Cannot pack "${place}": expected a file, a folder or a link`)
  })
}
