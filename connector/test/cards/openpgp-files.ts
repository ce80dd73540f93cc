/** Keys and certificates for an emulated OpenPGP card, made by openssl, and the card in a reader. */
import { execFile } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { insertCard, type VirtualCard } from '../../../test/bed/virtual-card.ts'
import { type TracedCard, traceCard } from './emulated-card.ts'
import { createOpenpgpCard, type OpenpgpCardOptions, type OpenpgpKey } from './openpgp-card.ts'

const run = promisify(execFile)

const keyOptions = {
  'RSA-2048': ['RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'RSA-3072': ['RSA', '-pkeyopt', 'rsa_keygen_bits:3072'],
  'P-256': ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  Ed25519: ['ED25519'],
} as const
export type OpenpgpKeyType = keyof typeof keyOptions

export interface OpenpgpFiles extends Required<Pick<OpenpgpCardOptions, 'keys' | 'certificates'>> {
  /** The public key, PEM. */
  publicKeyFile(name: OpenpgpKey): string
}

const names = ['signature', 'encryption', 'authentication'] as const

/** Three keys of this type, each with a certificate that signs itself. */
export async function makeOpenpgpFiles(type: OpenpgpKeyType): Promise<OpenpgpFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-openpgp-'))
  const file = (name: string, kind: string) => join(folder, `${name}.${kind}`)
  const made = await Promise.all(
    names.map(async (name) => {
      const key = file(name, 'key')
      await run('openssl', ['genpkey', '-algorithm', ...keyOptions[type], '-out', key])
      await run('openssl', ['pkey', '-in', key, '-pubout', '-out', file(name, 'pem')])
      const certificate = ['-outform', 'DER', '-out', file(name, 'der')]
      const subject = ['-subj', `/CN=Test ${name}/O=Example`, '-days', '30']
      const use = name === 'signature' ? ['-addext', 'keyUsage=critical,nonRepudiation'] : []
      await run('openssl', [
        'req',
        '-x509',
        '-new',
        '-key',
        key,
        ...subject,
        ...use,
        ...certificate,
      ])
      const privateKey = createPrivateKey(await readFile(key))
      return [name, privateKey, new Uint8Array(await readFile(file(name, 'der')))] as const
    }),
  )
  return {
    keys: Object.fromEntries(made.map(([name, key]) => [name, key])),
    certificates: Object.fromEntries(made.map(([name, , certificate]) => [name, certificate])),
    publicKeyFile: (name) => file(name, 'pem'),
  }
}

/** Puts a traced OpenPGP card into the reader that listens on `port`. */
export async function insertOpenpgpCard(
  port: number,
  options: OpenpgpCardOptions,
): Promise<TracedCard & VirtualCard> {
  const card = traceCard(createOpenpgpCard(options))
  return { ...card, ...(await insertCard(port, card)) }
}
