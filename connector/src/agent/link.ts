/** The bond of an API with the registry: finds it, starts one where there is none, hears questions and answers them. */
import type { Clock } from '../readers/clock.ts'
import type { Explanation } from '../registry/port.ts'
import type { Log } from '../system/log.ts'
import { openOutbox } from './outbox.ts'
import { type Line, Refused, type Sight, type Whose } from './pinned.ts'
import {
  type Answer,
  answerAgent,
  pollAgent,
  type Question,
  type Registration,
  registerAgent,
} from './protocol.ts'
import type { RegistryChild } from './registry-child.ts'
import { toldAllowlist } from './told-allowlist.ts'

export type LinkState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'linked'; readonly whose: Whose }
  /** Nobody listens, or somebody whom we cannot use; the reason says what to do. */
  | { readonly kind: 'absent' | 'foreign' | 'taken' | 'refused'; readonly reason: string }

export interface Link {
  state(): LinkState
  /** The process of the registry that we run; 0 when we run none. */
  pid(): number
  /** Tells the registry what has changed of us. */
  refresh(): void
  /** Ends, and with it the registry that we run. */
  stop(): Promise<void>
}

export interface LinkOptions {
  readonly line: Line
  readonly registration: () => Registration
  readonly answer: (question: Question) => Promise<Answer>
  /** Whether the registry is a service of this machine: then none is started here. */
  readonly isService: () => boolean
  /** undefined: others start it. */
  readonly start: (() => RegistryChild) | undefined
  /** What to say of a port that is not ours. */
  readonly explain: (sight: Exclude<Sight['kind'], 'known'>) => Promise<Explanation>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
}

/** Milliseconds. */
const pace = {
  /** Every API of this user waits a while of its own before it takes the port of a registry that is gone. */
  takeOverMs: 2000,
  /** Between two looks at a port that another program has. */
  takenMs: 5000,
  /** Between two looks at a service that does not answer, and after a failure. */
  againMs: 1000,
  /** A certificate that is renewed is in the file a moment before it is served. */
  secondLookMs: 500,
}

export function linkToRegistry(options: LinkOptions): Link {
  const { line, log, clock } = options
  let state: LinkState = { kind: 'starting' }
  let child: RegistryChild | undefined
  let session: string | undefined
  /** Whether the registry has heard, or is just hearing, what we are now. */
  let isTold = false
  let saidDropped = 0
  let stopped = false
  let wake = () => {}

  const pause = async (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = clock.after(ms, resolve)
    wake = resolve
    if (!stopped) await promise
    cancel()
  }

  /** Said once for each change. */
  const tell = (next: LinkState) => {
    if (Bun.deepEquals(state, next) || stopped) return
    state = next
    if (next.kind === 'linked') log.info('registry found', { whose: next.whose })
    else if (next.kind !== 'starting')
      log.warn('no registry', { state: next.kind, reason: next.reason })
  }

  const because = async (sight: Exclude<Sight['kind'], 'known'>) => {
    const { what, todo } = await options.explain(sight)
    return `${what}: ${todo}`
  }

  const registration = () => {
    const whole = options.registration()
    const { entries, dropped } = toldAllowlist(whole.allowlist)
    if (dropped > 0 && dropped !== saidDropped) {
      log.warn('entries of the allowlist not told to the registry', { dropped })
    }
    saidDropped = dropped
    return { ...whole, allowlist: [...entries] }
  }

  const register = async () => {
    isTold = true
    try {
      const answer = await line.post(registerAgent, registration())
      session = answer.session
      return answer.session
    } catch (error) {
      isTold = false
      throw error
    }
  }

  const send = openOutbox(async (answers) => {
    try {
      await line.post(answerAgent, { session: session ?? '', answers: [...answers] })
    } catch (error) {
      // Whoever asked hears that nobody answered.
      log.warn('answers not taken', { count: answers.length, reason: textOf(error) })
    }
  })

  const answer = async (question: Question) => {
    try {
      send(await options.answer(question))
    } catch (error) {
      log.error('question not answered', { kind: question.kind, reason: textOf(error) })
      send({ kind: 'no', id: question.id })
    }
  }

  /** As long as the registry answers. */
  async function serve(whose: Whose): Promise<void> {
    await register()
    tell({ kind: 'linked', whose })
    while (!stopped && !isInTheWay()) {
      // The session of before is good until then: answers are under way with it.
      const now = isTold && session !== undefined ? session : await register()
      try {
        const { questions } = await line.post(pollAgent, { session: now })
        for (const question of questions) void answer(question)
      } catch (error) {
        if (!(error instanceof Refused) || error.problem !== 'agent-unknown') throw error
        // It was restarted, or we have registered again meanwhile.
        if (session === now) session = undefined
      }
    }
  }

  /** A service was installed while we run a registry: it waits for the port. */
  const isInTheWay = () => child?.isAlive() === true && options.isService()

  async function takeOver(): Promise<void> {
    const { start } = options
    if (options.isService()) {
      tell({ kind: 'absent', reason: await because('absent') })
      return pause(pace.againMs)
    }
    if (!start) {
      tell({ kind: 'absent', reason: 'there is none: start one, cardwire registry' })
      return pause(pace.againMs)
    }
    // At the very start nobody else is expected.
    if (state.kind !== 'starting') await pause(options.random() * pace.takeOverMs)
    if (stopped || (await line.look()).kind !== 'absent') return
    await child?.stop()
    try {
      child = start()
    } catch (error) {
      const reason = `it cannot be started: ${textOf(error)}`
      log.error('registry not spawned', { reason: textOf(error) })
      tell({ kind: 'absent', reason })
      return pause(pace.takenMs)
    }
    log.info('registry started', { pid: child.pid })
    if (!(await child.listening)) await pause(pace.againMs)
  }

  async function turn(): Promise<void> {
    if (isInTheWay()) await child?.stop()
    const sight = await line.look()
    if (sight.kind === 'known') {
      try {
        return await serve(sight.whose)
      } catch (error) {
        session = undefined
        if (!(error instanceof Refused)) {
          tell({ kind: 'absent', reason: 'it ended, and another is looked for' })
          return pause(pace.againMs / 10)
        }
        tell({ kind: 'refused', reason: error.message })
        return pause(pace.takenMs)
      }
    }
    if (sight.kind === 'absent') return takeOver()
    if (child?.isAlive()) {
      // It is ours and does not speak: it hangs.
      if (sight.kind === 'other-program') return child.stop()
    }
    if (sight.kind === 'foreign' && state.kind !== 'foreign') {
      await pause(pace.secondLookMs)
      if ((await line.look()).kind !== 'foreign') return
    }
    const kind = sight.kind === 'foreign' ? 'foreign' : 'taken'
    tell({ kind, reason: await because(sight.kind) })
    return pause(pace.takenMs)
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await turn()
      } catch (error) {
        log.error('registry link failed', { reason: textOf(error) })
        await pause(pace.againMs)
      }
    }
  })()

  return {
    state: () => state,
    pid: () => (child?.isAlive() ? child.pid : 0),
    refresh() {
      isTold = false
      if (session === undefined) return
      // After the poll that is under way, it is tried again.
      register().catch((error) => log.warn('not registered again', { reason: textOf(error) }))
    },
    async stop() {
      stopped = true
      wake()
      line.close()
      await child?.stop()
      await running
      await child?.stop()
    },
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
