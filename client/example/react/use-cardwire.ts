/** A hook for React: the client of the user's connector, and what the page does to get one. */
import {
  type CardwireClient,
  CardwireError,
  type Configuration,
  copyCodeWord,
  type InitializeOptions,
  newCodeWord,
} from '@cardwire/client'
import { useEffect, useState } from 'react'

/** The `initialize` of the library, or that of a test. */
export type Connect = (
  configuration: Configuration,
  options: InitializeOptions,
) => Promise<CardwireClient>

export interface CardwireState {
  readonly client: CardwireClient | undefined
  readonly error: CardwireError | undefined
  /** Connects again; call it from a click, because the browser may ask the user. */
  readonly retry: () => void
  /** Copies a new code word and asks for consent with it; call it from a click, with the `client` of the error that asks for it. */
  readonly askForConsent: (asking: CardwireClient) => void
}

type Outcome =
  | { readonly client: CardwireClient }
  | { readonly error: CardwireError }
  | { readonly defect: unknown }

/** `configuration` has to be the same object in each rendering: `useMemo`, or a constant of the module. */
export function useCardwire(connect: Connect, configuration: Configuration): CardwireState {
  const [outcome, setOutcome] = useState<Outcome>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    const options = { signal: leaving.signal, mayPrompt: attempt > 0 }
    toOutcome(connect(configuration, options)).then((next) => {
      if (!leaving.signal.aborted) setOutcome(next)
    })
    return () => leaving.abort()
  }, [connect, configuration, attempt])

  if (outcome && 'defect' in outcome) throw outcome.defect
  const client = outcome && 'client' in outcome ? outcome.client : undefined
  const error = outcome && 'error' in outcome ? outcome.error : undefined
  return {
    client,
    error,
    retry: () => setAttempt((last) => last + 1),
    askForConsent: (asking) => void toOutcome(getConsent(asking)).then(setOutcome),
  }
}

async function getConsent(asking: CardwireClient): Promise<CardwireClient> {
  const codeWord = newCodeWord()
  await copyCodeWord(codeWord)
  return asking.getConsent(codeWord)
}

const toOutcome = (call: Promise<CardwireClient>): Promise<Outcome> =>
  call.then(
    (client) => ({ client }),
    (error: unknown) => (CardwireError.is(error) ? { error } : { defect: error }),
  )
