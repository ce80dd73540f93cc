/** How a request comes to a session with a card: its page, the grant, and a session that is open or one of its own. */
import { Problem } from '@cardwire/protocol/problem'
import type { CommandAnswer } from '@cardwire/protocol/remote-loading'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import { backgroundClock } from '../system/clock.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { findPresentCard } from './find-card.ts'
import type { RawSession } from './raw-session.ts'
import { createRawSessions } from './raw-sessions.ts'

export type RawUseServices = Parameters<typeof createRawSessions>[0] &
  Pick<ApiServices, 'counters'> &
  AccessServices

/** Seconds without a command. */
export const idleS = { min: 1, max: 180, normal: 30 } as const
const module = 'remoteloading'

interface Place {
  readonly reader: string
}
interface SessionBody {
  readonly sessionId?: string | null | undefined
}

export type RawUse = ReturnType<typeof createRawUse>

export function createRawUse(services: RawUseServices) {
  const { counters, log } = services
  const sessions = createRawSessions(services, backgroundClock)
  const count = createUseCounter(counters, log)(module)

  /** Everything here needs the grant, also what other operations tell every page. */
  const requirePage = (context: Context<ApiEnv>) => {
    const caller = context.get('caller')
    if (caller.kind !== 'page') {
      const message = 'Cannot send commands to the card without an origin: only pages have a grant'
      throw new Problem('page-unnamed', message)
    }
    sessions.requireGrant({ caller })
    return caller
  }

  const open = async (
    context: Context<ApiEnv>,
    { reader: readerId }: Place,
    timeout: number,
    aid?: Uint8Array,
  ) => {
    const caller = requirePage(context)
    const { reader, atr } = await findPresentCard(services, readerId)
    const idleMs = Math.min(Math.max(timeout, idleS.min), idleS.max) * 1000
    const session = await sessions.open({ caller, readerId, reader, atr }, idleMs, aid)
    count(context, 'card-commands')
    return session
  }

  /** With the session that the body names, or with one for this request. The page that goes meanwhile ends it. */
  const use = async (
    context: Context<ApiEnv>,
    place: Place,
    { sessionId }: SessionBody,
    toCommands: (session: RawSession) => readonly Uint8Array[],
  ): Promise<CommandAnswer[]> => {
    const caller = requirePage(context)
    context.env.keepOpen()
    const isOwn = sessionId === undefined || sessionId === null || sessionId === ''
    const session = isOwn
      ? await open(context, place, idleS.normal)
      : sessions.find(caller, place.reader, sessionId)
    const stop = endWithPage(context, session)
    try {
      const commands = toCommands(session)
      const answers = await session.transmit(commands)
      return commands.map((command, at) => toAnswer(command, answers[at] ?? new Uint8Array()))
    } finally {
      stop()
      if (isOwn) await session.close()
    }
  }

  return { requirePage, find: sessions.find, open, use }
}

/** Returns a function that stops watching. */
export function endWithPage({ req }: Context<ApiEnv>, session: RawSession): () => void {
  const { signal } = req.raw
  const end = () => session.end('page')
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  return () => signal.removeEventListener('abort', end)
}

function toAnswer(command: Uint8Array, answer: Uint8Array): CommandAnswer {
  const rx = toHex(answer.subarray(0, -2))
  return { sw: toHex(answer.slice(-2)), tx: toHex(command), ...(rx !== '' && { rx }) }
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
