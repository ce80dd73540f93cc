/** Who may open a file on Windows, looked up and set by advapi32.dll. */
import { ownAccount } from '../system/windows-account.ts'
import { allowedBy } from './access-list.ts'
import { openSecurityCalls } from './native.ts'

/** Accounts and groups are SIDs, as text. */
export interface FileAccess {
  /** The account of this process. */
  readonly self: string
  /** Who is let in. Throws when Windows does not tell. */
  allowed(path: string): readonly string[]
  /** Lets in these and nobody else; what is made in a folder from now on inherits it. Throws when Windows refuses. */
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
    self: ownAccount(),
    allowed(path) {
      // An access list takes at most 64 KiB.
      const descriptor = Buffer.alloc(0x1_1000)
      const size = Buffer.alloc(4)
      if (!calls.GetFileSecurityW(wide(path), dacl, descriptor, descriptor.length, size))
        throw new Error(`Cannot tell who may open "${path}"`)
      return allowedBy(descriptor)
    },
    restrict(path, to) {
      const list = `D:P${to.map((sid) => `(A;OICI;FA;;;${sid})`).join('')}`
      const descriptor = Buffer.alloc(8)
      if (
        !calls.ConvertStringSecurityDescriptorToSecurityDescriptorW(
          wide(list),
          revision,
          descriptor,
          0n,
        )
      )
        throw new Error(`Cannot write the access list "${list}"`)
      const made = descriptor.readBigUInt64LE(0)
      try {
        // Not SetNamedSecurityInfo: under Wine 8 that adds what the folder above lets in, asked or not.
        if (!calls.SetFileSecurityW(wide(path), (dacl | protectedDacl) >>> 0, made))
          throw new Error(`Cannot close "${path}" to others: Windows refuses`)
      } finally {
        calls.LocalFree(made)
      }
    },
  }
}

/** UTF-16LE, ended by a zero. */
const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le')
