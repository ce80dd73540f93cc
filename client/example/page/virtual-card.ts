/** The card that the person inserts and removes with a button, where there is no real reader. */
import type { Reader } from '@cardwire/client'
import { BackEndError, moveVirtualCard } from './back-end.ts'
import { element, say } from './screens.ts'

/** Offers the button; it says what it will do as soon as the reader is seen to have changed. */
export function openVirtualCard(): (readers: readonly Reader[]) => void {
  const button = element('move-card')
  let inserted = false
  element('virtual-card').hidden = false
  button.addEventListener('click', () => {
    moveVirtualCard(!inserted).catch((error) => {
      if (!(error instanceof BackEndError)) throw error
      say(error.message)
    })
  })
  return (readers) => {
    inserted = readers.some(({ card }) => card !== undefined)
    button.textContent = inserted ? 'Remove the virtual card' : 'Insert the virtual card'
  }
}
