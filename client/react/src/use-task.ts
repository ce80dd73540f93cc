/** One thing that a page does with a card at a time, as a state. */
import { type Card, CardwireError } from '@cardwire/client'
import { describe, describeCard, describeRejection } from '@cardwire/client/describe'
import { useEffect, useRef, useState } from 'react'
import { useShared } from './context.ts'
import { type CardState, useCard } from './use-card.ts'

/** What becomes of a task with a card. `text` is what to show the user, if anything; `run` is there if the card can be used now. */
export type CardTask<Result> =
  /** There is no card to do it with; `card` says why. */
  | {
      readonly status: 'unavailable'
      readonly card: Exclude<CardState, { status: 'present' }>
      readonly text: string
      readonly run?: undefined
    }
  /** Call `run` from a click: the user is asked for the PIN. */
  | { readonly status: 'ready'; readonly text: ''; readonly run: () => void }
  /** The user is asked in a window of Cardwire. */
  | {
      readonly status: 'pending'
      readonly text: string
      readonly cancel: () => void
      readonly run?: undefined
    }
  | {
      readonly status: 'done'
      readonly result: Result
      readonly text: ''
      readonly reset: () => void
      readonly run?: undefined
    }
  | {
      readonly status: 'failed'
      /** A `CardwireError`, or what your back end's request rejected with. */
      readonly error: unknown
      readonly text: string
      /** Undefined if there is no card to try again with. */
      readonly run: (() => void) | undefined
    }

type Outcome<Result> =
  | { readonly status: 'pending'; readonly controller: AbortController }
  | { readonly status: 'done'; readonly result: Result }
  | { readonly status: 'failed'; readonly error: unknown }

/** Runs `work` with the card, once at a time. It is canceled when the component goes. */
export function useTask<Result>(
  work: (card: Card, signal: AbortSignal) => Promise<Result>,
  readerId: string | undefined,
): CardTask<Result> {
  const { language } = useShared()
  const card = useCard(readerId)
  const [outcome, setOutcome] = useState<Outcome<Result>>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = (present: Card): void => {
    if (running.current && !running.current.signal.aborted) return
    const controller = new AbortController()
    running.current = controller
    setOutcome({ status: 'pending', controller })
    const end = (next: Outcome<Result> | undefined): void => {
      if (running.current !== controller) return
      running.current = undefined
      // What the page itself canceled has not failed.
      setOutcome(controller.signal.aborted ? undefined : next)
    }
    work(present, controller.signal).then(
      (result) => end({ status: 'done', result }),
      (error: unknown) => end({ status: 'failed', error }),
    )
  }
  const run = card.status === 'present' ? (): void => start(card.card) : undefined

  switch (outcome?.status) {
    case 'pending':
      return {
        status: 'pending',
        text: describeCard('pending', { language }),
        cancel: () => outcome.controller.abort(),
      }
    case 'done':
      return { ...outcome, text: '', reset: () => setOutcome(undefined) }
    case 'failed':
      return { ...outcome, text: toText(outcome.error, language), run }
    default:
      if (card.status === 'present')
        return { status: 'ready', text: '', run: () => start(card.card) }
      return { status: 'unavailable', card, text: toHint(card, language) }
  }
}

/** The connection has its own texts, in `<Connect>`. */
const toHint = (
  { status }: Exclude<CardState, { status: 'present' }>,
  language: string | undefined,
): string => (status === 'connecting' ? '' : describeCard(status, { language }))

/** What is no error of the library comes from the back end of the page: with a `reason` it rejected the card, otherwise it failed. */
function toText(error: unknown, language: string | undefined): string {
  if (!CardwireError.is(error) && error instanceof Error && 'reason' in error)
    return describeRejection(String(error.reason), { language })
  const shown = CardwireError.is(error)
    ? error
    : new CardwireError({ code: '199', reason: 'token-unavailable' }, 'Cannot reach the back end')
  return describe(shown, { language })
}
