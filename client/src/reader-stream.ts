/** Follows the connector's stream of reader events: resumes it when it breaks, and polls where the connector allows no more streams. */

import { CallFailure } from '@cardwire/protocol/call'
import { parseFlatJson } from '@cardwire/protocol/parse-flat-json'
import type { CardService, Reader, ReaderEvent } from '@cardwire/protocol/reader'
import { type Deadline, startDeadline } from './deadline.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError } from './error.ts'
import { createEventParser } from './event-stream.ts'
import type { Ports } from './ports.ts'
import type { ReaderList } from './reader-list.ts'
import type { RequestTarget } from './request.ts'
import type { Session } from './session.ts'

/** A stream that is silent for this long is broken. */
const silenceTimeoutMs = 20_000
/** The milliseconds between two comments of the connector; one without the header sends a comment every five seconds. */
const heartbeatHeader = 'cardwire-heartbeat'
const defaultHeartbeatMs = 5000
/** After so many times without a sign of life, what is known of the readers is stale. */
const missedBeats = 3
/** Milliseconds between two requests where the connector allows no more streams. */
const pollMs = 2000
/** Milliseconds before a broken stream is opened again, longer each time; after the last one it is given up. */
const pausesMs = [100, 500, 1000, 2000, 4000, 8000, 15_000]
/** The sequence number of a list that came from no stream: a stream cannot resume after it. */
const noSequence = -1

/**
 * Follows until that is no longer possible, and rejects with the reason. `onEvent` applies each event to `list`; `onStale` says again and
 * again whether the list may be out of date.
 */
export async function followReaders(
  session: Session,
  target: RequestTarget,
  list: ReaderList,
  onEvent: (event: ReaderEvent) => void,
  onStale: (stale: boolean) => void,
): Promise<never> {
  let breaks = 0
  let cancelStale = (): void => undefined

  const beat = (everyMs: number): void => {
    cancelStale()
    onStale(false)
    cancelStale = session.ports.schedule(missedBeats * everyMs, () => onStale(true))
  }

  /** Lists the readers and emits what differs: a connector that was restarted counts its events from the beginning. */
  const refresh = async (): Promise<void> => {
    const { readers, cardService } = await session
      .call(endpoints.listReaders, { query: {} }, target)
      .then((readers) => ({ readers, cardService: { state: 'up' } as const }), toCardServiceDown)
    // A list whose connector does not say the state came from a card service that works.
    const isKnown = list.readers() && (list.cardService()?.state ?? 'up') === cardService.state
    const events: ReaderEvent[] = isKnown
      ? list.diff(readers)
      : [{ type: 'snapshot', sequence: noSequence, readers, cardService }]
    for (const event of events) onEvent(event)
  }
  const readStream = async (response: Response, deadline: Deadline): Promise<void> => {
    const beatMs = Number(response.headers.get(heartbeatHeader)) || defaultHeartbeatMs
    if (list.readers()) {
      await refresh()
      beat(beatMs)
    }
    for await (const event of readEvents(response)) {
      breaks = 0
      beat(beatMs)
      deadline.restart()
      if (event) onEvent(event)
      else list.markComplete()
    }
  }
  /** Reads one stream to its end; resolves with the milliseconds until the next one. */
  const followOnce = async (): Promise<number> => {
    try {
      await session.stream(
        endpoints.readerEvents,
        { query: { after: list.resumeAfter() } },
        { ...target, timeoutMs: silenceTimeoutMs },
        readStream,
      )
      return getPauseMs(undefined, breaks)
    } catch (error) {
      if (!CardwireError.is(error) || error.problem !== 'too-many-requests') throw error
      await refresh()
      beat(pollMs)
      breaks = 0
      return pollMs
    }
  }

  try {
    for (;;) {
      const pauseMs = await followOnce().catch((error) => {
        if (CardwireError.is(error) && error.reason === 'not-running') onStale(true)
        return getPauseMs(error, breaks)
      })
      breaks += 1
      await sleep(session.ports, pauseMs, target.signal)
    }
  } finally {
    cancelStale()
  }
}

/** Without the card service there are no readers. Throws any other error. */
function toCardServiceDown(error: unknown): { readers: Reader[]; cardService: CardService } {
  if (!CardwireError.is(error) || error.problem !== 'pcsc-unavailable') throw error
  return { readers: [], cardService: { state: 'down', reason: error.description } }
}

/** Throws an error that does not pass by itself, and one that has lasted too long. */
function getPauseMs(error: unknown, breaks: number): number {
  const pauseMs = pausesMs[breaks]
  if (pauseMs !== undefined && (error === undefined || isTransient(error))) return pauseMs
  throw error ?? new CardwireError({ code: '900', reason: 'answer-malformed' }, noStreamMessage)
}

const noStreamMessage = 'Cannot watch the readers: every stream ends at once'

const isTransient = (error: unknown): boolean =>
  CardwireError.is(error) && ['not-running', 'timeout', 'answer-malformed'].includes(error.reason)

async function sleep(ports: Ports, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const deadline = startDeadline(ports, ms, signal)
  if (!deadline.signal.aborted) {
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve))
  }
  deadline.release()
}

/** The events of the response as they arrive; undefined for a comment. */
async function* readEvents({
  body,
}: Response): AsyncGenerator<ReaderEvent | undefined, void, void> {
  if (!body) return
  const reader = body.getReader()
  const parse = createEventParser()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      for (const data of parse(decoder.decode(value, { stream: true }))) {
        yield data === undefined ? undefined : endpoints.readerEvent(parseFlatJson(data))
      }
    }
  } catch (error) {
    throw new CallFailure('malformed', 'the stream was cut off', error)
  } finally {
    // Closes the connection of a reader that stops early; a connection that broke has nothing to close.
    void reader.cancel().catch(() => undefined)
  }
}
