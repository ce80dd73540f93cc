/** Keys, certificates and identity files for an emulated Belgian identity card, made and signed by openssl. */
import { execFile } from 'node:child_process'
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { insertCard, type VirtualCard } from '../../../test/bed/virtual-card.ts'
import { type BeidApplet, type BeidCardOptions, createBeidCard } from './beid-card.ts'
import { addressFile, createIdentityFile, identity, picture } from './beid-person.ts'
import { type TracedCard, traceCard } from './emulated-card.ts'

const run = promisify(execFile)

/** The certificates of a card, by the file that has them. */
const certificates = {
  root: '503B',
  ca: '503A',
  authentication: '5038',
  signature: '5039',
  register: '503C',
} as const
export type BeidCertificate = keyof typeof certificates

/** Who signs each, and whether it is one of an authority. */
const issuers: readonly (readonly [BeidCertificate, BeidCertificate, boolean])[] = [
  ['root', 'root', true],
  ['ca', 'root', true],
  ['authentication', 'ca', false],
  ['signature', 'ca', false],
  ['register', 'root', false],
]

/** What the certificates of the person are for: signing in, and signatures that commit to a content. */
const usages: Partial<Record<BeidCertificate, string>> = {
  authentication: 'digitalSignature',
  signature: 'nonRepudiation',
}

export interface BeidFiles extends Pick<BeidCardOptions, 'applet' | 'privateKeys' | 'files'> {
  /** PEM. */
  certificateFile(name: BeidCertificate): string
  keyFile(name: BeidCertificate): string
}

/** Applet 1.7 has keys of RSA-2048 and signed files with SHA-256, 1.8 of P-384 and with SHA-384. */
export async function makeBeidFiles(applet: BeidApplet): Promise<BeidFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-beid-'))
  const file = (name: string, kind: string) => join(folder, `${name}.${kind}`)
  const keyOptions = applet === '1.7' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']
  for (const [name, issuer, isAuthority] of issuers) {
    const signer = ['-CA', file(issuer, 'pem'), '-CAkey', file(issuer, 'key')]
    const constraint = `basicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`
    // As on real cards, both certificates of the person have one number.
    const usage = usages[name]
    const number = usage ? `/serialNumber=${identity.nationalNumber}` : ''
    const subject = `/CN=Test ${name}/O=Example${number}`
    const purpose = usage ? ['-addext', `keyUsage=critical,${usage}`] : []
    const facts = ['-subj', subject, '-days', '30', '-addext', constraint, ...purpose]
    const outputs = ['-keyout', file(name, 'key'), '-out', file(name, 'pem')]
    const key = ['req', '-x509', '-nodes', '-newkey', ...keyOptions]
    await run('openssl', [...key, ...facts, ...outputs, ...(name === issuer ? [] : signer)])
    const toDer = ['x509', '-in', file(name, 'pem'), '-outform', 'DER', '-out', file(name, 'der')]
    await run('openssl', toDer)
  }
  const readKey = async (name: BeidCertificate): Promise<KeyObject> =>
    createPrivateKey(await readFile(file(name, 'key')))
  const stored = await Promise.all(
    Object.entries(certificates).map(async ([name, number]) => [
      number,
      await readFile(file(name, 'der')),
    ]),
  )
  return {
    applet,
    privateKeys: {
      authentication: await readKey('authentication'),
      signature: await readKey('signature'),
    },
    files: { ...Object.fromEntries(stored), ...createFiles(applet, await readKey('register')) },
    certificateFile: (name) => file(name, 'pem'),
    keyFile: (name) => file(name, 'key'),
  }
}

/** The address is signed without its zeros, together with the signature of the identity. */
function createFiles(applet: BeidApplet, key: KeyObject) {
  const hash = applet === '1.7' ? 'sha256' : 'sha384'
  const identityFile = createIdentityFile(applet === '1.7' ? 'sha1' : 'sha384')
  const signature = sign(hash, identityFile, key)
  const text = addressFile.subarray(0, addressFile.findLastIndex((byte) => byte !== 0) + 1)
  return {
    '4031': identityFile,
    '4032': signature,
    '4033': addressFile,
    '4034': sign(hash, Buffer.concat([text, signature]), key),
    '4035': picture,
  }
}

/** Puts a traced card into the reader that listens on `port`. */
export async function insertBeidCard(
  port: number,
  { applet, privateKeys, files }: BeidFiles,
  options: Pick<BeidCardOptions, 'pin' | 'protocol'>,
): Promise<TracedCard & VirtualCard> {
  const card = traceCard(createBeidCard({ applet, privateKeys, files, ...options }))
  return { ...card, ...(await insertCard(port, card)) }
}
