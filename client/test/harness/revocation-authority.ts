/** The answers of a certificate authority about revocation, made only by openssl: OCSP responses and lists. */
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Holder } from './authority.ts'

const run = promisify(execFile)

/** A certificate that an authority knows. */
export interface Entry {
  readonly holder: Holder
  /** Undefined: not revoked. `YYMMDDHHMMSSZ`, with openssl's name of a reason behind a comma. */
  readonly revoked?: string
}

export interface ResponseOptions {
  readonly issuer: Holder
  readonly entries: readonly Entry[]
  /** Default: the issuer. */
  readonly signer?: Holder
  /** Of openssl ocsp; default: the next update is in an hour. */
  readonly args?: readonly string[]
}

/** Answers a request in DER, as `openssl ocsp` does. */
export async function respond(
  request: Uint8Array,
  { issuer, entries, signer = issuer, args = ['-nmin', '60'] }: ResponseOptions,
): Promise<Buffer> {
  const { at, index } = await writeIndex(entries)
  await writeFile(at('request.der'), request)
  await run('openssl', [
    'ocsp',
    ...['-index', index, '-CA', issuer.certificateFile],
    ...['-rsigner', signer.certificateFile, '-rkey', signer.keyFile],
    ...['-reqin', at('request.der'), '-respout', at('response.der'), '-noverify', ...args],
  ])
  return readFile(at('response.der'))
}

/** A request as openssl makes it, for an answer that is kept. */
export async function makeRequest(
  issuer: Holder,
  holder: Holder,
  args: readonly string[] = [],
): Promise<Buffer> {
  const { at } = await writeIndex([])
  const asked = [...args, '-issuer', issuer.certificateFile, '-cert', holder.certificateFile]
  await run('openssl', ['ocsp', ...asked, '-no_nonce', '-reqout', at('request.der')])
  return readFile(at('request.der'))
}

export interface ListOptions {
  readonly issuer: Pick<Holder, 'certificateFile' | 'keyFile'>
  readonly entries: readonly Entry[]
  /** Default: the issuer's. */
  readonly keyFile?: string
  /** Lines of a configuration. */
  readonly extensions?: readonly string[]
  /** Of openssl ca; default: the next update is in an hour. */
  readonly args?: readonly string[]
}

/** A list of revoked certificates in DER, as `openssl ca -gencrl` makes it. */
export async function makeList({
  issuer,
  entries,
  keyFile = issuer.keyFile,
  extensions = ['authorityKeyIdentifier=keyid'],
  args = ['-crlhours', '1', '-md', 'sha256'],
}: ListOptions): Promise<Buffer> {
  const { at, index } = await writeIndex(entries)
  await writeFile(
    at('ca.cnf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${index}\n[list]\n${extensions.join('\n')}\n`,
  )
  await run('openssl', [
    ...['ca', '-gencrl', '-config', at('ca.cnf'), '-crlexts', 'list'],
    ...['-cert', issuer.certificateFile, '-keyfile', keyFile, ...args, '-out', at('list.pem')],
  ])
  await run('openssl', ['crl', '-in', at('list.pem'), '-outform', 'DER', '-out', at('list.der')])
  return readFile(at('list.der'))
}

/** openssl's database of certificates (ca(1), WARNINGS), in a new folder. */
async function writeIndex(entries: readonly Entry[]) {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-revocation-'))
  const at = (name: string) => join(folder, name)
  const lines = entries.map(({ holder, revoked }) => {
    const { serialNumber } = new X509Certificate(holder.der)
    const status = revoked === undefined ? 'V' : 'R'
    return [status, '400101000000Z', revoked ?? '', serialNumber, 'unknown', '/CN=x'].join('\t')
  })
  await writeFile(at('index'), lines.map((line) => `${line}\n`).join(''))
  await writeFile(at('index.attr'), 'unique_subject = no\n')
  return { at, index: at('index') }
}
