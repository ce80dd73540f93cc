/** The side of a process for cards or tokens: reads frames from standard input, and writes lines to standard output. */
import { readSync, writeSync } from 'node:fs'
import * as z from 'zod/mini'
import { errorText } from '../system/error-text.ts'
import {
  type CardResult,
  type FromCardProcess,
  frameHeaderBytes,
  maxFrameBytes,
  messageStart,
  type RawResult,
} from '../system/ipc/card-messages.ts'
import { CardError, UnsentPinError } from './card-modules/card-error.ts'

export type Failure = Extract<FromCardProcess, { type: 'failed' }>

/**
 * One request after the other, until the input ends; a PIN is overwritten after its request. `toFailure`: what an error is that
 * is no CardError; undefined: a defect.
 */
export function serveRequests<S extends z.ZodMiniType>(
  schema: S,
  run: (request: z.output<S>, pin: Uint8Array) => CardResult | RawResult,
  toFailure: (error: unknown) => Failure | undefined,
): void {
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
      const request = z.parse(schema, JSON.parse(Buffer.from(json).toString()))
      sendMessage({ type: 'result', result: run(request, pin) })
    } catch (error) {
      sendMessage(readCardError(error) ?? toFailure(error) ?? toDefect(error))
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
export function sendMessage(message: FromCardProcess): void {
  const text = JSON.stringify(message).padEnd(minLineBytes)
  const bytes = Buffer.from(`${messageStart}${text}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
}

function readCardError(error: unknown): Failure | undefined {
  if (!(error instanceof CardError)) return undefined
  const { problem, message, triesLeft } = error
  return {
    ...{ type: 'failed', problem, message },
    ...(triesLeft !== undefined && { triesLeft }),
    ...(error instanceof UnsentPinError && { isPinUnsent: true }),
  }
}

const toDefect = (error: unknown): Failure => ({
  type: 'failed',
  problem: 'internal',
  message: errorText(error),
})
