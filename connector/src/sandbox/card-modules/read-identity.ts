/** What a card says about its holder and about itself. */
import { TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import type { CardModule } from './card-module.ts'
import type { CardSession } from './card-session.ts'
import type { CardInfo, IdentityData, IdentityPart } from './identity.ts'

/** A part that cannot be read is left out; throws when none can be. */
export function readIdentity(
  session: CardSession,
  { id, identity }: CardModule,
  parts: readonly IdentityPart[],
): Partial<IdentityData> {
  if (!identity) throw createUnsupported(id, 'identity data')
  const failures: unknown[] = []
  const found = parts.flatMap((part) => {
    try {
      return [[part, identity.read(session, part)]]
    } catch (error) {
      if (!isUnreadable(error)) throw error
      failures.push(error)
      return []
    }
  })
  if (found.length === 0 && failures.length > 0) throw failures[0]
  return Object.fromEntries(found)
}

export function readInfo(session: CardSession, module: CardModule): CardInfo {
  if (!module.info) throw createUnsupported(module.id, 'information')
  return module.info(session)
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof TlvError || (error instanceof CardError && error.problem === 'card-mute')

const createUnsupported = (id: string, what: string): CardError =>
  new CardError('card-unsupported', `Cannot read the ${what}: cards of module "${id}" have none`)
