/** The button that inserts and removes the virtual card, where there is no real reader. */
import type { Reader } from '@cardwire/client'
import { BackEndError, moveVirtualCard } from './back-end.ts'
import { announce, getElement } from './screens.ts'

/** Shows the button and the PIN; the returned function updates its text when the readers change. */
export function showVirtualCard(pin: string): (readers: readonly Reader[]) => void {
  const button = getElement('move-card')
  let inserted = false
  getElement('virtual-card').hidden = false
  getElement('virtual-pin').textContent = pin
  button.addEventListener('click', () => {
    moveVirtualCard(!inserted).catch((error) => {
      if (!(error instanceof BackEndError)) throw error
      announce(error.message)
    })
  })
  return (readers) => {
    inserted = readers.some(({ card }) => card !== undefined)
    // With a card in the reader, what the page is about comes next.
    button.classList.toggle('primary', !inserted)
    button.textContent = inserted ? 'Remove the virtual card' : 'Insert the virtual card'
  }
}
