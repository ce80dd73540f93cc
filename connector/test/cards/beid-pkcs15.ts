/** The files of a Belgian identity card with which PKCS #15 describes its keys (ISO/IEC 7816-15, annex A of PKCS #15 v1.1). */
import { encodeTlv } from '../../src/sandbox/card-modules/ber-tlv.ts'

const text = (value: string) => encodeTlv(0x0c, Buffer.from(value))
const bytes = (hex: string) => encodeTlv(0x04, Buffer.from(hex, 'hex'))
const flags = (hex: string) => encodeTlv(0x03, Buffer.from(hex, 'hex'))
const number = (hex: string) => encodeTlv(0x02, Buffer.from(hex, 'hex'))
const sequence = (...parts: readonly Uint8Array[]) => encodeTlv(0x30, ...parts)
const path = (file: string) => sequence(bytes(`3F00DF00${file}`))

/** The keys, with the numbers that PKCS #15 gives them and the card's own; and the file of each certificate. */
const keys = [
  { label: 'Authentication', id: '02', reference: '0082', usage: '0520', certificate: '5038' },
  { label: 'Signature', id: '03', reference: '0083', usage: '06200040', certificate: '5039' },
] as const
const authorities = [
  { label: 'CA', id: '04', certificate: '503A' },
  { label: 'Root', id: '06', certificate: '503B' },
] as const

const directory = encodeTlv(
  0x61,
  encodeTlv(0x4f, Buffer.from('A000000177504B43532D3135', 'hex')),
  encodeTlv(0x50, Buffer.from('BELPIC')),
  encodeTlv(0x51, Buffer.from('3F00DF00', 'hex')),
  encodeTlv(0x73, encodeTlv(0x06, Buffer.from('603802', 'hex'))),
)

const objects = Buffer.concat([
  encodeTlv(0xa0, path('5035')),
  encodeTlv(0xa4, path('5037')),
  encodeTlv(0xa8, path('5034')),
])

/** The last four bytes are about the personalisation: graphical, reserved, electrical, and the interface of that. */
const tokenInfo = (serialNumber: Uint8Array) =>
  sequence(
    number('00'),
    encodeTlv(0x04, serialNumber),
    encodeTlv(0x80, Buffer.from('BELPIC')),
    flags('0430'),
    encodeTlv(0x9e, Uint8Array.of(0x05, 0x00, 0x02, 0x01)),
  )

/** Digits, two a byte, from four to twelve of them. */
const pins = sequence(
  sequence(text('Basic PIN'), flags('06C0')),
  sequence(bytes('01')),
  encodeTlv(
    0xa1,
    sequence(
      flags('020C'),
      encodeTlv(0x0a, Uint8Array.of(0x00)),
      number('04'),
      number('08'),
      number('0C'),
      encodeTlv(0x80, Uint8Array.of(0x01)),
      bytes('FF'),
      sequence(bytes('3F00')),
    ),
  ),
)

const privateKeys = (applet: '1.7' | '1.8') =>
  keys.map(({ label, id, reference, usage }) => {
    const parts = [
      sequence(text(label), flags('0780'), bytes('01')),
      sequence(bytes(id), flags(usage), flags('03B8'), number(reference)),
      encodeTlv(0xa1, sequence(sequence(bytes('')), number(applet === '1.7' ? '0800' : '0180'))),
    ]
    return applet === '1.7' ? sequence(...parts) : encodeTlv(0xa0, ...parts)
  })

const certificates = [...keys, ...authorities].map(({ label, id, certificate }) =>
  sequence(
    sequence(text(label), flags('00')),
    sequence(bytes(id)),
    encodeTlv(0xa1, sequence(path(certificate))),
  ),
)

/** All files of the card by their path; those that are given are of the folder that their number says. */
export const createPkcs15Files = (
  applet: '1.7' | '1.8',
  serialNumber: Uint8Array,
  files: Readonly<Record<string, Uint8Array>>,
): Readonly<Record<string, Uint8Array>> => ({
  '3F002F00': directory,
  '3F00DF005031': objects,
  '3F00DF005032': tokenInfo(serialNumber),
  '3F00DF005034': pins,
  '3F00DF005035': Buffer.concat(privateKeys(applet)),
  '3F00DF005037': Buffer.concat(certificates),
  ...Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      `3F00${name.startsWith('40') ? 'DF01' : 'DF00'}${name}`,
      content,
    ]),
  ),
})
