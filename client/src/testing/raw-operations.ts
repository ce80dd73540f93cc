/** What the simulated connector answers to commands of a page: the card of a test responds itself. */

import * as contract from '@cardwire/protocol'
import { decodeBase64, encodeBase64 } from '@cardwire/protocol/base64'
import type { Machine } from './machine.ts'
import { type BoundOperation, bind } from './responder.ts'
import { createProblem } from './table-problem.ts'
import { waitUntil } from './waiting.ts'

/** Seconds after which the connector ends every session. */
const maxSessionS = 180

export function createRawOperations(machine: Machine): readonly BoundOperation[] {
  /** By id, with its reader. */
  const sessions = new Map<string, string>()
  const findCard = (reader: string) => {
    machine.findReader(reader)
    const { respond } = machine.findCard(reader)
    if (respond) return respond
    throw createProblem('grant-missing')
  }
  const requireSession = (id: string | null | undefined, reader: string): string => {
    if (typeof id === 'string' && sessions.get(id) === reader) return id
    throw createProblem('card-session-unknown')
  }

  return [
    bind(contract.openRawSession, async ({ params: { reader }, body }) => {
      const respond = findCard(reader)
      if ([...sessions.values()].includes(reader)) {
        throw createProblem('card-busy')
      }
      const aid = toBytes(body?.aid ?? '')
      const [status] = (await respond(Uint8Array.of(0, 0xa4, 4, 0, aid.length, ...aid))).slice(-2)
      if (status !== 0x90 && status !== 0x61) {
        throw createProblem('card-unsupported')
      }
      const id = encodeBase64(crypto.getRandomValues(new Uint8Array(12)))
      sessions.set(id, reader)
      return { data: id }
    }),
    bind(contract.holdRawSession, async ({ params, body: { sessionId } }, { signal }) => {
      const id = requireSession(sessionId, params.reader)
      const isOver = () => (sessions.has(id) ? undefined : 'closed')
      return { data: (await waitUntil(machine, isOver, maxSessionS, signal)) ?? 'timeout' }
    }),
    bind(contract.closeRawSession, async ({ params, body }) => {
      const id = requireSession(body?.sessionId, params.reader)
      sessions.delete(id)
      return { data: id }
    }),
    bind(contract.transmitRaw, async ({ params: { reader }, body: { sessionId, data } }) => {
      requireSession(sessionId, reader)
      const answer = await findCard(reader)(decodeBase64(data) ?? new Uint8Array())
      return { data: { data: encodeBase64(answer) } }
    }),
  ]
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
