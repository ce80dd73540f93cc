/** The PIN that a card process keeps for further signatures of one page: for some time, some signatures, and one key. */

import { type CardOperation, keptPinLimits } from '../system/ipc/card-messages.ts'
import { CardError } from './card-modules/card-error.ts'
import { createSecretBytes } from './card-modules/secret-bytes.ts'

type Signing = Extract<CardOperation, { kind: 'sign' }>

export interface KeptPin {
  /** The PIN for this signature; throws `pin-timeout` where none is kept for it. It stays the property of this object. */
  take(id: string, operation: CardOperation): Uint8Array
  /** Keeps a copy of the PIN that has just signed, in place of another. */
  keep(id: string, operation: CardOperation, pin: Uint8Array): void
  /** Overwrites the PIN. */
  forget(): void
}

export interface KeptPinClocks {
  /** Milliseconds on a clock that never goes back, and may stand while the machine sleeps. */
  readonly monotonic: () => number
  /** Milliseconds since 1970. */
  readonly wall: () => number
}

interface Kept {
  readonly id: string
  readonly use: string
  readonly pin: Uint8Array
  left: number
  last: { readonly monotonic: number; readonly wall: number }
}

export function createKeptPin({ monotonic, wall }: KeptPinClocks): KeptPin {
  let kept: Kept | undefined
  const now = () => ({ monotonic: monotonic(), wall: wall() })
  const isFresh = ({ last }: Kept) => {
    const elapsedMs = [monotonic() - last.monotonic, wall() - last.wall]
    return elapsedMs.every((ms) => ms >= 0 && ms <= keptPinLimits.idleMs)
  }
  const forget = () => {
    kept?.pin.fill(0)
    kept = undefined
  }
  return {
    forget,
    take(id, operation) {
      const count = countDigests(operation)
      if (kept?.id === id && kept.use === describeUse(operation) && isFresh(kept)) {
        if (kept.left >= count) {
          kept.left -= count
          kept.last = now()
          return kept.pin
        }
      }
      forget()
      throw new CardError('pin-timeout', 'Cannot sign: the PIN is no longer kept')
    },
    keep(id, operation, pin) {
      forget()
      const copy = createSecretBytes(pin.length)
      copy.set(pin)
      const left = keptPinLimits.signatures - countDigests(operation)
      kept = { id, use: describeUse(operation), pin: copy, left, last: now() }
    },
  }
}

const isSigning = (operation: CardOperation): operation is Signing => operation.kind === 'sign'

const countDigests = (operation: CardOperation): number =>
  isSigning(operation) ? operation.digests.length : Number.POSITIVE_INFINITY

/** The key of one card. */
const describeUse = (operation: CardOperation): string =>
  isSigning(operation)
    ? [operation.module, operation.key, operation.certificate].join(' ')
    : operation.kind
