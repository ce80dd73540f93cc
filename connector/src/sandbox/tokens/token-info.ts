/** What a token says of itself, in the words of CK_TOKEN_INFO. */
import type { TokenInfo } from '@cardwire/protocol/card-identity'
import { CardError } from '../card-modules/card-error.ts'
import type { Pkcs11 } from '../pkcs11/pkcs11.ts'
import type { TokenSlot } from './choose-slots.ts'

/** Of the first token of a reader. */
export function readTokenInfo(pkcs11: Pkcs11, slots: readonly TokenSlot[]): TokenInfo {
  const [first] = slots
  if (!first) throw new CardError('card-absent', 'Cannot use the token: it is no longer there')
  const { slot, description, token } = first
  const [
    ulMaxSessionCount = 0,
    ulSessionCount = 0,
    ulMaxRwSessionCount = 0,
    ulRwSessionCount = 0,
    ulMaxPinLen = 0,
    ulMinPinLen = 0,
    ulTotalPublicMemory = 0,
    ulFreePublicMemory = 0,
    ulTotalPrivateMemory = 0,
    ulFreePrivateMemory = 0,
  ] = token.numbers.map(toNumber)
  return {
    slot: description,
    label: token.label,
    manufacturerId: token.manufacturer,
    model: token.model,
    serialNumber: token.serialNumber,
    flags: token.flags,
    mechanisms: pkcs11.listMechanisms(slot).map((type) => `0x${type.toString(16).toUpperCase()}`),
    ulMaxSessionCount,
    ulSessionCount,
    ulMaxRwSessionCount,
    ulRwSessionCount,
    ulMaxPinLen,
    ulMinPinLen,
    ulTotalPublicMemory,
    ulFreePublicMemory,
    ulTotalPrivateMemory,
    ulFreePrivateMemory,
    hardwareVersion: token.hardwareVersion,
    firmwareVersion: token.firmwareVersion,
  }
}

/** CK_UNAVAILABLE_INFORMATION, all bits, is -1. */
const toNumber = (value: bigint): number =>
  value > BigInt(Number.MAX_SAFE_INTEGER) ? -1 : Number(value)
