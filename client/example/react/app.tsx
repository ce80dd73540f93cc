/** A page in React: finds the connector, asks for consent, and shows the readers as they change. */
import type { CardService, Configuration, Reader } from '@cardwire/client'
import { describe } from '@cardwire/client/describe'
import { type Connect, useCardwire } from './use-cardwire.ts'
import { useReaders } from './use-readers.ts'

export interface AppProps {
  readonly connect: Connect
  readonly configuration: Configuration
}

export function App({ connect, configuration }: AppProps) {
  const { client, error, retry, askForConsent } = useCardwire(connect, configuration)
  const readers = useReaders(client)
  const shown = error ?? readers.error
  // A consent that ended later is asked for in the same way as the first one.
  const asking = shown?.client
  if (asking) {
    return (
      <main>
        <h1>Allow this site to use your card reader?</h1>
        <p role="status">{describe(shown)}</p>
        <button type="button" onClick={() => askForConsent(asking)}>
          Copy the code and continue
        </button>
      </main>
    )
  }
  if (shown) {
    return (
      <main>
        <h1>Can’t use your card reader</h1>
        <p role="status">{describe(shown)}</p>
        <button type="button" onClick={retry}>
          Try again
        </button>
      </main>
    )
  }
  return (
    <main>
      <h1>Your card readers</h1>
      <ReaderList readers={readers.readers} cardService={readers.cardService} />
    </main>
  )
}

interface ReaderListProps {
  readonly readers: readonly Reader[] | undefined
  readonly cardService: CardService | undefined
}

function ReaderList({ readers, cardService }: ReaderListProps) {
  if (!readers) return <p role="status">Looking for your card reader…</p>
  if (cardService?.state === 'down') {
    return <p role="status">This computer’s smart card service isn’t running.</p>
  }
  if (readers.length === 0) return <p role="status">Connect a card reader.</p>
  return (
    <ul>
      {readers.map(({ id, name, card }) => (
        <li key={id}>
          {name}: {card ? (card.description[0] ?? 'an unknown card') : 'no card'}
        </li>
      ))}
    </ul>
  )
}
