/** Puts certificates and their RSA keys into the store of a user on Windows, as programs of Windows do (wincrypt.h). */
import { getAddress, openCertificates, toUtf16 } from './native.ts'

const provider = toUtf16('Microsoft Enhanced RSA and AES Cryptographic Provider')
const rsaAndAes = 24
const newKeySet = 8
const exchangeKey = 1
const keyProviderProperty = 2

/** `key`: a PRIVATEKEYBLOB, which openssl writes; absent: the certificate alone. */
export function importCertificate(
  store: 'MY' | 'CA' | 'ROOT',
  certificate: Buffer,
  key?: { readonly container: string; readonly blob: Buffer },
): void {
  const windows = openCertificates()
  const [name, context] = [toUtf16(store), Buffer.alloc(8)]
  const opened = windows.CertOpenStore(10n, 0, 0n, 0x1_0000, getAddress(name))
  require(opened !== 0n, 'CertOpenStore')
  require(windows.CertAddEncodedCertificateToStore(
    opened,
    1,
    getAddress(certificate),
    certificate.length,
    3,
    getAddress(context),
  ), 'CertAddEncodedCertificateToStore')
  if (key) bindKey(windows, context.readBigUInt64LE(), key)
  windows.CertFreeCertificateContext(context.readBigUInt64LE())
  windows.CertCloseStore(opened, 0)
}

function bindKey(
  windows: ReturnType<typeof openCertificates>,
  context: bigint,
  { container, blob }: { readonly container: string; readonly blob: Buffer },
): void {
  const [name, handle, imported] = [toUtf16(container), Buffer.alloc(8), Buffer.alloc(8)]
  require(windows.CryptAcquireContextW(
    getAddress(handle),
    getAddress(name),
    getAddress(provider),
    rsaAndAes,
    newKeySet,
  ), 'CryptAcquireContextW')
  require(windows.CryptImportKey(
    handle.readBigUInt64LE(),
    getAddress(blob),
    blob.length,
    0n,
    0,
    getAddress(imported),
  ), 'CryptImportKey')
  windows.CryptDestroyKey(imported.readBigUInt64LE())
  windows.CryptReleaseContext(handle.readBigUInt64LE(), 0)
  // CRYPT_KEY_PROV_INFO: container, provider, type, flags, parameters, specification.
  const info = Buffer.alloc(48)
  info.writeBigUInt64LE(BigInt(getAddress(name)), 0)
  info.writeBigUInt64LE(BigInt(getAddress(provider)), 8)
  info.writeUInt32LE(rsaAndAes, 16)
  info.writeUInt32LE(exchangeKey, 40)
  require(windows.CertSetCertificateContextProperty(
    context,
    keyProviderProperty,
    0,
    getAddress(info),
  ), 'CertSetCertificateContextProperty')
}

function require(isDone: boolean, call: string): void {
  if (!isDone) throw new Error(`Windows refuses ${call}`)
}
