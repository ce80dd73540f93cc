/** The certificates in the stores of a user on Windows, by crypt32.dll, in the helper's process. */
import { createHash } from 'node:crypto'
import { copyCertificate, getAddress, toUtf16, type WindowsKeys } from './native.ts'

// Values of wincrypt.h.
const providerSystemW = 10n
const currentUser = 0x1_0000
const openExisting = 0x4000
const readOnly = 0x8000
const keyProviderProperty = 2

/** ERROR_FILE_NOT_FOUND, as such and as an HRESULT (winerror.h). */
const storeMissing = [2, 0x8007_0002]

/** As crypt32 calls them: what is the user's own, and the authorities between and at the root. */
export type StoreName = 'MY' | 'CA' | 'ROOT'

/** What a store may have; the first ones are taken. */
const maxCertificates = 2000

export interface StoredCertificate {
  /** DER as base64. */
  readonly certificate: string
  /** Whether Windows knows where its private key lies. */
  readonly hasKey: boolean
}

/** Each once, in the order of the store; none if there is no such store. Throws if Windows cannot read it. */
export function readStore(keys: WindowsKeys, name: StoreName): readonly StoredCertificate[] {
  const found = new Map<string, StoredCertificate>()
  walkStore(keys, name, (handle) => {
    const certificate = copyCertificate(handle).toString('base64')
    const hasKey = hasPrivateKey(keys, handle)
    // The store of a user shows that of the machine, too.
    if (hasKey || !found.has(certificate)) found.set(certificate, { certificate, hasKey })
    return found.size < maxCertificates
  })
  return [...found.values()]
}

/** Calls `use` with the context of the user's certificate with this SHA-256 digest (lower-case hex); undefined: it is not there. */
export function useCertificate<T>(
  keys: WindowsKeys,
  fingerprint: string,
  use: (handle: bigint) => T,
): T | undefined {
  let result: T | undefined
  walkStore(keys, 'MY', (handle) => {
    const digest = createHash('sha256').update(copyCertificate(handle)).digest('hex')
    if (digest !== fingerprint || !hasPrivateKey(keys, handle)) return true
    result = use(handle)
    return false
  })
  return result
}

/** `visit` returns whether to go on; a context is good while it runs. */
function walkStore(keys: WindowsKeys, name: StoreName, visit: (handle: bigint) => boolean): void {
  const title = toUtf16(name)
  const flags = currentUser | openExisting | readOnly
  const store = keys.CertOpenStore(providerSystemW, 0, 0n, flags, getAddress(title))
  if (store === 0n) {
    requireMissing(keys, name)
    return
  }
  try {
    // Each call frees the context that it is given.
    let handle = keys.CertEnumCertificatesInStore(store, 0n)
    while (handle !== 0n && visit(handle)) {
      handle = keys.CertEnumCertificatesInStore(store, handle)
    }
    if (handle !== 0n) keys.CertFreeCertificateContext(handle)
  } finally {
    keys.CertCloseStore(store, 0)
  }
}

/** Any other status means that the store was not read. Its certificates must not count as absent. */
function requireMissing(keys: WindowsKeys, name: StoreName): void {
  const status = keys.GetLastError()
  if (storeMissing.includes(status)) return
  throw new Error(`Cannot read the certificate store "${name}": Windows status ${status}`)
}

function hasPrivateKey(keys: WindowsKeys, handle: bigint): boolean {
  const size = Buffer.alloc(4)
  return keys.CertGetCertificateContextProperty(handle, keyProviderProperty, 0n, getAddress(size))
}
