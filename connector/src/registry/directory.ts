/** The APIs that have made themselves known: who they are, whose they are, and how long they are believed to live. */
import { randomBytes } from 'node:crypto'
import { Problem } from '@cardwire/client/protocol'
import { type Registration, times } from '../agent/protocol.ts'
import type { Clock } from '../readers/clock.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'

export interface Member extends Registration {
  /** Whose process it is, as the system names users; undefined where the system does not tell. */
  readonly user: string | undefined
  readonly mailbox: Mailbox
}

export interface Directory {
  /**
   * Answers with the session. Throws `caller-refused` for an agent that may be another user's, where the system does not
   * tell whose one of them is; `too-many-requests` when full.
   */
  register(registration: Registration, user: string | undefined): string
  /** Whose session it is. Throws `agent-unknown`, and `caller-refused` for another user's. */
  of(session: string, user: string | undefined): Member
  /**
   * Those who may be meant by whoever asks: of this user, where the system tells. Nobody speaks for another account,
   * nor hears its questions.
   */
  members(asker?: string): readonly Member[]
  /** Those of them that go by an agent id: one, or several of a user. Waits for the first where it may still come. */
  arrival(agentId: string, asker?: string): Promise<readonly Member[]>
  /** Calls back when an API is believed to be gone. */
  onGone(listener: (member: Member) => void): void
}

/** APIs at once, in all and of one user: a user who starts many leaves room for the others. */
export const mostMembers = { all: 200, ofUser: 100 } as const

const patience = {
  idleMs: times.idlePollMs,
  // Two polls missed.
  silentMs: 2 * times.requestMs,
  brokenMs: 2000,
}
/** How long after the start an API that is asked for may still come, in milliseconds: it looks again within two seconds. */
const settlingMs = 3000

export function createDirectory(clock: Clock): Directory {
  const started = clock.now()
  const members = new Map<string, Member>()
  const goneListeners: ((member: Member) => void)[] = []
  const waiting = new Map<string, (() => void)[]>()

  const meant = (asker: string | undefined) =>
    [...members.values()].filter(
      ({ user }) => user === undefined || asker === undefined || user === asker,
    )
  const named = (agentId: string, asker: string | undefined) =>
    meant(asker).filter((member) => member.agentId === agentId)

  /** Opens a mailbox; with its silence goes the member it belongs to by then. */
  function open(): Mailbox {
    const mailbox = openMailbox(clock, patience, () => {
      const gone = [...members].find(([, member]) => member.mailbox === mailbox)
      if (!gone) return
      const [session, member] = gone
      members.delete(session)
      mailbox.close()
      for (const listener of goneListeners) listener(member)
    })
    return mailbox
  }

  return {
    register(registration, user) {
      const { agentId, pid, port } = registration
      const named = [...members].filter(([, member]) => member.agentId === agentId)
      const same = named.filter(([, member]) => member.user === user)
      // Users that the system tells apart are asked apart: whoever took the id of another is in nobody's way.
      const others = named.filter(([, member]) => member.user !== user)
      if (others.some(([, member]) => user === undefined || member.user === undefined)) {
        throw new Problem('caller-refused', 'Cannot register: this agent belongs to another user')
      }
      const [before] = same.filter(([, member]) => member.pid === pid && member.port === port)
      const ofUser = [...members.values()].filter((member) => member.user === user)
      const full = members.size >= mostMembers.all || ofUser.length >= mostMembers.ofUser
      if (!before && full) {
        throw new Problem('too-many-requests', 'Cannot register: there are too many agents', {
          retryAfterS: 60,
        })
      }
      const session = randomBytes(32).toString('base64url')
      // What it is being asked stays asked.
      const mailbox = before?.[1].mailbox ?? open()
      if (before) members.delete(before[0])
      mailbox.release()
      members.set(session, { ...registration, user, mailbox })
      for (const arrived of waiting.get(agentId) ?? []) arrived()
      return session
    },
    of(session, user) {
      const member = members.get(session)
      if (!member) throw new Problem('agent-unknown', 'Cannot find this agent: register again')
      // The session is a secret of its process: where the system is silent, it is proof enough.
      if (user !== undefined && member.user !== undefined && user !== member.user) {
        throw new Problem('caller-refused', 'Cannot answer: this agent belongs to another user')
      }
      return member
    },
    members: meant,
    async arrival(agentId, asker) {
      const left = started + settlingMs - clock.now()
      if (named(agentId, asker).length > 0 || left <= 0) return named(agentId, asker)
      const { promise, resolve } = Promise.withResolvers<void>()
      const others = waiting.get(agentId) ?? []
      waiting.set(agentId, [...others, resolve])
      const cancel = clock.after(left, resolve)
      await promise
      cancel()
      const still = (waiting.get(agentId) ?? []).filter((one) => one !== resolve)
      if (still.length > 0) waiting.set(agentId, still)
      else waiting.delete(agentId)
      return named(agentId, asker)
    },
    onGone(listener) {
      goneListeners.push(listener)
    },
  }
}
