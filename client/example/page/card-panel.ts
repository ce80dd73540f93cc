/** The part of the page where a user signs in with the card in a reader, and signs a text and an order. */
import type { Card, CardwireClient, Reader } from '@cardwire/client'
import { signOut, type User } from './back-end.ts'
import { showOrderChecks, showSignatureChecks, showUserChecks } from './checks.ts'
import { describeError } from './describe-error.ts'
import { getElement, showMessage } from './screens.ts'
import { signInWithCard, signOrder, signText } from './use-card.ts'

export interface CardPanel {
  /** Shows what can be done with the cards that are in the readers now. */
  update(client: CardwireClient, readers: readonly Reader[]): void
}

const waiting =
  'Cardwire asks for your PIN in a separate window. If you don’t see it, look behind this one.'

/** `user` is who is signed in already. */
export function showCardPanel(user: User | null): CardPanel {
  let signedIn = user
  let card: Card | undefined
  let hint = ''
  let running: AbortController | undefined

  const show = () => {
    const isBusy = running !== undefined
    getElement('card-title').textContent = signedIn
      ? `Signed in as ${signedIn.name}`
      : 'Sign in with the card'
    getElement('card-hint').textContent = hint
    getElement('signed-in').hidden = signedIn === null
    getElement('sign-in-actions').hidden = signedIn !== null
    getElement('sign-out-actions').hidden = signedIn === null
    getElement('cancel-actions').hidden = !isBusy
    for (const id of ['sign-in', 'sign', 'sign-order']) {
      getElement(id).setAttribute('aria-disabled', String(isBusy || card === undefined))
    }
    if (!signedIn) return
    showUserChecks(signedIn)
    showOrder()
  }

  /** Does one thing with the card at a time, and says what became of it. */
  const run = async (act: (card: Card, signal: AbortSignal) => Promise<string>) => {
    if (running) return
    if (!card) return showText(hint)
    running = new AbortController()
    showText(waiting)
    show()
    try {
      showText(await act(card, running.signal))
    } catch (error) {
      showText(describeError(error), 'failed')
    } finally {
      running = undefined
      show()
    }
  }

  getElement('sign-in').addEventListener('click', () =>
    run(async (present, signal) => {
      signedIn = await signInWithCard(present, signal)
      show()
      getElement('card-title').focus()
      return 'You are signed in.'
    }),
  )
  getElement('sign-form').addEventListener('submit', (event) => {
    event.preventDefault()
    getElement('signed').hidden = true
    void run(async (present, signal) => {
      const { value } = getElement('text') as HTMLTextAreaElement
      showSignatureChecks(await signText(present, value, signal))
      getElement('signed').hidden = false
      return 'The text is signed, and the application has verified the signature.'
    })
  })
  getElement('sign-order').addEventListener('click', () => {
    getElement('signed-order').hidden = true
    void run(async (present, signal) => {
      showOrderChecks(await signOrder(present, signal))
      getElement('signed-order').hidden = false
      return 'The order is signed, and the application has verified the signature.'
    })
  })
  getElement('cancel').addEventListener('click', () => running?.abort())
  getElement('sign-out').addEventListener('click', async () => {
    running?.abort()
    await signOut()
    signedIn = null
    getElement('signed').hidden = true
    getElement('signed-order').hidden = true
    showText('You are signed out.')
    show()
    getElement('card-title').focus()
  })
  show()

  return {
    update(client, readers) {
      const usable = readers.find(({ card: found }) => found && found.modules.length > 0)
      card = usable && client.card(usable)
      hint = describeCards(readers, usable)
      show()
    },
  }
}

/** What a user has to do before a card can be used, or what happens when they do. */
function describeCards(readers: readonly Reader[], usable: Reader | undefined): string {
  if (usable) return 'Cardwire will ask for your PIN in a separate window. This page never sees it.'
  return readers.some(({ card }) => card !== undefined)
    ? 'Cardwire doesn’t support this card. Insert another one.'
    : 'Insert a card first.'
}

/** The browser loads it once; only who is signed in can see it. */
function showOrder(): void {
  const frame = getElement('order') as HTMLIFrameElement
  if (frame.src === '') frame.src = frame.dataset['src'] ?? ''
}

const showText = (text: string, how?: 'failed') => showMessage('card-message', text, how)
