/** The identity files of a Belgian card: what they hold, and the signatures of the register over them. */
import { TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import { readFile } from './card-file.ts'
import type { CardSession } from './card-session.ts'
import type {
  AddressData,
  BiometricData,
  IdentityData,
  IdentityPart,
  PictureData,
} from './identity.ts'
import { readJpegSize } from './jpeg-size.ts'

const path = (file: string) => new Uint8Array(Buffer.from(`3F00DF01${file}`, 'hex'))
const files = {
  identity: path('4031'),
  identitySignature: path('4032'),
  address: path('4033'),
  addressSignature: path('4034'),
  picture: path('4035'),
} as const

const readers: { readonly [P in IdentityPart]: (session: CardSession) => IdentityData[P] } = {
  biometric: (session) => ({
    ...parseIdentity(read(session, 'identity')),
    signature: toBase64(read(session, 'identitySignature')),
  }),
  address: (session) => ({
    ...parseAddress(read(session, 'address')),
    signature: toBase64(read(session, 'addressSignature')),
  }),
  picture: (session): PictureData => {
    const picture = read(session, 'picture')
    return {
      picture: toBase64(picture),
      // The picture has none of its own: its hash is in the identity file.
      signature: toBase64(read(session, 'identitySignature')),
      ...readJpegSize(picture),
    }
  },
}

/** Throws `card-mute` when the card does not give a file, and TlvError when it is of another form. */
export const readBeidIdentity = <P extends IdentityPart>(
  session: CardSession,
  part: P,
): IdentityData[P] => readers[part](session)

/** The file 3F00 DF01 4031. */
export function parseIdentity(file: Uint8Array): Omit<BiometricData, 'signature'> {
  const fields = parseFields(file)
  const text = (tag: number) => toText(fields.get(tag))
  return {
    rawData: toBase64(file),
    version: toVersion(fields.get(0x00)),
    cardNumber: text(0x01),
    chipNumber: Buffer.from(fields.get(0x02) ?? [])
      .toString('hex')
      .toUpperCase(),
    cardValidityDateBegin: text(0x03),
    cardValidityDateEnd: text(0x04),
    cardDeliveryMunicipality: text(0x05),
    nationalNumber: text(0x06),
    name: text(0x07),
    firstNames: text(0x08),
    thirdName: text(0x09),
    nationality: text(0x0a),
    birthLocation: text(0x0b),
    birthDate: text(0x0c),
    sex: text(0x0d),
    nobleCondition: text(0x0e),
    documentType: text(0x0f),
    specialStatus: text(0x10),
    pictureHash: toBase64(fields.get(0x11) ?? new Uint8Array()),
  }
}

/** The file 3F00 DF01 4033. */
export function parseAddress(file: Uint8Array): Omit<AddressData, 'signature'> {
  const fields = parseFields(file)
  return {
    rawData: toBase64(file),
    version: toVersion(fields.get(0x00)),
    streetAndNumber: toText(fields.get(0x01)),
    zipcode: toText(fields.get(0x02)),
    municipality: toText(fields.get(0x03)),
  }
}

function read(session: CardSession, name: keyof typeof files): Uint8Array {
  const file = readFile(session, files[name])
  if (file) return file
  throw new CardError('card-mute', 'Cannot read the identity: the card does not give its file')
}

/** A tag and a length of a byte each, and the value; no BER-TLV. Zeros behind the last field fill the file up. */
function parseFields(file: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>()
  for (let at = 0; at < file.length; ) {
    const [tag = 0, length] = file.subarray(at, at + 2)
    if (tag === 0 && (length === undefined || length === 0)) break
    const start = at + 2
    const end = start + (length ?? 0)
    if (length === undefined || end > file.length) {
      throw new TlvError('a field of a file is longer than the file')
    }
    // The first counts where a tag stands twice.
    if (!fields.has(tag)) fields.set(tag, file.subarray(start, end))
    at = end
  }
  return fields
}

const toText = (value: Uint8Array = new Uint8Array()): string => new TextDecoder().decode(value)
const toVersion = (value: Uint8Array | undefined): string => (value ? [...value].join('.') : '')
const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
