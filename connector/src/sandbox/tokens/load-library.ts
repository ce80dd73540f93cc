/** Loads a PKCS #11 library when its file is the one that the administrator named. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { findFolderFault } from '../../files/folder-rules.ts'
import { describeError } from '../../system/file-error.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import { findWritablePlace, root } from '../../system/protected-path.ts'
import { getLayout } from '../pkcs11/layout.ts'
import { loadNative } from '../pkcs11/native.ts'
import { openPkcs11, type Pkcs11 } from '../pkcs11/pkcs11.ts'

/** Why a library is not used: for the administrator, with its path. */
export class LibraryError extends Error {}

/** Bytes; those of vendors have a few million. */
const maxLibraryBytes = 256 * 1024 * 1024

export type NamedFile = Omit<TokenLibrary, 'isOwn'>

/**
 * Between the check and the loading no other account can change the file, or put another in its place; if it is not named by root, this account cannot
 * either. Throws LibraryError.
 */
export function loadLibrary({ path, sha256, isNamedByRoot }: NamedFile): Pkcs11 {
  const layout = getLayout(process.platform)
  try {
    const real = realpathSync(path)
    requireProtected(real, isNamedByRoot)
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
    if (!found.isFile()) throw new LibraryError('it is not a file')
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

/** Root may name a file of this account. A service may not, because pages write files of this account. Throws LibraryError. */
function requireProtected(path: string, isNamedByRoot: boolean): void {
  const uid = process.getuid?.()
  if (isNamedByRoot) {
    // On Windows nothing but the place tells who can write, and root has chosen that.
    const place = uid === undefined ? undefined : findWritablePlace(path, [root, uid])
    if (place !== undefined) throw new LibraryError(`other accounts can write "${place}"`)
    return
  }
  const todo = 'have the library installed for all users, or named in a file of root'
  const place = findWritablePlace(path, [root])
  if (place !== undefined)
    throw new LibraryError(`users other than root can write "${place}"; ${todo}`)
  if (uid === root && isForPages(dirname(path)))
    throw new LibraryError(`pages can write "${dirname(path)}"; ${todo}`)
}

/** Whether pages may have the folder. What the connector of root writes for them is root's. */
const isForPages = (folder: string): boolean =>
  findFolderFault(folder, {
    ...{ platform: process.platform, home: homedir(), own: [], programs: [] },
  }) === undefined

const isSame = (before: Stats, after: Stats): boolean =>
  (['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const).every(
    (name) => before[name] === after[name],
  )
