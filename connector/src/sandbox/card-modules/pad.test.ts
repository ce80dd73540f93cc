/** What the pad of a reader is told, and what its answers mean. */
import { expect, test } from 'vitest'
import { beid } from './beid.ts'
import { CardError } from './card-error.ts'
import { openpgp } from './openpgp.ts'
import { encodePinVerify, verifyOnPad } from './pad.ts'
import { piv } from './piv.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))

test('the PIN of a PIV card is six to eight digits in ASCII, filled up with FF', () => {
  const pin = piv.keys[0]?.pin
  if (!pin?.pad) throw new Error('Expected a PIN for pads')
  const pinVerify = encodePinVerify(pin, pin.pad, 30)
  const [times, format, digits] = ['1E1E', '82 08 00', '0806']
  const [entry, messages, data] = ['02', 'FF 0904 00 000000', '0D000000']
  const command = '00 20 00 80 08 FFFFFFFFFFFFFFFF'
  expect(pinVerify).toEqual(hex(times + format + digits + entry + messages + data + command))
})

test('a PIN in half bytes behind its length, as GlobalPlatform has it, says where both go', () => {
  const pin = beid.keys[0]?.pin
  if (!pin?.pad) throw new Error('Expected a PIN for pads')
  const pinVerify = encodePinVerify(pin, pin.pad, 20)
  // As the middleware of the Belgian eID sends it (eid-mw, pinpad2).
  expect(pinVerify.slice(2, 5)).toEqual(hex('89 47 04'))
  expect(pinVerify.slice(5, 7)).toEqual(hex('0C04'))
  expect(pinVerify.slice(19)).toEqual(hex('00 20 00 01 08 20FFFFFFFFFFFFFF'))
})

test('a PIN of any length is the whole block, whose size the pad is not told', () => {
  const pin = openpgp.keys[0]?.pin
  if (!pin?.pad) throw new Error('Expected a PIN for pads')
  const pinVerify = encodePinVerify(pin, pin.pad, 30)
  // As GnuPG sends it to readers that it knows to have pads of variable length (scd/apdu.c, pcsc_pinpad_verify).
  expect(pinVerify.slice(2, 5)).toEqual(hex('82 00 00'))
  expect(pinVerify.slice(5, 7)).toEqual(hex('0F06'))
  expect(pinVerify.slice(15)).toEqual(hex('05000000 00 20 00 81 00'))
})

test.each([
  ['9000', undefined, undefined],
  ['6400', 'pin-timeout', undefined],
  ['6401', 'pin-cancelled', undefined],
  ['6403', 'pin-invalid', undefined],
  ['63C2', 'pin-wrong', 2],
  ['6300', 'pin-wrong', undefined],
  ['6982', 'pin-wrong', undefined],
  ['6983', 'pin-blocked', 0],
  ['63C0', 'pin-blocked', 0],
  ['6B80', 'pin-invalid', undefined],
  ['', 'card-mute', undefined],
  ['90', 'card-mute', undefined],
  ['900000', 'card-mute', undefined],
])('the answer "%s" of a pad is %s', (answer, problem, triesLeft) => {
  const act = () => verifyOnPad({ verify: () => hex(answer) }, new Uint8Array())
  if (problem === undefined) return expect(act).not.toThrow()
  try {
    act()
  } catch (error) {
    if (error instanceof CardError)
      return expect([error.problem, error.triesLeft]).toEqual([problem, triesLeft])
  }
  throw new Error('Expected a problem')
})
