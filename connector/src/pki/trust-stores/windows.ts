/** The root stores of Windows as trust stores, by crypt32.dll: that of the user, or that of the machine. */

import { errorText } from '../../system/error-text.ts'
import { type Crypt32, getAddress, openCrypt32 } from './native.ts'
import type { RootIdentity, TrustStore } from './trust-store.ts'

// Values of wincrypt.h.
const providerSystemW = 10n
const locations = { user: 0x1_0000, machine: 0x2_0000 } as const
const openExisting = 0x4000
const readOnly = 0x8000
const x509Encoding = 1
const replaceExisting = 3
const findExisting = 0xd_0000
const commit = 3

/** ERROR_FILE_NOT_FOUND, as such and as an HRESULT (winerror.h). */
const storeMissing = [2, 0x8007_0002]

const administratorsOnly = 'only an administrator may do this'

/** UTF-16LE, ended by a zero. */
const rootStore = Buffer.from('ROOT\0', 'utf16le')

/**
 * A root store. Before a root is added to the store of the user, Windows asks the user in a window that stops this process
 * until it is answered; the store of the machine needs an administrator, and there is no window.
 */
export function createWindowsStore(
  scope: 'user' | 'machine',
  open: () => Crypt32 = openCrypt32,
): TrustStore {
  let library: Crypt32 | undefined
  const crypt32 = () => {
    library ??= open()
    return library
  }

  /** Opens the store for as long as `work` runs; undefined when it cannot be opened that way. */
  const withStore = <T>(flags: number, work: (store: bigint) => T): T | undefined => {
    const store = crypt32().CertOpenStore(
      providerSystemW,
      0,
      0n,
      locations[scope] | flags,
      getAddress(rootStore),
    )
    if (store === 0n) return undefined
    try {
      return work(store)
    } finally {
      crypt32().CertCloseStore(store, 0)
    }
  }

  /** The context of the very same certificate in a store, to be freed; 0 when it is not there. */
  const find = (store: bigint, root: RootIdentity): bigint => {
    const wanted = crypt32().CertCreateCertificateContext(
      x509Encoding,
      getAddress(root.der),
      root.der.length,
    )
    if (wanted === 0n) throw new Error('Windows cannot read the root')
    try {
      return crypt32().CertFindCertificateInStore(store, x509Encoding, 0, findExisting, wanted, 0n)
    } finally {
      crypt32().CertFreeCertificateContext(wanted)
    }
  }

  const fail = (act: string): never => {
    const code = crypt32().GetLastError()
    // ERROR_ACCESS_DENIED (5) and its HRESULT.
    const denied = code === 5 || code === 0x8007_0005
    const reason = denied ? administratorsOnly : `Windows returned 0x${code.toString(16)}`
    throw new Error(`Cannot ${act} the root store of the ${scope}: ${reason}`)
  }

  const trusts = (root: RootIdentity): boolean => {
    const trusted = withStore(openExisting | readOnly, (store) => {
      const found = find(store, root)
      if (found !== 0n) crypt32().CertFreeCertificateContext(found)
      return found !== 0n
    })
    // Any other failure says nothing about the root.
    if (trusted === undefined && !storeMissing.includes(crypt32().GetLastError())) fail('read')
    return trusted === true
  }

  return {
    name: `windows:${scope}`,
    scope,
    removes: 'any',
    async findObstacle() {
      try {
        return withStore(0, () => true) ? undefined : { reason: administratorsOnly }
      } catch (error) {
        return { reason: errorText(error) }
      }
    },
    async install(root) {
      const added = withStore(0, (store) =>
        crypt32().CertAddEncodedCertificateToStore(
          store,
          x509Encoding,
          getAddress(root.der),
          root.der.length,
          replaceExisting,
          0n,
        ),
      )
      if (added !== true) fail('add to')
    },
    async uninstall(root) {
      const gone = withStore(0, (store) => {
        const found = find(store, root)
        // Deleting frees the context, also when it fails.
        const deleted = found === 0n || crypt32().CertDeleteCertificateFromStore(found)
        // Written now: under Wine 8 a deletion without this is lost when the store is closed.
        crypt32().CertControlStore(store, 0, commit, 0n)
        return deleted
      })
      if (gone !== true) fail('remove from')
      // Looked up again: the result of the call is no proof that it was written.
      if (trusts(root)) throw new Error(`The root store of the ${scope} still holds the root`)
    },
    trusts: async (root) => trusts(root),
  }
}
