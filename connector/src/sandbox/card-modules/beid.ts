/** The module beid: the Belgian identity card, applets 1.7 (RSA-2048) and 1.8 (P-384). Sources: OpenSC's card-belpic.c, Fedict's eid-mw and commons-eid. */
import { readBeidIdentity } from './beid-identity.ts'
import { readBeidInfo } from './beid-info.ts'
import { CardError } from './card-error.ts'
import { readFile, selectPath, takeCertificate } from './card-file.ts'
import type { CardKey, CardModule, CardPin } from './card-module.ts'
import type { CardSession } from './card-session.ts'
import { digitBlock } from './digit-block.ts'
import type { HashName, KeyType } from './key-type.ts'
import { requireLength, toDigestInfo } from './signature.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** Of the applet, and of the folder with its keys. */
const aids = [hex('A00000003029057000AD13100101FF'), hex('A000000177504B43532D3135')]
const keyFolder = hex('3F00DF00')

const pin: CardPin = { ...digitBlock, reference: 0x01, tellsTries: false }

/** The keys, with the number that names each and the file of its certificate. */
const keys: Readonly<
  Record<string, { readonly reference: number; readonly certificate: Uint8Array }>
> = {
  authentication: { reference: 0x82, certificate: hex('3F00DF005038') },
  signature: { reference: 0x83, certificate: hex('3F00DF005039') },
}

const authorities = { intermediate: hex('3F00DF00503A'), root: hex('3F00DF00503B') } as const

/**
 * Algorithm references of MSE SET. An RSA key signs a DigestInfo that we make, and so with each hash; an elliptic one
 * names the hash, and knows no SHA-1.
 */
const algorithms: Readonly<Partial<Record<KeyType, Readonly<Partial<Record<HashName, number>>>>>> =
  {
    'RSA-2048': { sha256: 0x01, sha384: 0x01, sha512: 0x01, sha1: 0x01 },
    'P-384': { sha384: 0x02, sha512: 0x04, sha256: 0x01 },
  }

/** Bytes of a signature: an RSA key's own, or r and s. */
const signatureBytes: Readonly<Partial<Record<KeyType, number>>> = { 'RSA-2048': 256, 'P-384': 96 }

export const beid: CardModule = {
  id: 'beid',
  version: '1.0.0',
  description: 'Belgian identity cards (applets 1.7 and 1.8)',
  cardName: 'Belgian identity card',
  aids,
  // Those of applet 1.7 and before; that of 1.8 is one of chips that other cards have too.
  atrs: [/^3B98..40(?:0A|FF)A503010101AD131[01]$/],
  keys: [
    { id: 'authentication', purpose: 'authentication', pin },
    { id: 'signature', purpose: 'non-repudiation', pin },
  ],
  keyTypes: ['RSA-2048', 'P-384'],
  hashes: { 'P-384': ['sha384', 'sha512', 'sha256'] },
  certificate: (session, key) => readCertificate(session, getKey(key).certificate),
  chain: (session, role) => readCertificate(session, authorities[role]),
  prepare: (session, key, type, hash) => {
    const algorithm = algorithms[type]?.[hash]
    if (algorithm === undefined) throw refuseSignature(key, `it does not sign with ${hash}`)
    // Applet 1.7 chooses no key outside of its folder (eid-mw).
    selectPath(session, keyFolder)
    const data = Uint8Array.of(0x04, 0x80, algorithm, 0x84, getKey(key).reference)
    const { status } = session.send({ ins: 0x22, p1: 0x41, p2: 0xb6, data })
    if (status !== 0x9000) throw refuseSignature(key, 'the card does not choose it')
  },
  sign: (session, key, type, digest) => {
    const data = type === 'RSA-2048' ? toDigestInfo(digest) : digest.bytes
    const command = { ins: 0x2a, p1: 0x9e, p2: 0x9a, data, hasResponse: true }
    const { data: signature, status } = session.send(command)
    if (status !== 0x9000) throw refuseSignature(key, 'the card refuses it')
    return requireLength(signature, signatureBytes[type] ?? 0)
  },
  identity: { parts: ['biometric', 'address', 'picture'], read: readBeidIdentity },
  info: readBeidInfo,
}

/** Files may be longer than the certificate in them; undefined: the card has none. */
function readCertificate(session: CardSession, path: Uint8Array): Uint8Array | undefined {
  const file = readFile(session, path)
  return file && takeCertificate(file)
}

function getKey({ id }: CardKey) {
  const key = keys[id]
  if (!key) throw new Error(`Cannot use key "${id}": Belgian cards have none of this name`)
  return key
}

const refuseSignature = ({ id }: CardKey, reason: string): CardError =>
  new CardError('key-unsupported', `Cannot sign with key "${id}": ${reason}`)
