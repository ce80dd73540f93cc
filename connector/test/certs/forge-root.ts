/** Forges roots byte by byte, so that a test can ask about certificates that no library makes. */
import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** What differs from a root as the connector makes it. Values of extensions are DER. */
export interface Forgery {
  /** `extensions` replaced by name; undefined leaves one out. */
  readonly extensions?: Readonly<Partial<Record<ExtensionName, Bytes | undefined>>>
  /** Further ones, behind the others. */
  readonly added?: readonly Bytes[]
  /** The whole list of extensions, in place of what is above. */
  readonly list?: Bytes
  readonly version?: Bytes
  readonly issuer?: Bytes
  readonly subject?: Bytes
  readonly validity?: Bytes
  /** Between the public key and the extensions. */
  readonly beforeExtensions?: Bytes
  readonly afterExtensions?: Bytes
  readonly keys?: Keys
  /** Another key than the one in the certificate signs. */
  readonly signedBy?: Keys
  /** Of both places. */
  readonly algorithm?: Bytes
  readonly outerAlgorithm?: Bytes
  /** Changes the finished certificate. */
  readonly change?: (der: Buffer) => Buffer
}

export type Bytes = Buffer
interface Keys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}
type ExtensionName = 'basic' | 'usage' | 'purposes' | 'constraints' | 'keyId'

/** The root, PEM. */
export const forgeRoot = (forgery: Forgery = {}): string => toPemText(forgeDer(forgery))

export const toPemText = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** One DER element; `tag` in hexadecimal. */
export function der(tag: string, ...content: readonly Bytes[]): Bytes {
  const body = Buffer.concat(content)
  const { length } = body
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(tag, 'hex'), Buffer.from(size), body])
}
export const hex = (text: string): Bytes => Buffer.from(text.replaceAll(' ', ''), 'hex')
export const ascii = (text: string): Bytes => Buffer.from(text, 'latin1')

const critical = hex('0101ff')

/** An extension; `oid` in hexadecimal. */
export const extension = (oid: string, isCritical: boolean, value: Bytes): Bytes =>
  der('30', der('06', hex(oid)), ...(isCritical ? [critical] : []), der('04', value))

export const oids = {
  basic: '551d13',
  usage: '551d0f',
  purposes: '551d25',
  constraints: '551d1e',
  keyId: '551d0e',
} as const
export const purposes = {
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
  codeSigning: '2b06010505070303',
  emailProtection: '2b06010505070304',
  any: '551d2500',
} as const

/** Parts of name constraints. */
export const subtrees = {
  permitted: (...bases: readonly Bytes[]) => der('a0', ...bases.map((base) => der('30', base))),
  excluded: (...bases: readonly Bytes[]) => der('a1', ...bases.map((base) => der('30', base))),
}
export const dns = (name: string) => der('82', ascii(name))
/** Address and mask, hexadecimal. */
export const ip = (addressAndMask: string) => der('87', hex(addressAndMask))
export const localBases = [
  dns('localhost'),
  ip('7f000001 ffffffff'),
  ip(`${'00'.repeat(15)}01 ${'ff'.repeat(16)}`),
] as const
export const constraintsOf = (...trees: readonly Bytes[]) =>
  extension(oids.constraints, true, der('30', ...trees))
export const purposesOf = (...ids: readonly string[]) =>
  extension(oids.purposes, false, der('30', ...ids.map((id) => der('06', hex(id)))))

/** The extensions of a root as the connector makes it. */
export const properExtensions: Readonly<Record<ExtensionName, Bytes>> = {
  basic: extension(oids.basic, true, hex('3006 0101ff 020100')),
  usage: extension(oids.usage, true, hex('03020106')),
  purposes: purposesOf(purposes.serverAuth),
  keyId: extension(oids.keyId, false, hex(`0414${'5a'.repeat(20)}`)),
  constraints: constraintsOf(subtrees.permitted(...localBases)),
}

let ownKeys: Keys | undefined
export function getForgerKeys(): Keys {
  ownKeys ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return ownKeys
}

const sha256WithRsa = hex('300d 06092a864886f70d01010b 0500')
const text = (oid: string, value: string) =>
  der('31', der('30', der('06', hex(oid)), der('0c', ascii(value))))
export const nameOf = (organization: string, commonName: string) =>
  der('30', text('55040a', organization), text('550403', commonName))

/** RFC 5280 §4.2.1.2: the SHA-1 of the key. */
const identify = ({ publicKey }: Keys) =>
  extension(
    oids.keyId,
    false,
    der('04', createHash('sha1').update(readKeyBits(publicKey)).digest()),
  )

function readKeyBits(key: KeyObject): Bytes {
  const isRsa = key.asymmetricKeyType === 'rsa'
  return key.export({ type: isRsa ? 'pkcs1' : 'spki', format: 'der' })
}

function forgeDer(forgery: Forgery): Buffer {
  const keys = forgery.keys ?? getForgerKeys()
  const subject = forgery.subject ?? nameOf('Cardwire', 'Cardwire local root 5a5a5a5a')
  const chosen = { ...properExtensions, keyId: identify(keys), ...forgery.extensions }
  const list =
    forgery.list ??
    der('30', ...Object.values(chosen).flatMap((one) => one ?? []), ...(forgery.added ?? []))
  const signed = der(
    '30',
    forgery.version ?? hex('a003020102'),
    der('02', hex('4a5b6c7d8e9f00112233445566778899')),
    forgery.algorithm ?? sha256WithRsa,
    forgery.issuer ?? subject,
    forgery.validity ??
      der('30', der('17', ascii('261101000000Z')), der('17', ascii('361031000000Z'))),
    subject,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    forgery.beforeExtensions ?? Buffer.alloc(0),
    der('a3', list),
    forgery.afterExtensions ?? Buffer.alloc(0),
  )
  const signer = (forgery.signedBy ?? keys).privateKey
  const signature = createSign('sha256').update(signed).sign(signer)
  const certificate = der(
    '30',
    signed,
    forgery.outerAlgorithm ?? forgery.algorithm ?? sha256WithRsa,
    der('03', Buffer.concat([Buffer.from([0]), signature])),
  )
  return forgery.change?.(certificate) ?? certificate
}
