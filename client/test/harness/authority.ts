/** Certificates and tokens made only by openssl: an implementation that shares nothing with ours. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** An algorithm of the token, with the key that openssl makes for it. */
export const keys = {
  ES256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  ES384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  RS256: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
} as const

export type Algorithm = keyof typeof keys

export interface Holder {
  /** PEM. */
  readonly certificate: string
  readonly der: Buffer
  /** The files that openssl reads. */
  readonly keyFile: string
  readonly certificateFile: string
}

export interface HolderOptions {
  readonly subject?: string
  /** Default: itself. */
  readonly issuer?: Holder | undefined
  readonly key?: readonly string[]
  /** A key that is there already, in place of a new one. */
  readonly keyFile?: string
  /** Lines of an openssl configuration. */
  readonly extensions?: readonly string[]
  /** `YYYYMMDDHHMMSSZ`; default: 2020 to 2040. */
  readonly notBefore?: string
  readonly notAfter?: string
  readonly digest?: string
}

export const authorityExtensions = [
  'basicConstraints=critical,CA:TRUE',
  'keyUsage=critical,keyCertSign',
]
export const userExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,digitalSignature',
  'extendedKeyUsage=clientAuth',
]

/** Makes a key and a certificate for it. */
export async function makeHolder(options: HolderOptions = {}): Promise<Holder> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-authority-'))
  const at = (name: string) => join(folder, name)
  const { subject = '/CN=Test Authority', issuer, extensions = authorityExtensions } = options
  if (options.keyFile) await copyFile(options.keyFile, at('key.pem'))
  else await openssl('genpkey', ...(options.key ?? keys.ES256), '-out', at('key.pem'))
  await openssl('req', '-new', '-key', at('key.pem'), '-subj', subject, '-out', at('request.pem'))
  await writeFile(
    at('ca.cnf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${at('index')}\nnew_certs_dir=${folder}\nrand_serial=yes\n` +
      'policy=any\nunique_subject=no\nemail_in_dn=no\n' +
      '[any]\ncommonName=optional\nsurname=optional\ngivenName=optional\nserialNumber=optional\ncountryName=optional\n' +
      `[made]\n${extensions.join('\n')}\n`,
  )
  await writeFile(at('index'), '')
  await openssl(
    ...[
      'ca',
      '-batch',
      '-notext',
      '-config',
      at('ca.cnf'),
      '-extensions',
      'made',
      '-in',
      at('request.pem'),
    ],
    ...(issuer
      ? ['-cert', issuer.certificateFile, '-keyfile', issuer.keyFile]
      : ['-selfsign', '-keyfile', at('key.pem')]),
    ...['-md', options.digest ?? 'sha256'],
    ...['-startdate', options.notBefore ?? '20200101000000Z'],
    ...['-enddate', options.notAfter ?? '20400101000000Z'],
    ...['-out', at('certificate.pem')],
  )
  await openssl(
    'x509',
    '-in',
    at('certificate.pem'),
    '-outform',
    'DER',
    '-out',
    at('certificate.der'),
  )
  return {
    certificate: await readFile(at('certificate.pem'), 'utf8'),
    der: await readFile(at('certificate.der')),
    keyFile: at('key.pem'),
    certificateFile: at('certificate.pem'),
  }
}

/** What a token's signature is over: H(origin) ‖ H(nonce). */
export function toBeSigned(algorithm: Algorithm, origin: string, nonce: string): Buffer {
  const digest = (text: string) =>
    createHash(algorithm === 'ES384' ? 'sha384' : 'sha256')
      .update(text)
      .digest()
  return Buffer.concat([digest(origin), digest(nonce)])
}

/** Signs with openssl; an ECDSA signature as r ‖ s. */
export async function sign(algorithm: Algorithm, holder: Holder, message: Buffer): Promise<Buffer> {
  const file = `${holder.keyFile}.message`
  await writeFile(file, message)
  const out = `${holder.keyFile}.signature`
  await openssl('dgst', digestOption(algorithm), '-sign', holder.keyFile, '-out', out, file)
  const signature = await readFile(out)
  return algorithm === 'RS256' ? signature : toRaw(signature, algorithm === 'ES384' ? 48 : 32)
}

/** Whether openssl accepts a signature in DER or PKCS #1 over a message. */
export async function accepts(
  algorithm: Algorithm,
  holder: Holder,
  message: Buffer,
  signature: Buffer,
): Promise<boolean> {
  const publicKey = `${holder.keyFile}.public`
  const at = (name: string) => `${holder.keyFile}.${name}`
  await openssl('x509', '-in', holder.certificateFile, '-noout', '-pubkey', '-out', publicKey)
  await writeFile(at('message'), message)
  const der = algorithm === 'RS256' ? signature : await toDerSignature(holder, signature)
  await writeFile(at('signature'), der)
  return openssl(
    ...['dgst', digestOption(algorithm), '-verify', publicKey],
    ...['-signature', at('signature'), at('message')],
  ).then(
    () => true,
    () => false,
  )
}

const digestOption = (algorithm: Algorithm) => (algorithm === 'ES384' ? '-sha384' : '-sha256')

/** r ‖ s of SEQUENCE { r, s }: both shorter than 128 bytes. */
function toRaw(der: Buffer, size: number): Buffer {
  const rLength = der[3] ?? 0
  const integers = [der.subarray(4, 4 + rLength), der.subarray(6 + rLength)]
  return Buffer.concat(
    integers.map((integer) => {
      const digits = integer.subarray(integer.findIndex((byte) => byte !== 0))
      return Buffer.concat([Buffer.alloc(size - digits.length), digits])
    }),
  )
}

/** SEQUENCE { r, s } of r ‖ s, written by openssl. */
async function toDerSignature(holder: Holder, raw: Buffer): Promise<Buffer> {
  const half = raw.length / 2
  const [r, s] = [raw.subarray(0, half), raw.subarray(half)].map((part) => part.toString('hex'))
  const [description, der] = [`${holder.keyFile}.asn1`, `${holder.keyFile}.der`]
  await writeFile(description, `asn1=SEQUENCE:both\n[both]\nr=INTEGER:0x${r}\ns=INTEGER:0x${s}\n`)
  await openssl('asn1parse', '-genconf', description, '-noout', '-out', der)
  return readFile(der)
}

async function openssl(...args: readonly string[]): Promise<void> {
  await run('openssl', args)
}
