/** Questions under way: each goes to one API, and only that one can answer it. */
import type { Answer, Question } from '../agent/protocol.ts'
import type { Clock } from '../readers/clock.ts'
import type { Log } from '../system/log.ts'
import type { Directory, Member } from './directory.ts'
import type { Mailbox } from './mailbox.ts'

/** How long an API may think, in milliseconds: it reads a clipboard within one second. */
export const answerMs = 3000
/** The same for one that let the last question pass: it shall not hold up every page. */
const silentMs = 300
/** Questions under way at once; what comes on top is answered as if everybody had said no. */
const mostQuestions = 20_000

type WithoutId<Q> = Q extends unknown ? Omit<Q, 'id'> : never
export type Matter = WithoutId<Question>

export interface Heard {
  readonly member: Member
  readonly answer: Answer
}

export interface Inquiries {
  /** Asks each member its question, all at once; resolves when all have answered, or time is up, with what was said. */
  ask(questions: readonly (readonly [Member, Matter])[]): Promise<readonly Heard[]>
  /** Takes answers of a member; says how many were waited for. */
  take(member: Member, answers: readonly Answer[]): number
}

interface Open {
  readonly member: Member
  readonly settle: (answer: Answer | undefined) => void
}

export function createInquiries(
  directory: Directory,
  clock: Clock,
  log: Pick<Log, 'warn'>,
): Inquiries {
  const open = new Map<string, Open>()
  /** Those who let a question pass and have answered none since. */
  const silent = new WeakSet<Mailbox>()

  directory.onGone((member) => {
    for (const one of [...open.values()]) if (isTo(one, member)) one.settle(undefined)
  })

  function put(member: Member, matter: Matter): Promise<Heard | undefined> {
    const id = crypto.randomUUID()
    const { promise, resolve } = Promise.withResolvers<Heard | undefined>()
    const wasSilent = silent.has(member.mailbox)
    const patienceMs = wasSilent ? silentMs : answerMs
    const cancel = clock.after(patienceMs, () => {
      if (!wasSilent) log.warn('agent silent', { agentId: member.agentId, kind: matter.kind })
      silent.add(member.mailbox)
      settle(undefined)
    })
    open.set(id, { member, settle })
    const takeOut = member.mailbox.put({ ...matter, id }, clock.now() + patienceMs)
    if (!takeOut) {
      log.warn('mailbox full', { agentId: member.agentId })
      settle(undefined)
    }
    return promise

    function settle(answer: Answer | undefined): void {
      cancel()
      open.delete(id)
      // Asked after its time, a person would let in a page that has heard of nobody.
      takeOut?.()
      resolve(answer && { member, answer })
    }
  }

  return {
    async ask(questions) {
      if (open.size + questions.length > mostQuestions) {
        log.warn('too many questions', { underWay: open.size })
        return []
      }
      const heard = await Promise.all(questions.map(([member, matter]) => put(member, matter)))
      return heard.filter((one) => one !== undefined)
    },
    take(member, answers) {
      silent.delete(member.mailbox)
      const expected = answers.filter(({ id }) => isTo(open.get(id), member))
      for (const answer of expected) open.get(answer.id)?.settle(answer)
      return expected.length
    },
  }
}

/** An API that registers again is another member with the same mailbox. */
const isTo = (one: Open | undefined, member: Member) => one?.member.mailbox === member.mailbox
