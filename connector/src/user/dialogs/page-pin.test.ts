/** PINs of pages in each form, and blocks that are none: all of them are the same refusal. */
import {
  constants,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { PinRule } from '../../sandbox/card-modules/pin-rule.ts'
import { readPagePin } from './page-pin.ts'
import { unpadPin } from './unpad-pin.ts'

const digits: PinRule = { min: 4, max: 8, alphabet: 'digits' }
const printable: PinRule = { min: 6, max: 127, alphabet: 'printable' }
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const decrypt = (ciphertext: Uint8Array) => {
  const whole = Buffer.alloc(256)
  whole.set(ciphertext, 256 - ciphertext.length)
  return privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, whole)
}
/** As legacy clients do. */
const encrypt = (pin: string) =>
  publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(pin))
const read = (text: string, rule = digits) => {
  const pin = readPagePin(text, rule, decrypt)
  return pin && Buffer.from(pin).toString()
}

/** A block as RFC 8017 has it, changed. */
function makeBlock(pin: string, changes: (block: Buffer) => void = () => undefined): Buffer {
  const block = Buffer.alloc(256, 0xaa)
  block.set([0, 2])
  block.write(`\0${pin}`, 255 - pin.length, 'latin1')
  changes(block)
  return block
}

test.each([
  ['a ciphertext', encrypt('123456').toString('base64'), '123456'],
  ['the shortest PIN', encrypt('1234').toString('base64'), '1234'],
  ['the longest PIN', encrypt('12345678').toString('base64'), '12345678'],
  ['plaintext', '12345678', '12345678'],
  ['plaintext that is base64 too', '1234', '1234'],
  ['base64 of a plaintext', Buffer.from('123456').toString('base64'), '123456'],
])('%s is read', (_, text, pin) => {
  expect(read(text)).toBe(pin)
})

test('a ciphertext of 255 bytes, whose leading zero a client has left out, is read', () => {
  let ciphertext = encrypt('123456')
  while (ciphertext[0] !== 0) ciphertext = encrypt('123456')
  expect(read(ciphertext.subarray(1).toString('base64'))).toBe('123456')
})

test('a PIN of characters is read as it is, also where it could be base64', () => {
  expect(read('cGFzc3dk', printable)).toBe('cGFzc3dk')
  expect(read(encrypt('pässwort').toString('base64'), printable)).toBeUndefined()
})

test.each([
  ['a PIN that is too short', encrypt('123').toString('base64')],
  ['a PIN that is too long', encrypt('123456789').toString('base64')],
  ['a PIN with a letter', encrypt('12a456').toString('base64')],
  ['nothing', encrypt('').toString('base64')],
  ['bytes that nobody encrypted', randomBytes(256).fill(0x01, 0, 1).toString('base64')],
  ['zeros', Buffer.alloc(256).toString('base64')],
  ['plaintext with letters', '12a4'],
  ['base64 of letters', Buffer.from('abcd').toString('base64')],
])('%s is none', (_, text) => {
  expect(read(text)).toBeUndefined()
})

test.each<[string, string, (block: Buffer) => void]>([
  ['that begins with another byte', '123456', (block) => void block.writeUInt8(1, 0)],
  ['for signatures', '123456', (block) => void block.writeUInt8(1, 1)],
  ['without an end of the padding', '123456', (block) => void block.writeUInt8(7, 249)],
  ['with a zero in the PIN', '123456', (block) => void block.writeUInt8(0, 252)],
])('a block %s is none', (_, pin, changes) => {
  proves('pin-decryption-oracle')
  expect(unpadPin(makeBlock(pin), digits)).toBeDefined()
  expect(unpadPin(makeBlock(pin, changes), digits)).toBeUndefined()
})

test('a block with seven bytes of padding is none, and one with eight is', () => {
  proves('pin-decryption-oracle')
  const long: PinRule = { min: 4, max: 255, alphabet: 'printable' }
  expect(unpadPin(makeBlock('1'.repeat(245)), long)).toHaveLength(245)
  expect(unpadPin(makeBlock('1'.repeat(246)), long)).toBeUndefined()
})

test('every PIN of a rule comes out of its padding, and no other length', () => {
  for (let length = 0; length <= 12; length += 1) {
    const pin = '9876543210123'.slice(0, length)
    const found = unpadPin(makeBlock(pin), digits)
    expect(found && Buffer.from(found).toString()).toBe(
      length >= 4 && length <= 8 ? pin : undefined,
    )
  }
})

test.each([
  ['as it is', '123456'],
  ['in base64', Buffer.from('123456').toString('base64')],
  ['of another form', 'abcdef'],
])('what a PIN %s was read from is overwritten', (_, text) => {
  const from = vi.spyOn(Buffer, 'from')
  onTestFinished(() => void from.mockRestore())
  readPagePin(text, digits, decrypt)
  const buffers = from.mock.results.map(({ value }) => [...(value as Buffer)])
  expect(buffers).toHaveLength(2)
  expect(buffers.flat().every((byte) => byte === 0)).toBe(true)
})

test('the block that a PIN was padded in is overwritten', () => {
  let block: Uint8Array = new Uint8Array()
  const ciphertext = encrypt('123456').toString('base64')
  const pin = readPagePin(ciphertext, digits, (bytes) => {
    block = decrypt(bytes)
    return block
  })
  expect(pin).toHaveLength(6)
  expect(block).toEqual(Buffer.alloc(256))
})
