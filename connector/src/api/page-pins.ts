/** PINs that pages send: of origins with the grant alone, and none a second time after the card has refused it. */

import { createHmac, randomBytes } from 'node:crypto'
import { Problem } from '@cardwire/protocol/problem'
import type { Caller } from '../http/route-types.ts'
import type { DescribedKey } from '../sandbox/card-modules/card-module.ts'
import { readPagePin } from '../user/dialogs/page-pin.ts'
import type { ApiServices } from './api-services.ts'
import { isRefusedPin, toPinName } from './card-pins.ts'
import type { FoundCard } from './find-card.ts'

export interface PagePin {
  /** The caller overwrites it. */
  readonly pin: Uint8Array
  /** Called once, with what the card made of it: the error of the operation, or nothing. */
  settle(error?: unknown): void
}

export interface PagePinRequest {
  readonly caller: Caller
  readonly card: FoundCard
  readonly key: DescribedKey
  /** As the page sent it. */
  readonly text: string | null | undefined
  readonly triesLeft: number | undefined
}

type PagePinServices = Pick<ApiServices, 'readers' | 'hasGrant' | 'deviceEncryptionKey'>

/** Refused PINs of one insertion; a page that has more of them has none left. */
const maxRefused = 100

export function createPagePins({ readers, hasGrant, deviceEncryptionKey }: PagePinServices) {
  /** By reader, while its card is there: what a PIN is known by, and whether it was refused or is being sent. */
  const known = new Map<string, Map<string, 'sent' | 'refused'>>()
  // Of this start alone, so that nobody finds the PIN to what was kept.
  const secret = randomBytes(32)
  const identify = ({ module }: FoundCard, key: DescribedKey, pin: Uint8Array) =>
    createHmac('sha256', secret)
      .update(`${toPinName(module, key)}\0`)
      .update(pin)
      .digest('base64')

  readers.subscribe(({ readers: present }) => {
    for (const name of known.keys()) {
      if (!present.some((reader) => reader.name === name && reader.card)) known.delete(name)
    }
  })

  /** undefined: the page sent none, or may not. Throws a Problem when it cannot be sent to the card. */
  return ({ caller, card, key, text, triesLeft }: PagePinRequest): PagePin | undefined => {
    if (caller.kind !== 'page' || !text || !key.pin) return undefined
    if (!hasGrant(caller.origin, 'page-pin')) return undefined
    const pin = readPagePin(text, key.pin, deviceEncryptionKey.decrypt)
    if (!pin) {
      throw new Problem(
        'pin-invalid',
        'Cannot use the PIN of the page: its length or characters are not valid for this card',
      )
    }
    const id = identify(card, key, pin)
    const pins = known.get(card.reader) ?? new Map<string, 'sent' | 'refused'>()
    known.set(card.reader, pins)
    const state = pins.size < maxRefused ? pins.get(id) : 'refused'
    if (state !== undefined) {
      pin.fill(0)
      throw state === 'refused' ? createRefusedProblem(triesLeft) : createBusyProblem()
    }
    pins.set(id, 'sent')
    return {
      pin,
      settle(error) {
        if (isRefusedPin(error)) pins.set(id, 'refused')
        else pins.delete(id)
      },
    }
  }
}

const createRefusedProblem = (triesLeft: number | undefined) =>
  new Problem(
    'pin-wrong',
    'Cannot send this PIN again: the card rejected this PIN. It isn’t tried again until the card is removed',
    triesLeft === undefined ? {} : { triesLeft },
  )

const createBusyProblem = () =>
  new Problem(
    'pin-busy',
    'Cannot send this PIN now: it is already being sent; wait for the response',
  )
