/** A program for Windows: puts the certificates and keys of a file of JSON into the stores of a user. */
import { readFileSync } from 'node:fs'
import { importCertificate } from './import-key.ts'

interface Entry {
  readonly store: 'MY' | 'CA' | 'ROOT'
  /** DER, base64. */
  readonly certificate: string
  /** PRIVATEKEYBLOB, base64. */
  readonly key?: string
}

function main(path = ''): void {
  const entries: readonly Entry[] = JSON.parse(readFileSync(path, 'utf8'))
  for (const [at, { store, certificate, key }] of entries.entries()) {
    const bound =
      key === undefined
        ? undefined
        : { container: `cardwire-test-${at}`, blob: Buffer.from(key, 'base64') }
    importCertificate(store, Buffer.from(certificate, 'base64'), bound)
  }
  process.stdout.write('done')
}

try {
  main(process.argv[2])
} catch (error) {
  process.stdout.write(String(error))
}
