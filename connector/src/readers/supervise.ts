/** Keeps a sandbox running, and what it says in memory. */
import type { Sight } from '../sandbox/messages.ts'
import { type Child, type End, type Pace, startChild, usualPace } from './child.ts'
import { type Clock, systemClock } from './clock.ts'
import { rememberPinpads } from './pinpads.ts'
import { readerIds } from './reader-id.ts'
import type { PcscState, Reader, Readers, Snapshot } from './readers.ts'

export interface SupervisorOptions {
  /** The program of the sandbox and its arguments. */
  readonly command: readonly string[]
  readonly log: (event: string, fields: Record<string, unknown>) => void
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  readonly pace?: Partial<Pace>
}

/** When the next sandbox starts, in milliseconds after the last ended: at once at first, then doubled up to the most. */
const respawnMs = { first: 100, most: 5000 }
/** A sandbox that lived this long was a good one, and its end is a new story. */
const goodMs = 10_000
/** How long the last sight is still told when the sandbox is gone, in milliseconds: the next one needs 100. */
const graceMs = 1000

export function superviseReaders(options: SupervisorOptions): Readers {
  const { log, clock = systemClock } = options
  const pace = { ...usualPace, ...options.pace }
  const listeners = new Set<(snapshot: Snapshot) => void>()
  /** Resolved once the present sandbox has said what it sees, or nothing is worth waiting for. */
  let word = Promise.withResolvers<void>()
  let spoke = false
  // Behind those of an earlier start: a page that resumes with a number of that one gets everything anew.
  let snapshot: Snapshot = { sequence: Date.now(), pcsc: starting, readers: [] }
  let sight: Sight | undefined
  let child: Child | undefined
  let stopped = false
  let failures = 0
  let spawnFailure: string | undefined
  let cancelGrace: (() => void) | undefined
  let cancelRespawn = () => {}
  let cancelWatch = () => {}

  const publish = (pcsc: PcscState, readers: readonly Reader[]) => {
    if (Bun.deepEquals([snapshot.pcsc, snapshot.readers], [pcsc, readers])) return
    snapshot = { sequence: snapshot.sequence + 1, pcsc, readers }
    for (const listener of [...listeners]) {
      try {
        listener(snapshot)
      } catch (error) {
        log('listener failed', { reason: error instanceof Error ? error.message : String(error) })
      }
    }
  }

  const pinpads = rememberPinpads({
    clock,
    ask: (reader) => child?.ask(reader) ?? Promise.resolve('unasked'),
    settled: () => show(),
  })

  /** Tells what is seen; a new reader only when its pinpad is known, or not worth waiting for. */
  const show = () => {
    if (!sight || stopped) return
    if (sight.kind === 'down') publish({ kind: 'down', code: sight.code, reason: sight.reason }, [])
    else {
      const ids = readerIds(sight.readers.map(({ name }) => name))
      const readers = sight.readers.flatMap(({ name, atr }) => {
        const pinpad = pinpads.of(name)
        const id = ids.get(name)
        if (pinpad === undefined || id === undefined) return []
        return [{ id, name, pinpad, ...(atr !== undefined && { card: { atr } }) }]
      })
      const complete = readers.length === sight.readers.length
      // The first word of a sandbox is told when it is whole: half of it would look as if readers had gone.
      if (complete || snapshot.pcsc.kind === 'up') publish({ kind: 'up' }, readers)
      if (!complete) return
    }
    speak()
  }

  const speak = () => {
    cancelGrace?.()
    cancelGrace = undefined
    spoke = true
    word.resolve()
  }

  const down = (code: string, reason: string) => {
    sight = undefined
    pinpads.present([])
    publish({ kind: 'down', code, reason }, [])
    speak()
  }

  const spawn = () => {
    const from = clock.now()
    try {
      child = startChild({
        command: options.command,
        ...(options.env && { env: options.env }),
        clock,
        pace,
        seen(next) {
          sight = next
          pinpads.present(next.kind === 'up' ? next.readers.map(({ name }) => name) : [])
          show()
        },
        ended: (end) => next(end, clock.now() - from),
      })
      spawnFailure = undefined
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== spawnFailure)
        log('sandbox not spawned', { command: options.command[0], reason })
      spawnFailure = reason
      child = undefined
      down('SANDBOX_NOT_SPAWNED', `The sandbox cannot be started: ${reason}`)
      again()
    }
  }

  const next = (end: End, livedMs: number) => {
    const pid = child?.pid
    child = undefined
    sight = undefined
    if (stopped) return
    log('sandbox ended', { pid, end, livedMs: Math.round(livedMs) })
    if (spoke) word = Promise.withResolvers()
    spoke = false
    if (livedMs > goodMs) failures = 0
    // Counted from the first of several that end without a word.
    cancelGrace ??= clock.after(graceMs, () => {
      const code = end === 'stuck' || end === 'silent' ? 'SANDBOX_STUCK' : 'SANDBOX_ENDED'
      down(code, meanings[code])
    })
    again()
  }

  const again = () => {
    const delay =
      failures === 0 ? 0 : Math.min(respawnMs.first * 2 ** (failures - 1), respawnMs.most)
    failures += 1
    cancelRespawn = clock.after(delay, spawn)
  }

  /** Whoever waits for changes does not look, so somebody looks for them. An idle sandbox is left alone. */
  const watchOver = () => {
    child?.check()
    cancelWatch = clock.after(pace.heartbeatMs, watchOver)
  }

  spawn()

  return {
    snapshot() {
      child?.check()
      return snapshot
    },
    async ready(timeoutMs) {
      child?.check()
      const late = Promise.withResolvers<void>()
      const cancel = clock.after(timeoutMs, late.resolve)
      await Promise.race([word.promise, late.promise])
      cancel()
    },
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) watchOver()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) cancelWatch()
      }
    },
    sandboxPid: () => child?.pid ?? 0,
    async stop() {
      stopped = true
      cancelGrace?.()
      cancelRespawn()
      cancelWatch()
      pinpads.stop()
      word.resolve()
      await child?.stop()
    },
  }
}

const starting: PcscState = {
  kind: 'down',
  code: 'SANDBOX_STARTING',
  reason: 'The sandbox is starting',
}

const meanings = {
  SANDBOX_STUCK:
    'The card service or a driver does not answer; the sandbox is started again and again',
  SANDBOX_ENDED: 'The sandbox ended; it is started again',
}
