/** The card that a request is about: its reader, and the module that handles it. */
import { Problem } from '@cardwire/client/protocol'
import type { CardKey, CardModule } from '../card-modules/card-module.ts'
import { cardModules } from '../card-modules/card-modules.ts'
import type { Services } from './services.ts'

export interface FoundCard {
  readonly module: CardModule
  /** The name of the reader. */
  readonly reader: string
  readonly atr: string
  /** Whether the reader has a key pad of some kind. */
  readonly pinpad: boolean
}

/** How long the first request after the start waits for the readers, in milliseconds. */
const readyTimeoutMs = 3000

/** Whether the card is one of the module's is found out by selecting its application. */
export async function findCard(
  { readers }: Pick<Services, 'readers'>,
  { module: id, reader: readerId }: { readonly module: string; readonly reader: string },
): Promise<FoundCard> {
  const module = requireCardModule(id)
  return { module, ...(await findPresentCard({ readers }, readerId)) }
}

/** Of whatever kind it is. */
export async function findPresentCard(
  { readers }: Pick<Services, 'readers'>,
  readerId: string,
): Promise<Omit<FoundCard, 'module'>> {
  await readers.ready(readyTimeoutMs)
  const { pcsc, readers: present } = readers.snapshot()
  if (pcsc.kind === 'down') {
    throw new Problem('pcsc-unavailable', `Cannot use the card: ${pcsc.reason}`, { retryAfterS: 2 })
  }
  const reader = present.find((one) => one.id === readerId)
  if (!reader) {
    throw new Problem(
      'reader-unknown',
      `Cannot find reader "${readerId}": it is not there, list the readers again`,
    )
  }
  if (!reader.card) {
    throw new Problem('card-absent', 'Cannot use the card: there is none in the reader')
  }
  const { name, pinpad, card } = reader
  return { reader: name, atr: card.atr, pinpad }
}

/** A module that we do not have is no missing route: deployed clients would say that nothing is installed. */
export function requireCardModule(id: string): CardModule {
  const module = cardModules.find((one) => one.id === id)
  if (module) return module
  const known = cardModules.map((one) => one.id).join(', ')
  throw new Problem(
    'card-unsupported',
    `Cannot use module "${id}": this connector has none of this name for cards, expected one of ${known}`,
  )
}

export function requireKey({ keys }: CardModule, id: string): CardKey {
  const key = keys.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (key) return key
  const known = keys.map((one) => one.id).join(', ')
  throw new Problem('key-unknown', `Cannot find key "${id}": expected one of ${known}`, {
    errors: [{ path: 'id', message: `expected one of ${known}` }],
  })
}
