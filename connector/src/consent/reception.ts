/** What happens to a request for consent before the desk has it: most that must not cost a look ends here. */
import { createHash } from 'node:crypto'
import type { Log } from '../system/log.ts'
import { type ConsentDesk, type ConsentRequest, type Granted, isCodeWord, limits } from './desk.ts'
import { pace } from './pace.ts'

export interface ConsentParts {
  readonly desk: ConsentDesk
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  readonly log: Log
}

/** Answers that are remembered at once. */
const mostAnswers = 1000

interface Answer {
  readonly at: number
  readonly granted: Promise<Granted | undefined>
}

export function reception({ desk, clock, log }: ConsentParts) {
  const mayAsk = pace(limits.requestsPerMinute, clock)
  const answers = new Map<string, Answer>()

  /** Clients that heard nothing ask three times at once: that is one request. */
  function sameAnswer(key: string): Promise<Granted | undefined> | undefined {
    const now = clock()
    for (const [old, { at }] of answers) {
      const recent = at <= now && now - at < limits.sameAnswerMs
      if (!recent || answers.size > mostAnswers) answers.delete(old)
    }
    return answers.get(key)?.granted
  }

  return (request: ConsentRequest): Promise<Granted | undefined> => {
    if (!isCodeWord(request.codeWord)) return Promise.resolve(undefined)
    const key = keyOf(request)
    const known = sameAnswer(key)
    if (known !== undefined) return known
    // Nobody asks so often that another user's page is not heard.
    if (!mayAsk(`${request.user ?? ''} ${request.origin}`)) {
      log.warn('consent asked for too often', { origin: request.origin })
      return Promise.resolve(undefined)
    }
    const granted = desk.request(request)
    answers.set(key, { at: clock(), granted })
    // A failure is no answer.
    granted.catch(() => answers.delete(key))
    return granted
  }
}

/** Hashed, so that no code word stays in memory. */
const keyOf = ({ codeWord, origin, days, user }: ConsentRequest) =>
  createHash('sha256')
    .update(JSON.stringify([codeWord, origin, days, user]))
    .digest('base64')
