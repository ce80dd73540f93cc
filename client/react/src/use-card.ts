/** A hook for the card that the user has inserted. */
import type { Card, Reader } from '@cardwire/client'
import type { ConnectionState } from '@cardwire/client/connection'
import { useMemo } from 'react'
import { useConnection } from './use-connection.ts'

/** What there is of a card. */
export type CardState =
  /** The page cannot use readers yet: `<Connect>` shows why. */
  | {
      readonly status: 'connecting'
      readonly connection: Exclude<ConnectionState, { status: 'ready' }>
    }
  /** The computer's smart card service isn't running. */
  | { readonly status: 'card-service-down'; readonly reason: string | undefined }
  /** Ask the user to connect a reader. */
  | { readonly status: 'no-reader' }
  /** Ask the user to insert a card. */
  | { readonly status: 'no-card'; readonly readers: readonly Reader[] }
  /** Ask for another card: the connector has no module for this one. */
  | { readonly status: 'unsupported'; readonly reader: Reader }
  | {
      readonly status: 'present'
      readonly reader: Reader
      readonly card: Card
      /** Whether the card may be gone, because the connector gives no sign of life. */
      readonly stale: boolean
    }

/** The first card that can be used, or the card in the reader with this ID. */
export function useCard(readerId?: string): CardState {
  const connection = useConnection()
  return useMemo(() => toCardState(connection, readerId), [connection, readerId])
}

function toCardState(connection: ConnectionState, readerId: string | undefined): CardState {
  if (connection.status !== 'ready') return { status: 'connecting', connection }
  const { client, cardService, stale } = connection
  if (cardService?.state === 'down')
    return { status: 'card-service-down', reason: cardService.reason }
  const readers = connection.readers.filter(({ id }) => readerId === undefined || id === readerId)
  if (readers.length === 0) return { status: 'no-reader' }
  const full = readers.filter(({ card }) => card !== undefined)
  const reader = full.find(({ card }) => card?.modules.length) ?? full[0]
  if (!reader) return { status: 'no-card', readers }
  if (!reader.card?.modules.length) return { status: 'unsupported', reader }
  return { status: 'present', reader, card: client.card(reader), stale }
}
