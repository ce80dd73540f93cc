/** One stream of reader events: resumed after a break, and replaced by asking where the connector has none to give. */
import type { How } from './attempt.ts'
import type { Deadline } from './deadline.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError } from './error.ts'
import { eventReader } from './event-lines.ts'
import type { Ports } from './ports.ts'
import { CallFailure } from './protocol/call.ts'
import type { ReaderEvent } from './protocol/reader.ts'
import type { ReaderList } from './reader-list.ts'
import type { Session } from './session.ts'

/** The connector says something every five seconds; silence for four times as long is a break, in milliseconds. */
const silenceMs = 20_000
/** Milliseconds between two questions where the connector has no stream to give. */
const pollMs = 2000
/** Milliseconds before a broken stream is opened again: later and later, and after the last one it is over. */
const pausesMs = [100, 500, 1000, 2000, 4000, 8000, 15_000]
/** The number of a list that no stream gave: no stream can go on behind it. */
const unnumbered = -1

/** Follows until it cannot go on, and rejects with why. `list` holds what `tell` was told. */
export async function followReaders(
  session: Session,
  how: How,
  list: ReaderList,
  tell: (event: ReaderEvent) => void,
): Promise<never> {
  let breaks = 0

  /** What is there against what is known: a connector that was started again counts from the beginning. */
  const compare = async (): Promise<void> => {
    const readers = await session.ask(endpoints.listReaders, { query: {} }, how)
    const events: ReaderEvent[] = list.readers()
      ? list.changesTo(readers)
      : [{ type: 'snapshot', sequence: unnumbered, readers }]
    for (const event of events) tell(event)
  }
  const read = async (response: Response, deadline: Deadline): Promise<void> => {
    if (list.readers()) await compare()
    for await (const event of eventsIn(response)) {
      breaks = 0
      deadline.restart()
      if (event) tell(event)
      else list.settle()
    }
  }
  /** Milliseconds until the next turn. */
  const turn = async (): Promise<number> => {
    try {
      const query = { after: list.after() }
      await session.follow(
        endpoints.readerEvents,
        { query },
        { ...how, timeoutMs: silenceMs },
        read,
      )
      return pauseAfter(undefined, breaks)
    } catch (error) {
      if (!CardwireError.is(error) || error.problem !== 'too-many-requests') throw error
      await compare()
      breaks = 0
      return pollMs
    }
  }

  for (;;) {
    const pauseMs = await turn().catch((error) => pauseAfter(error, breaks))
    breaks += 1
    await pause(session.ports, pauseMs, how.signal)
  }
}

/** Throws what no waiting mends, and what has lasted too long. */
function pauseAfter(error: unknown, breaks: number): number {
  const pauseMs = pausesMs[breaks]
  if (pauseMs !== undefined && (error === undefined || mayPass(error))) return pauseMs
  throw error ?? new CardwireError({ code: '900', reason: 'answer-malformed' }, endless)
}

const endless = 'Cannot follow the readers: the connector ends every stream at once'

const mayPass = (error: unknown): boolean =>
  CardwireError.is(error) &&
  (['not-running', 'timeout', 'answer-malformed'].includes(error.reason) ||
    error.problem === 'pcsc-unavailable')

function pause({ after }: Pick<Ports, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      callOff()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const callOff = after(ms, end)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end)
  })
}

/** The events as they come; undefined for a sign of life. */
async function* eventsIn({ body }: Response): AsyncGenerator<ReaderEvent | undefined, void, void> {
  if (!body) return
  const reader = body.getReader()
  const take = eventReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      for (const data of take(decoder.decode(value, { stream: true }))) {
        yield data === undefined ? undefined : endpoints.readerEvent(JSON.parse(data))
      }
    }
  } catch (error) {
    throw new CallFailure('malformed', 'the stream of events broke off', error)
  } finally {
    // Whoever stops reading leaves no connection behind; one that broke has nothing to close.
    void reader.cancel().catch(() => undefined)
  }
}
