/** What a card says about its holder and about itself. */
import { CardError } from './card-error.ts'
import type { CardModule } from './card-module.ts'
import type { CardSession } from './card-session.ts'
import type { CardInfo, IdentityData, IdentityPart } from './identity.ts'
import { createPartReader } from './read-parts.ts'

/** A part that cannot be read is left out; throws when none can be. */
export function readIdentity(
  session: CardSession,
  { id, identity }: CardModule,
  parts: readonly IdentityPart[],
): Partial<IdentityData> {
  if (!identity) throw createUnsupported(id, 'identity data')
  const reader = createPartReader()
  const found = parts.flatMap((part) => reader.read(() => [part, identity.read(session, part)]))
  reader.requireAny()
  return Object.fromEntries(found)
}

export function readInfo(session: CardSession, module: CardModule): CardInfo {
  if (!module.info) throw createUnsupported(module.id, 'information')
  return module.info(session)
}

const createUnsupported = (id: string, what: string): CardError =>
  new CardError('card-unsupported', `Cannot read the ${what}: cards of module "${id}" have none`)
