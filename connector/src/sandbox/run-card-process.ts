/**
 * A card process: does operations with the card in one reader, one at a time, by calls that block. It has no threads and no
 * timers: whoever started it kills it at a deadline, and the card service then resets the card if it was in a transaction.
 */
import * as z from 'zod/mini'
import { CardRequest, RawRequest } from '../system/ipc/card-messages.ts'
import { createCardWorker, type Phase } from './card-transaction.ts'
import { createKeptPin, type KeptPin } from './kept-pin.ts'
import { PcscError } from './pcsc/codes.ts'
import { openPcsc } from './pcsc/pcsc.ts'
import { createRawWorker } from './raw-transaction.ts'
import { createRequestRunner } from './run-request.ts'
import { type Failure, sendMessage, serveRequests } from './serve-requests.ts'
import { openVirtualPcsc } from './virtual-card/virtual-pcsc.ts'

/** Serves standard input until it ends. */
export function runCardProcess(environment: Readonly<Record<string, string | undefined>>): void {
  const keptPin = createKeptPin({ monotonic: () => performance.now(), wall: Date.now })
  try {
    serve(environment, keptPin)
  } finally {
    keptPin.forget()
  }
}

const AnyRequest = z.union([CardRequest, RawRequest])

function serve(environment: Readonly<Record<string, string | undefined>>, keptPin: KeptPin): void {
  const { CARDWIRE_PCSC_LIBRARY: library, CARDWIRE_VIRTUAL_READER: virtualReader } = environment
  const open = () =>
    virtualReader ? openVirtualPcsc(virtualReader) : openPcsc(library || undefined)
  const onPhase = (phase: Phase) => sendMessage({ type: 'phase', phase })
  const run = createRequestRunner(createCardWorker(open, onPhase), keptPin)
  const runRaw = createRawWorker(open, onPhase)
  serveRequests(
    AnyRequest,
    (request, pin) => ('raw' in request ? runRaw(request) : run(request, pin)),
    toFailure,
  )
}

function toFailure(error: unknown): Failure | undefined {
  return error instanceof PcscError
    ? { type: 'failed', problem: 'pcsc-unavailable', message: error.message }
    : undefined
}
