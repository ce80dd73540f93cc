/** The identity files of Belgian cards, of a person who does not exist: what is read of them, and what is refused. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { parseAddress, parseIdentity } from '../../src/sandbox/card-modules/beid-identity.ts'
import { TlvError } from '../../src/sandbox/card-modules/ber-tlv.ts'
import { findCardModule } from '../../src/sandbox/card-modules/card-modules.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { readJpegSize } from '../../src/sandbox/card-modules/jpeg-size.ts'
import { type BeidApplet, createBeidCard } from './beid-card.ts'
import { type BeidFiles, makeBeidFiles } from './beid-files.ts'
import {
  address,
  addressFile,
  createIdentityFile,
  encodeField,
  identity,
  picture,
} from './beid-person.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe.each(['1.7', '1.8'] as const)('a card of applet %s', (applet: BeidApplet) => {
  let files: BeidFiles
  beforeAll(async () => {
    files = await makeBeidFiles(applet)
  })
  const open = (protocol: 'T=0' | 'T=1') => {
    const card = createBeidCard({ ...files, pin: '1234', protocol })
    const session = createCardSession({ protocol, transmit: card.respond, isOver: () => false })
    const of = findCardModule('beid')?.identity
    if (!of) throw new Error('The module has no identity')
    return { session, of }
  }

  test.each(['T=0', 'T=1'] as const)(
    'gives the person, the address and the picture over %s',
    (protocol) => {
      proves('belgian-data')
      const { session, of } = open(protocol)
      const hash = applet === '1.7' ? 'sha1' : 'sha384'
      expect(of.read(session, 'biometric')).toEqual({
        ...identity,
        version: '',
        pictureHash: createHash(hash).update(picture).digest('base64'),
        rawData: base64(createIdentityFile(hash)),
        signature: base64(files.files['4032'] ?? new Uint8Array()),
      })
      expect(of.read(session, 'address')).toEqual({
        ...address,
        version: '',
        rawData: base64(addressFile),
        signature: base64(files.files['4034'] ?? new Uint8Array()),
      })
      expect(of.read(session, 'picture')).toEqual({
        picture: base64(picture),
        signature: base64(files.files['4032'] ?? new Uint8Array()),
        width: 140,
        height: 200,
      })
    },
  )

  test('gives raw data with the signature of the register over them', async () => {
    proves('belgian-data', 'holder-forged')
    const { session, of } = open('T=0')
    const certificate = new X509Certificate(await readFile(files.certificateFile('register')))
    const hash = applet === '1.7' ? 'sha256' : 'sha384'
    const { rawData, signature } = of.read(session, 'biometric')
    const isValid = (data: string) =>
      verify(
        hash,
        Buffer.from(data, 'base64'),
        certificate.publicKey,
        Buffer.from(signature, 'base64'),
      )
    expect([isValid(rawData), isValid(base64(addressFile))]).toEqual([true, false])
  })
})

test('a file whose structure has a version says which', () => {
  proves('belgian-data')
  expect(parseIdentity(createIdentityFile('sha1', 1))).toMatchObject({ version: '1', ...identity })
  const file = Buffer.concat([encodeField(0x00, Uint8Array.of(2)), addressFile])
  expect(parseAddress(file)).toMatchObject({ version: '2', ...address })
})

test('fields that a file does not have are empty, and those that nobody knows are passed over', () => {
  const file = Buffer.concat([encodeField(0x7f, 'unknown'), encodeField(0x02, '4000')])
  expect(parseAddress(file)).toMatchObject({ streetAndNumber: '', zipcode: '4000' })
  expect(parseAddress(new Uint8Array())).toMatchObject({ zipcode: '', rawData: '' })
})

test.each(['01', '0105', '01054141', '01FF', '0001', '010141FF'])(
  'a file %s that ends within a field is refused',
  (file) => {
    expect(() => parseIdentity(Buffer.from(file, 'hex'))).toThrow(TlvError)
  },
)

test('the size of a picture is that of its frame, whatever stands before', () => {
  const tables = 'FFC40006FFC0FFC0FFCC0002FFFE0004FFC0'
  const bytes = Buffer.from(`FFD8${tables}FFC2000B0800C8008C01011100FFD9`, 'hex')
  expect(readJpegSize(bytes)).toEqual({ width: 140, height: 200 })
})

// T.81 §B.1.1.2: any marker may be preceded by any number of fill bytes.
test.each([
  ['before the frame', 'FFD8FFFE0004FFC0FFFFC2000B0800C8008C01011100FFD9'],
  ['before a table', 'FFD8FFFFFFFE0004FFC0FFC2000B0800C8008C01011100FFD9'],
  ['of four bytes', 'FFD8FFFFFFFFFFC2000B0800C8008C01011100FFD9'],
])('the size of a picture with fill bytes %s', (_, bytes) => {
  expect(readJpegSize(Buffer.from(bytes, 'hex'))).toEqual({ width: 140, height: 200 })
})

test.each([
  '',
  'FFD8',
  'FFD8FFD9',
  'FFD8FFC00011',
  'FFD8FFFFFFFFFFFFFFFFFFFFFFFF',
  'FFD8FF00000B0800C8008C010111',
  'FFD8FFFE0001FFC2000B0800C8008C01011100',
  '89504E470D0A1A0A0000000000',
  'FFD8FFE00000FFE00000FFE00000',
])('a picture %s that is no JPEG is refused', (bytes) => {
  expect(() => readJpegSize(Buffer.from(bytes, 'hex'))).toThrow(TlvError)
})
