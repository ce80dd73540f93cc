/** Reads and sets who may open a file on Windows, by advapi32.dll. */
import { getOwnAccount } from '../system/windows-account.ts'
import { formatAccessList, listAllowedSids } from './access-list.ts'
import { openSecurityCalls } from './native.ts'

/** Accounts and groups are SIDs, as text. */
export interface FileAccess {
  /** The account of this process. */
  readonly ownAccount: string
  /** The SIDs with access. Throws when Windows does not say. */
  listAllowed(path: string): readonly string[]
  /** Gives access to these SIDs alone; new files in a folder inherit it. Throws when Windows refuses. */
  restrict(path: string, to: readonly string[]): void
}

// Values of winnt.h and sddl.h.
const dacl = 0x4
const protectedDacl = 0x8000_0000
const revision = 1

/** Throws on other systems. */
export function windowsAccess(): FileAccess {
  const calls = openSecurityCalls()
  return {
    ownAccount: getOwnAccount(),
    listAllowed(path) {
      // An access list takes at most 64 KiB.
      const descriptor = Buffer.alloc(0x1_1000)
      const size = Buffer.alloc(4)
      if (!calls.GetFileSecurityW(toUtf16(path), dacl, descriptor, descriptor.length, size))
        throw new Error(`Cannot read who may open "${path}"`)
      return listAllowedSids(descriptor)
    },
    restrict(path, to) {
      const list = formatAccessList(to)
      const descriptor = Buffer.alloc(8)
      if (
        !calls.ConvertStringSecurityDescriptorToSecurityDescriptorW(
          toUtf16(list),
          revision,
          descriptor,
          0n,
        )
      )
        throw new Error(`Cannot write the access list "${list}"`)
      const made = descriptor.readBigUInt64LE(0)
      try {
        // Not SetNamedSecurityInfo: under Wine 8 that always adds the access list of the parent folder.
        if (!calls.SetFileSecurityW(toUtf16(path), (dacl | protectedDacl) >>> 0, made))
          throw new Error(`Cannot close "${path}" to others: Windows refuses`)
      } finally {
        calls.LocalFree(made)
      }
    },
  }
}

/** UTF-16LE, ended by a zero. */
const toUtf16 = (text: string) => Buffer.from(`${text}\0`, 'utf16le')
