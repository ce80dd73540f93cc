/** Signers with their authorities, and openssl as the other side of signatures in CMS. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Holder, type HolderOptions, keys, makeHolder } from './authority.ts'

const run = promisify(execFile)

export const signerExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,nonRepudiation',
  'subjectKeyIdentifier=hash',
]

/** Keys of cards, with the curve of each. */
export const signerKeys = {
  RSA: { key: keys.RS256, curve: undefined },
  'P-256': { key: keys.ES256, curve: 'P-256' },
  'P-384': { key: keys.ES384, curve: 'P-384' },
  'P-521': { key: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'], curve: 'P-521' },
} as const

export interface Authorities {
  readonly root: Holder
  readonly intermediate: Holder
}

export async function makeAuthorities(name = 'Citizens'): Promise<Authorities> {
  const root = await makeHolder({ subject: `/CN=Root of ${name}` })
  const intermediate = await makeHolder({ subject: `/CN=${name}`, issuer: root })
  return { root, intermediate }
}

export const makeSigner = (
  { intermediate }: Authorities,
  options: HolderOptions = {},
): Promise<Holder> =>
  makeHolder({
    subject: '/C=BE/SN=Vermeer/GN=An/serialNumber=71715100070/CN=An Vermeer',
    issuer: intermediate,
    extensions: signerExtensions,
    ...options,
  })

/** Both of its outputs. Rejects with them where openssl refuses. */
export async function openssl(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run('openssl', args)
  return stdout + stderr
}

/** Writes bytes to a file that openssl reads. */
export async function save(bytes: Uint8Array | string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'cardwire-signatures-')), 'file')
  await writeFile(file, bytes)
  return file
}

/** What openssl writes to its last argument, a file. */
export async function readOutput(...args: readonly string[]): Promise<Buffer> {
  const out = await save('')
  await openssl(...args, out)
  return readFile(out)
}

/** A signature in CMS by openssl, detached where no other option says so. */
export async function signByOpenssl(
  { certificateFile, keyFile }: Holder,
  content: Uint8Array,
  options: readonly string[] = [],
): Promise<Buffer> {
  return readOutput(
    ...['cms', '-sign', '-binary', '-in', await save(content)],
    ...['-signer', certificateFile, '-inkey', keyFile, ...options],
    ...['-outform', 'DER', '-out'],
  )
}

/** What openssl says about a signature of CAdES. */
export async function verifyByOpenssl(
  signature: Uint8Array,
  { root }: Authorities,
  content?: Uint8Array,
): Promise<string> {
  return openssl(
    ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', await save(signature)],
    ...(content ? ['-content', await save(content)] : []),
    ...['-CAfile', root.certificateFile, '-purpose', 'any', '-out', '/dev/null'],
  )
}
