/** Sessions in which a page sends commands to a card: each is of one origin and one reader, and ends with what it depends on. */
import { Problem } from '@cardwire/client/protocol'
import type { Caller } from '../http/route-types.ts'
import { readName, refuseCommand, selectsApplication } from '../sandbox/card-modules/raw-command.ts'
import type { RawChannel } from '../sandbox/readers/raw-channel.ts'
import type { Clock } from '../system/clock.ts'
import { type AccessServices, createAccessWatch } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createGrantProblem } from './grant-problem.ts'

type PageCaller = Extract<Caller, { kind: 'page' }>

export interface RawCard {
  readonly caller: PageCaller
  readonly readerId: string
  /** The name of the reader. */
  readonly reader: string
  readonly atr: string
}

export interface RawSession {
  readonly id: string
  readonly protocol: RawChannel['protocol']
  /** Sends the commands one after the other. Throws a Problem, and sends none when one of them may not be sent in any state. */
  transmit(commands: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  /** Resets the card, after the commands that were sent before. */
  close(): Promise<void>
  /** Its page waits for its end: it does not end for want of commands. */
  hold(): void
  /** Ends it at once; the card is reset. */
  end(reason: string): void
  /** Resolves with the reason. */
  readonly ended: Promise<string>
}

type RawSessionServices = Pick<
  ApiServices,
  'readers' | 'cardAccess' | 'hasGrant' | 'grantedAids' | 'onGrants' | 'log'
> &
  AccessServices

/** No session is longer, in milliseconds: nobody else has the card meanwhile. */
const maxMs = 180_000

/** SELECT of an application by its name (ISO/IEC 7816-4 §7.1.1). */
const encodeSelect = (aid: Uint8Array): Uint8Array =>
  Uint8Array.of(0x00, 0xa4, 0x04, 0x00, aid.length, ...aid)

export function createRawSessions(services: RawSessionServices, timers: Pick<Clock, 'after'>) {
  const { readers, cardAccess, grantedAids, onGrants, log } = services
  const access = createAccessWatch(services)
  const sessions = new Map<string, { readonly card: RawCard; readonly session: RawSession }>()
  /** Readers, by name, whose card somebody has or is about to have. */
  const taken = new Set<string>()

  const requireGrant = ({ caller: { origin } }: Pick<RawCard, 'caller'>): readonly string[] => {
    const aids = services.hasGrant(origin, 'raw') ? grantedAids(origin) : []
    if (aids.length > 0) return aids
    throw createGrantProblem('Cannot send commands to the card', origin, 'raw', {
      aids: ['the applications that the page selects, as hex'],
    })
  }

  const requireAllowed = (card: RawCard, command: Uint8Array, isSelected: boolean): void => {
    const aids = requireGrant(card)
    const refusal = refuseCommand(command, aids, isSelected)
    if (!refusal) return
    if (refusal.kind === 'command') {
      throw new Problem('command-refused', `Cannot send the command: ${refusal.reason}`)
    }
    const refused = `Cannot send the command: ${refusal.reason}`
    throw createGrantProblem(refused, card.caller.origin, 'raw', { aids: [refusal.aid ?? ''] })
  }

  /** Calls back when the session has to end. `selected` is the application, upper-case hex. */
  const watch = (
    card: RawCard,
    selected: () => string | undefined,
    end: (reason: string) => void,
  ): (() => void) => {
    const { origin } = card.caller
    const isGranted = () => {
      const aid = selected()
      return (
        services.hasGrant(origin, 'raw') && (aid === undefined || grantedAids(origin).includes(aid))
      )
    }
    const stops = [
      access.onRevoked(card.caller, () => end('access')),
      onGrants(() => {
        if (!isGranted()) end('grant')
      }),
      readers.subscribe(({ readers: present }) => {
        const found = present.find(({ name }) => name === card.reader)
        if (found?.card?.atr !== card.atr) end('card')
      }),
      timers.after(maxMs, () => end('timeout')),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  const create = (card: RawCard, channel: RawChannel, idleMs: number): RawSession => {
    const id = crypto.randomUUID()
    const ended = Promise.withResolvers<string>()
    let selected: string | undefined
    let isHeld = false
    let last: Promise<unknown> = Promise.resolve()
    let stopIdle = (): void => undefined
    let unwatch = (): void => undefined
    let commands = 0
    const settle = (reason: string): boolean => {
      if (!sessions.delete(id)) return false
      unwatch()
      stopIdle()
      ended.resolve(reason)
      log.info('session with a card ended', { origin: card.caller.origin, reason, commands })
      return true
    }
    const end = (reason: string) => {
      if (settle(reason)) channel.kill()
    }
    const restart = () => {
      stopIdle()
      if (sessions.has(id) && !isHeld) stopIdle = timers.after(idleMs, () => end('timeout'))
    }
    const send = async (command: Uint8Array): Promise<Uint8Array> => {
      if (!sessions.has(id)) throw createUnknown()
      requireAllowed(card, command, selected !== undefined)
      commands += 1
      const answer = await channel.transmit(command)
      if (!sessions.has(id)) throw createUnknown()
      if (selectsApplication(command)) selected = isSuccess(answer) ? readName(command) : undefined
      return answer
    }
    const run = async (all: readonly Uint8Array[]): Promise<readonly Uint8Array[]> => {
      const answers: Uint8Array[] = []
      for (const command of all) answers.push(await send(command))
      return answers
    }
    const session: RawSession = {
      id,
      protocol: channel.protocol,
      ended: ended.promise,
      end,
      hold() {
        isHeld = true
        stopIdle()
      },
      transmit(all) {
        for (const command of all) requireAllowed(card, command, true)
        stopIdle()
        const turn = last.then(() => run(all))
        last = turn.then(restart, restart)
        return turn
      },
      async close() {
        await last
        if (settle('closed')) await channel.close().catch(() => channel.kill())
      },
    }
    sessions.set(id, { card, session })
    unwatch = watch(card, () => selected, end)
    // Its page has lost its access while it waited for the card.
    if (!sessions.has(id)) unwatch()
    void channel.ended.then(() => {
      taken.delete(card.reader)
      settle('card')
    })
    restart()
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
    requireGrant,
    /** Has the card; nobody else has it until the session ends. `idleMs`: without a command; `aid`: selected first. Throws a Problem. */
    async open(card: RawCard, idleMs: number, aid?: Uint8Array): Promise<RawSession> {
      requireGrant(card)
      if (aid) requireAllowed(card, encodeSelect(aid), false)
      const channel = await take(card.reader)
      const session = create(card, channel, Math.min(idleMs, maxMs))
      log.info('session with a card opened', { origin: card.caller.origin, reader: card.reader })
      if (aid) await select(session, aid)
      return session
    },
    /** That of this origin and reader alone. Throws `card-session-unknown`. */
    find({ origin }: PageCaller, readerId: string, id: string): RawSession {
      const found = sessions.get(id)
      if (found?.card.caller.origin === origin && found.card.readerId === readerId) {
        return found.session
      }
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

/** 9000, more of the answer to come, or a warning (ISO/IEC 7816-4 §5.6). */
const isSuccess = (answer: Uint8Array): boolean =>
  [0x90, 0x61, 0x62, 0x63].includes(answer.at(-2) ?? 0)

const createUnknown = () =>
  new Problem(
    'card-session-unknown',
    'Cannot go on: the session has ended, or is not one of this page',
  )
