/** Certificates and keys for the stores of a user on Windows, as openssl makes them. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyKinds, openSsl } from '../keystore/openssl.ts'

export interface StoredKey {
  readonly certificate: X509Certificate
  /** SHA-256 over the certificate, upper-case hex. */
  readonly id: string
  /** For the program that imports it. */
  readonly entry: object
}

type Store = 'MY' | 'CA' | 'ROOT'

/** `usage`: of the key, as openssl writes its extensions. `hasKey`: its key lies in the store, too. */
export function createStoredKey(
  name: string,
  {
    store = 'MY',
    usage = [],
    hasKey = store === 'MY',
    days = 30,
  }: {
    readonly store?: Store
    readonly usage?: readonly string[]
    readonly hasKey?: boolean
    readonly days?: number
  },
): StoredKey {
  const openssl = openSsl()
  try {
    const pair = openssl.certificate({
      ...{ names: [`${name}.example`], key: keyKinds.rsa, extensions: usage, days },
    })
    const certificate = new X509Certificate(pair.cert)
    return {
      certificate,
      id: certificate.fingerprint256.replaceAll(':', ''),
      entry: {
        store,
        certificate: certificate.raw.toString('base64'),
        ...(hasKey && { key: toPrivateKeyBlob(pair.key) }),
      },
    }
  } finally {
    openssl.close()
  }
}

/** PRIVATEKEYBLOB of wincrypt.h, base64. */
function toPrivateKeyBlob(key: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-key-'))
  const [from, to] = [join(folder, 'key.pem'), join(folder, 'key.blob')]
  writeFileSync(from, key)
  const form = ['-outform', 'MS PRIVATEKEYBLOB']
  execFileSync('openssl', ['rsa', '-in', from, ...form, '-out', to], { stdio: 'ignore' })
  const blob = readFileSync(to).toString('base64')
  rmSync(folder, { recursive: true })
  return blob
}
