/** The port to the files that `file:///` addresses name. */

export interface Packages {
  /** The file under `key` (`folder/name`, no leading slash), or undefined: nothing outside is ever a file. */
  find(key: string): Promise<Package | undefined>
}

export interface Package {
  readonly size: number
  /** A strong entity tag, quotes included. */
  readonly etag: string
  /** The bytes from `start` to `end`, both included. */
  read(start: number, end: number): Promise<ReadableStream<Uint8Array>>
  /** SHA-256 of the whole, hex. */
  digest(): Promise<string>
}

/**
 * The key that a `file:///` address names. Undefined when a step of its path goes up, is empty, or hides a separator:
 * such an address names no file.
 */
export function packageKey(uri: string): string | undefined {
  const path = /^file:\/\/\/([^?#]*)$/i.exec(uri)?.[1]
  if (path === undefined) return undefined
  try {
    const steps = path.split('/').map(decodeURIComponent)
    return steps.every(isName) ? steps.join('/') : undefined
  } catch {
    return undefined
  }
}

// Control characters have no place in a file name that travels in a header.
const isName = (step: string) =>
  step !== '' &&
  step !== '.' &&
  step !== '..' &&
  ![...step].some((char) => char < ' ' || char === '/' || char === '\\' || char === '\x7f')
