/** A page in React: the steps to the user's card readers, and then the readers and a signature. */
import { CardwireBoundary, Connect, useReaders, useSign } from '@cardwire/react'
import type { ReactNode } from 'react'

export function App({ children }: { readonly children?: ReactNode }) {
  return (
    <main>
      <h1>Card readers</h1>
      <CardwireBoundary className="step">
        <Connect className="step">
          <ReaderList />
          <Signature text="Two tickets for Saturday" />
          {children}
        </Connect>
      </CardwireBoundary>
    </main>
  )
}

function ReaderList() {
  const state = useReaders()
  if (state.status === 'connecting') return null
  if (state.status === 'card-service-down') {
    return <p role="status">This computer’s smart card service isn’t running.</p>
  }
  if (state.readers.length === 0) return <p role="status">Connect a card reader.</p>
  return (
    <ul className={state.stale ? 'stale' : ''}>
      {state.readers.map(({ id, name, card }) => (
        <li key={id}>
          {name}: {card ? (card.description[0] ?? 'an unknown card') : 'no card'}
        </li>
      ))}
    </ul>
  )
}

function Signature({ text }: { readonly text: string }) {
  const state = useSign({
    async prepare() {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
      return { hash: 'SHA-256', digest: new Uint8Array(digest) }
    },
    // Your application sends it to its back end here.
    complete: async ({ signature }) => signature,
  })
  return (
    <>
      <p role="status">{state.status === 'done' ? `Signed: ${text}` : state.text}</p>
      {state.status === 'pending' && (
        <button type="button" onClick={state.cancel}>
          Cancel
        </button>
      )}
      {state.run && (
        <button type="button" onClick={state.run}>
          Sign “{text}”
        </button>
      )}
    </>
  )
}
