/** The sessions in which pages send commands to cards: each is of one origin and one reader, and ends with what it depends on. */
import { Problem } from '@cardwire/protocol/problem'
import type { PageCaller } from '../http/route-types.ts'
import type { RawChannel } from '../sandbox/readers/raw-channel.ts'
import type { Clock } from '../system/clock.ts'
import type { ApiServices } from './api-services.ts'
import {
  createRawSession,
  createUnknown,
  isSuccess,
  type RawCard,
  type RawSession,
} from './raw-session.ts'
import { createRawRules, maxMs, type RawRuleServices } from './raw-session-rules.ts'

type RawSessionServices = Pick<ApiServices, 'cardAccess' | 'log'> & RawRuleServices

/** SELECT of an application by its name (ISO/IEC 7816-4 §7.1.1). */
const encodeSelect = (aid: Uint8Array): Uint8Array =>
  Uint8Array.of(0x00, 0xa4, 0x04, 0x00, aid.length, ...aid)

export function createRawSessions(services: RawSessionServices, timers: Pick<Clock, 'after'>) {
  const { cardAccess, log } = services
  const rules = createRawRules(services, timers)
  const sessions = new Map<string, { readonly card: RawCard; readonly session: RawSession }>()
  /** Readers, by name, whose card somebody has or is about to have. */
  const taken = new Set<string>()

  const create = (card: RawCard, channel: RawChannel, idleMs: number): RawSession => {
    const { origin } = card.caller
    void channel.ended.then(() => taken.delete(card.reader))
    const session = createRawSession({
      ...{ channel, idleMs, timers },
      requireAllowed: (command, isSelected) => rules.requireAllowed(card, command, isSelected),
      watch: (selected, end) => rules.watch(card, selected, end),
      onEnd: (reason, commands) =>
        log.info('session with a card ended', { origin, reason, commands }),
    })
    sessions.set(session.id, { card, session })
    void session.ended.then(() => sessions.delete(session.id))
    return session
  }

  const take = async (reader: string): Promise<RawChannel> => {
    if (taken.has(reader)) {
      throw new Problem('card-busy', 'Cannot use the card: a page has a session with it')
    }
    taken.add(reader)
    try {
      return await cardAccess.openRaw(reader)
    } catch (error) {
      taken.delete(reader)
      throw error
    }
  }

  return {
    requireGrant: rules.requireGrant,
    /** Has the card; nobody else has it until the session ends. `idleMs`: without a command; `aid`: selected first. Throws a Problem. */
    async open(card: RawCard, idleMs: number, aid?: Uint8Array): Promise<RawSession> {
      rules.requireGrant(card)
      if (aid) rules.requireAllowed(card, encodeSelect(aid), false)
      const channel = await take(card.reader)
      const session = create(card, channel, Math.min(idleMs, maxMs))
      log.info('session with a card opened', { origin: card.caller.origin, reader: card.reader })
      if (aid) await select(session, aid)
      return session
    },
    /** Only that of this origin and reader, while the consent that it was opened with is active. Throws `card-session-unknown`. */
    find({ origin }: PageCaller, readerId: string, id: string): RawSession {
      const found = sessions.get(id)
      const isOwn = found?.card.caller.origin === origin && found.card.readerId === readerId
      if (isOwn && rules.hasAccess(found.card)) return found.session
      throw createUnknown()
    },
  }
}

async function select(session: RawSession, aid: Uint8Array): Promise<void> {
  const [answer = new Uint8Array()] = await session.transmit([encodeSelect(aid)])
  if (isSuccess(answer)) return
  await session.close()
  throw new Problem('card-unsupported', 'Cannot use the card: it has no such application')
}
