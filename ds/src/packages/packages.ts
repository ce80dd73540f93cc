/** The port to the packages: the files that `file:///` addresses name. */

export interface Packages {
  /** The file under `key` (`folder/name`, no leading slash), or undefined. Nothing outside the packages is ever found. */
  find(key: string): Promise<Package | undefined>
}

export interface Package {
  readonly size: number
  /** A strong entity tag, quotes included. */
  readonly etag: string
  /**
   * The bytes from `start` to `end`, both included. `client` is the address that downloads them; throws
   * `too-many-requests` when it downloads too many at once, where this process sends the bytes itself.
   */
  read(start: number, end: number, client?: string): Promise<ReadableStream<Uint8Array>>
  /** SHA-256 of the whole, hex. */
  digest(): Promise<string>
}

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

// No control characters: the name of the file is sent in a header.
const isName = (segment: string) =>
  segment !== '' &&
  segment !== '.' &&
  segment !== '..' &&
  ![...segment].some((char) => char < ' ' || char === '/' || char === '\\' || char === '\x7f')
