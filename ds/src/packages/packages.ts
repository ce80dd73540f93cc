/** The port to the packages: the files that `file:///` addresses name. */
import { Problem } from '@cardwire/protocol'
import type { Overlay } from '../rules/overlay.ts'

export interface Packages {
  /** The file under `key` (`folder/name`, no leading slash), or undefined. Nothing outside the packages is ever found. */
  find(key: string): Promise<Package | undefined>
  /** Every file that can be found, by key. */
  list(): Promise<readonly ListedPackage[]>
  /** The largest file that can be stored, in bytes. */
  readonly maxBytes: number
  /** Stores a file, in place of one that is there: as a whole, or not at all when it throws. */
  store(upload: Upload): Promise<void>
  /** Removes the file under `key`, if there is one. */
  remove(key: string): Promise<void>
}

export interface ListedPackage {
  readonly key: string
  readonly size: number
}

export interface Upload {
  readonly key: string
  readonly size: number
  /** `size` bytes. */
  readonly body: ReadableStream<Uint8Array>
  /**
   * Gets the SHA-256 (hex) of all bytes, before anybody can find the file; nothing is stored when it throws.
   */
  commit(sha256: string): Promise<void>
}

export interface Package {
  readonly size: number
  /** A strong entity tag, quotes included. */
  readonly etag: string
  /**
   * The bytes from `start` to `end`, both included. `client` is the address that downloads them; throws
   * `too-many-requests` when it downloads too many at once, where this process sends the bytes itself.
   */
  read(
    start: number,
    end: number,
    client?: string,
    overlay?: Overlay,
  ): Promise<ReadableStream<Uint8Array>>
  /**
   * An address from which anyone can download just this file for a while, with this Content-Disposition. Absent where this process
   * sends the bytes itself.
   */
  presign?(disposition: string): Promise<string>
  /** SHA-256 of the whole, hex. Reads no further, and throws `service-busy`, once `signal` is aborted: the request has ended. */
  digest(signal?: AbortSignal): Promise<string>
}

/** Throws when the request has ended for which a file is read. */
export function requireRequest(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new Problem('service-busy', 'Cannot read the whole file: the request has ended')
}

/** The same file with other bytes at one place; `tag` tells its entity tag from that of others. */
export const overlayPackage = (
  // The address has the bytes as they are.
  { presign: _, ...file }: Package,
  overlay: Overlay,
  tag: string,
): Package => ({
  ...file,
  etag: file.etag.replace(/"$/, `-${tag}"`),
  read: (start, end, client) => file.read(start, end, client, overlay),
})

/** Whether an address names a file of the packages folder, or would; other addresses lie online. */
export const isFileUri = (uri: string): boolean => /^file:/i.test(uri)

/** The file that a `file:///` address names, or undefined. */
export async function findPackage(packages: Packages, uri: string): Promise<Package | undefined> {
  const key = toPackageKey(uri)
  return key === undefined ? undefined : packages.find(key)
}

/**
 * The key that a `file:///` address names. Undefined when a segment of its path is `..` or `.`, is empty, or
 * encodes a separator: such an address names no file.
 */
export function toPackageKey(uri: string): string | undefined {
  const path = /^file:\/\/\/([^?#]*)$/i.exec(uri)?.[1]
  if (path === undefined) return undefined
  try {
    const segments = path.split('/').map(decodeURIComponent)
    return segments.every(isName) ? segments.join('/') : undefined
  } catch {
    return undefined
  }
}

/** The `file:///` address of a file: `toPackageKey` in reverse. */
export const toFileUri = (key: string): string =>
  `file:///${key.split('/').map(encodeURIComponent).join('/')}`

// No control characters: the name of the file is sent in a header.
const isName = (segment: string) =>
  segment !== '' &&
  segment !== '.' &&
  segment !== '..' &&
  ![...segment].some((char) => char < ' ' || char === '/' || char === '\\' || char === '\x7f')
