/** A hook for React: the readers of the user in front of the page, kept up to date while the component is shown. */
import { type CardService, type CardwireClient, CardwireError, type Reader } from '@cardwire/client'
import { useEffect, useState } from 'react'

export interface ReadersState {
  /** undefined: not known yet. */
  readonly readers: readonly Reader[] | undefined
  /** Whether the card service of the machine works. */
  readonly cardService: CardService | undefined
  /** Why there are no more changes. */
  readonly error: CardwireError | undefined
}

const unknown: ReadersState = { readers: undefined, cardService: undefined, error: undefined }

/** Follows `client.readerEvents()` until the component goes or gets another client; without a client it waits. */
export function useReaders(client: CardwireClient | undefined): ReadersState {
  const [state, setState] = useState(unknown)
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  // What React catches with an error boundary: a defect of the page.
  if (failure) throw failure.error
  useEffect(() => {
    setState(unknown)
    if (!client) return
    const leaving = new AbortController()
    follow(client, leaving.signal, setState).catch((error: unknown) => {
      if (leaving.signal.aborted) return
      if (CardwireError.is(error)) setState((last) => ({ ...last, error }))
      else setFailure({ error })
    })
    return () => leaving.abort()
  }, [client])
  return state
}

async function follow(
  client: CardwireClient,
  signal: AbortSignal,
  setState: (update: (last: ReadersState) => ReadersState) => void,
): Promise<void> {
  for await (const change of client.readerEvents({ signal })) {
    if (signal.aborted) return
    setState((last) => ({
      readers: change.readers,
      cardService: change.type === 'snapshot' ? change.cardService : last.cardService,
      error: undefined,
    }))
  }
}
