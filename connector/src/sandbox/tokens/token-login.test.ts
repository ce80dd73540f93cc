/** A wrong PIN is one, whatever the token answers afterwards. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { codes, Pkcs11Error } from '../pkcs11/codes.ts'
import { flags } from '../pkcs11/layout.ts'
import type { Pkcs11, TokenFields } from '../pkcs11/pkcs11.ts'
import { enterPin } from './token-login.ts'

const token = (flag: number): TokenFields => ({
  ...{ label: '', manufacturer: '', model: '', serialNumber: '', numbers: [], flags: flag },
  ...{ hardwareVersion: '1.0', firmwareVersion: '1.0' },
})

test.each([
  ['with attempts left', () => token(0), 'pin-wrong', undefined],
  ['with one attempt left', () => token(flags.pinFinalTry), 'pin-wrong', 1],
  ['that is blocked', () => token(flags.pinLocked), 'pin-blocked', 0],
  [
    'that answers nothing more',
    () => {
      throw new Pkcs11Error('C_GetTokenInfo', codes.CKR_DEVICE_ERROR)
    },
    'pin-wrong',
    undefined,
  ],
] as const)('a wrong PIN of a token %s', (_name, readToken, problem, triesLeft) => {
  proves('pin-attempt-confirmed')
  const pkcs11 = {
    readToken,
    login: () => {
      throw new Pkcs11Error('C_Login', codes.CKR_PIN_INCORRECT)
    },
  } as unknown as Pkcs11
  const slot = { slot: 1n, description: '', token: token(0) }
  const login = { session: 1n, slot, pin: Buffer.from('1234') }
  expect(() => enterPin(pkcs11, login, 1)).toThrow(expect.objectContaining({ problem, triesLeft }))
})
