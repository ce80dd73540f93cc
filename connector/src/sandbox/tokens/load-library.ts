/** Loads a PKCS #11 library when its file is the one that the administrator named. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { describeError } from '../../system/file-error.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import { getLayout } from '../pkcs11/layout.ts'
import { loadNative } from '../pkcs11/native.ts'
import { openPkcs11, type Pkcs11 } from '../pkcs11/pkcs11.ts'

/** Why a library is not used: for the administrator, with its path. */
export class LibraryError extends Error {}

/** Bytes; those of vendors have a few million. */
const maxLibraryBytes = 256 * 1024 * 1024

/**
 * No other account may be able to change the file, or put another in its place, between the check and the loading; the person and
 * the administrator are. Throws LibraryError.
 */
export function loadLibrary({ path, sha256 }: Pick<TokenLibrary, 'path' | 'sha256'>): Pkcs11 {
  const layout = getLayout(process.platform)
  try {
    const real = realpathSync(path)
    requireProtected(real)
    const before = checkDigest(real, sha256)
    const native = loadNative(real, layout)
    if (!isSame(before, statSync(real)))
      throw new LibraryError('it has changed while it was loaded')
    return openPkcs11(native, layout)
  } catch (error) {
    throw new LibraryError(`Cannot use "${path}": ${describeError(error)}`)
  }
}

/** Throws LibraryError when the file has another digest. */
function checkDigest(path: string, sha256: string): Stats {
  const file = openSync(path, 'r')
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new LibraryError('it is no file')
    if (found.size > maxLibraryBytes) throw new LibraryError('it is too long')
    const hash = createHash('sha256')
    const part = new Uint8Array(1024 * 1024)
    for (let count = readSync(file, part); count > 0; count = readSync(file, part))
      hash.update(part.subarray(0, count))
    const digest = hash.digest('hex')
    if (digest === sha256) return found
    throw new LibraryError(`its SHA-256 is ${digest}, the administrator named ${sha256}`)
  } finally {
    closeSync(file)
  }
}

/** The file and every folder above it are of this account or of root, and nobody else writes there. */
function requireProtected(path: string): void {
  const uid = process.getuid?.()
  // Windows: the places for programs are for administrators alone, and a mode says nothing.
  if (uid === undefined) return
  for (let place = path; ; place = dirname(place)) {
    const { uid: owner, mode } = lstatSync(place)
    // In a folder with the sticky bit only owners replace what is theirs (inode(7)).
    const isShared = (mode & 0o022) !== 0 && !(place !== path && (mode & 0o1000) !== 0)
    if ((owner !== uid && owner !== 0) || isShared)
      throw new LibraryError(`other accounts can write "${place}"`)
    if (place === dirname(place)) return
  }
}

const isSame = (before: Stats, after: Stats): boolean =>
  (['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const).every(
    (name) => before[name] === after[name],
  )
