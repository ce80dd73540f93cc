/** The card that a request is about: its reader, and the module that handles it. */
import { Problem } from '@cardwire/protocol/problem'
import type { DescribedKey, DescribedModule } from '../sandbox/card-modules/card-module.ts'
import { cardModules, findCardModule } from '../sandbox/card-modules/card-modules.ts'
import type { TokenDescription } from '../system/ipc/token-messages.ts'
import type { ApiServices } from './api-services.ts'
import { isTokenModule, tokenModuleId } from './modules/token-module.ts'

export interface FoundCard {
  readonly module: DescribedModule
  /** The name of the reader. */
  readonly reader: string
  readonly atr: string
  /** Whether the reader has a key pad of some kind. */
  readonly pinpad: boolean
}

/** How long the first request after the start waits for the readers, in milliseconds. */
const readyTimeoutMs = 3000

/** Whether the card is one of the module's is found out by selecting its application, or by its library. */
export async function findCard(
  services: Pick<ApiServices, 'readers' | 'cardAccess'>,
  { module: id, reader: readerId }: { readonly module: string; readonly reader: string },
): Promise<FoundCard> {
  requireModuleName(id)
  const card = await findPresentCard(services, readerId)
  const module = findCardModule(id)
  if (module && card.atr === '') {
    const message = `Cannot use module "${id}": the reader is a token, which has no card`
    throw new Problem('card-unsupported', message)
  }
  if (module) return { module, ...card }
  if (!services.readers.findLibrary(card.reader)) throw createLibraryProblem(id)
  const { token } = await services.cardAccess.run(card.reader, { kind: 'describe-token' })
  return { module: toTokenModule(token), ...card }
}

export const createLibraryProblem = (module: string): Problem =>
  new Problem(
    'card-unsupported',
    `Cannot use module "${module}": the administrator has named no library for this card`,
  )

const toTokenModule = ({
  label,
  keys,
  keyTypes,
  hasAuthorities,
  signsPss,
}: TokenDescription): DescribedModule => ({
  id: tokenModuleId,
  cardName: label,
  keyTypes,
  info: {},
  ...(hasAuthorities && { chain: {} }),
  ...(signsPss && { signsPss }),
  keys: keys.map(
    ({ id, purpose, label: cardName, alsoSigns, authenticates, signs, pin }): DescribedKey => ({
      ...{ id, purpose, cardName, pin: pin && { ...pin, alphabet: 'printable' } },
      ...(alsoSigns && { alsoSigns }),
      ...(authenticates && { authenticates }),
      ...(signs === false && { signs }),
    }),
  ),
})

/** Of whatever kind it is. */
export async function findPresentCard(
  { readers }: Pick<ApiServices, 'readers'>,
  readerId: string,
): Promise<Omit<FoundCard, 'module'>> {
  await readers.ready(readyTimeoutMs)
  const find = () => readers.snapshot().readers.find(({ id }) => id === readerId)
  if (!find()) await readers.findTokens()
  const reader = find()
  const { pcsc } = readers.snapshot()
  if (!reader && pcsc.kind === 'down') {
    throw new Problem('pcsc-unavailable', `Cannot use the card: ${pcsc.reason}`, { retryAfterS: 2 })
  }
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

/** A module that we do not have is no missing route: legacy clients would say that nothing is installed. */
export function requireModuleName(id: string): void {
  if (isTokenModule(id) || findCardModule(id)) return
  const known = [...cardModules.map((one) => one.id), tokenModuleId].join(', ')
  throw new Problem(
    'card-unsupported',
    `Cannot use module "${id}": this connector has none of this name for cards, expected one of ${known}`,
  )
}

export function requireKey({ keys }: DescribedModule, id: string): DescribedKey {
  const key = keys.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (key) return key
  const known = keys.map((one) => one.id).join(', ')
  throw new Problem('key-unknown', `Cannot find key "${id}": expected one of ${known}`, {
    errors: [{ path: 'id', message: `expected one of ${known}` }],
  })
}
