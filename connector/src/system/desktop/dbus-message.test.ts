/** Messages of a bus that are damaged, byte by byte. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { decodeFields, decodeHead, encodeMethodCall, headBytes } from './dbus-message.ts'

const maxBytes = 65_536
/** A call has the fields of a reply but for the serial number: its encoder was tried at a real bus. */
const call = {
  destination: 'org.example',
  path: '/org/example',
  interface: 'org.example',
  member: 'Call',
  args: [
    ['s', 'é'],
    ['u', 1],
  ],
} as const

function decode(message: Buffer) {
  const head = decodeHead(message.subarray(0, headBytes), maxBytes)
  return { head, fields: decodeFields(message.subarray(headBytes), head) }
}

test('a message is decoded as it was encoded', () => {
  const message = encodeMethodCall(call, 1)
  const { head, fields } = decode(message)
  expect(head).toMatchObject({ type: 1, restBytes: message.length - headBytes })
  expect(fields).toEqual({ replySerial: undefined, signature: 'su' })
})

test.each([
  // Each field: its code, its type, its value; the next begins at a multiple of eight.
  ['a signature', '14016700 05757575757500 0000000000'],
  ['a byte', '14017900 07000000'],
  ['a number of 64 bits', '14017400 00000000 0700000000000000'],
  ['a text', '14017300 02000000 6f6b000000000000'],
])(
  'the serial number of a reply is read behind a field of an unknown code with %s',
  (_, unknown) => {
    proves('message-bus-posed')
    const fields = Buffer.from(`${unknown}050175002a000000`.replaceAll(' ', ''), 'hex')
    const head = Buffer.from('6c02000100000000 01000000 00000000'.replaceAll(' ', ''), 'hex')
    head.writeUInt32LE(fields.length, 12)
    expect(decode(Buffer.concat([head, fields])).fields).toEqual({ replySerial: 42, signature: '' })
  },
)

test('a message with any byte changed is decoded, or refused with an error', () => {
  proves('message-bus-posed')
  const message = encodeMethodCall(call, 1)
  let refused = 0
  for (let at = 0; at < message.length; at += 1) {
    for (const value of [0, 1, 8, 0x67, 0x73, 0x7f, 0xff]) {
      const changed = Buffer.from(message)
      changed[at] = value
      try {
        expect(decode(changed).head.restBytes).toBeLessThanOrEqual(maxBytes)
      } catch (error) {
        expect(error).toMatchObject({
          message: expect.stringMatching(/^Cannot read the message: /),
        })
        refused += 1
      }
    }
  }
  expect(refused).toBeGreaterThan(100)
})
