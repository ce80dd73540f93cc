/**
 * A card process: does operations with the card in one reader, one at a time, by calls that block. It has no threads and no
 * timers: whoever started it kills it at a deadline, and the card service then resets the card if it was in a transaction.
 */
import { readSync, writeSync } from 'node:fs'
import * as z from 'zod/mini'
import { CardError } from '../card-modules/card-error.ts'
import {
  CardRequest,
  type FromCardProcess,
  frameHeaderBytes,
  maxFrameBytes,
  RawRequest,
} from '../ipc/card-messages.ts'
import { PcscError } from '../pcsc/codes.ts'
import { openPcsc } from '../pcsc/pcsc.ts'
import { errorText } from '../system/error-text.ts'
import { openVirtualPcsc } from '../virtual-card/virtual-pcsc.ts'
import { createCardWorker, type Phase } from './card-transaction.ts'
import { createKeptPin, type KeptPin } from './kept-pin.ts'
import { createRawWorker } from './raw-transaction.ts'
import { createRequestRunner } from './run-request.ts'

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
  const onPhase = (phase: Phase) => send({ type: 'phase', phase })
  const runRequest = createCardWorker(open, onPhase)
  const run = createRequestRunner(runRequest, keptPin)
  const runRaw = createRawWorker(open, onPhase)
  for (;;) {
    const header = readExactly(frameHeaderBytes)
    if (!header) return
    const lengths = new DataView(header.buffer, header.byteOffset)
    const jsonBytes = lengths.getUint32(0)
    const pinBytes = lengths.getUint32(4)
    // What follows a part of a frame cannot be told from the next frame: the process ends.
    if (jsonBytes > maxFrameBytes.request || pinBytes > maxFrameBytes.pin) return
    const json = readExactly(jsonBytes)
    const pin = readExactly(pinBytes)
    if (!json || !pin) return
    try {
      const request = z.parse(AnyRequest, JSON.parse(Buffer.from(json).toString()))
      const result = 'raw' in request ? runRaw(request) : run(request, pin)
      send({ type: 'result', result })
    } catch (error) {
      send(toFailure(error))
    } finally {
      pin.fill(0)
    }
  }
}

/** Blocks until the bytes are there; undefined: the input has ended. */
function readExactly(length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; ) {
    const count = readSync(0, bytes, at, length - at, null)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}

/**
 * A line has so many bytes at least: what a program for PINs wrote stays in the buffer into which Bun reads from all programs,
 * and a line of this length takes its place (`maxSecretOutput`).
 */
const minLineBytes = 4096

/** At once: the next call may block for long. */
function send(message: FromCardProcess): void {
  const bytes = Buffer.from(`${JSON.stringify(message).padEnd(minLineBytes)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
}

function toFailure(error: unknown): FromCardProcess {
  if (error instanceof CardError) {
    const { problem, message, triesLeft } = error
    return { type: 'failed', problem, message, ...(triesLeft !== undefined && { triesLeft }) }
  }
  if (error instanceof PcscError) {
    return { type: 'failed', problem: 'pcsc-unavailable', message: error.message }
  }
  return { type: 'failed', problem: 'internal', message: errorText(error) }
}
