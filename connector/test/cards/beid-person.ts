/** The identity files of a person who does not exist, in the form of the Belgian identity card. */
import { createHash } from 'node:crypto'

/** A tag, a length and the value; the first two have a byte each. */
export const encodeField = (tag: number, value: string | Uint8Array): Uint8Array => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Uint8Array.of(tag, bytes.length), bytes])
}

/** In the order of their tags, from 1 on, without the picture's hash. */
export const identity = {
  cardNumber: '592000000042',
  chipNumber: '534C494E0123456789ABCDEF01234567',
  cardValidityDateBegin: '01.02.2024',
  cardValidityDateEnd: '01.02.2034',
  cardDeliveryMunicipality: 'Liège',
  nationalNumber: '85073003328',
  name: "D'Exemple",
  firstNames: 'Zoë Märta',
  thirdName: 'Q',
  nationality: 'Belge',
  birthLocation: 'Malmédy',
  birthDate: '30 JUIL 1985',
  sex: 'F',
  nobleCondition: 'Baronne',
  documentType: '1',
  specialStatus: '0',
} as const

export const address = {
  streetAndNumber: "Chaussée de l'Exemple 12 B003",
  zipcode: '4000',
  municipality: 'Liège',
} as const

/** A JPEG of 140 by 200 pixels: its frame header, and comments up to the size of a picture. */
export const picture: Uint8Array = Buffer.concat([
  Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10),
  Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'),
  Uint8Array.of(0xff, 0xfe, 0x0b, 0xb8),
  Buffer.alloc(0x0bb8 - 2, 'a picture of nobody '),
  Uint8Array.of(0xff, 0xc0, 0x00, 0x0b, 0x08, 0x00, 0xc8, 0x00, 0x8c, 0x01, 0x01, 0x11, 0x00),
  Uint8Array.of(0xff, 0xd9),
])

/** The version of its structure stands before the rest on newer cards. */
export function createIdentityFile(hash: 'sha1' | 'sha384', version?: number): Uint8Array {
  const fields = Object.entries(identity).map(([name, value], at) =>
    encodeField(at + 1, name === 'chipNumber' ? Buffer.from(value, 'hex') : value),
  )
  const pictureHash = encodeField(0x11, createHash(hash).update(picture).digest())
  const start = version === undefined ? [] : [encodeField(0x00, Uint8Array.of(version))]
  return Buffer.concat([...start, ...fields, pictureHash])
}

/** The file has room for any address: zeros fill it up. */
export const addressFile: Uint8Array = (() => {
  const file = Buffer.alloc(117)
  Buffer.concat(Object.values(address).map((value, at) => encodeField(at + 1, value))).copy(file)
  return file
})()
