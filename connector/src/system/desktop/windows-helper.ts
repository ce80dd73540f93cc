/** Starts the connector's helper on Windows for each request, and reads its response. */
import { spawn } from 'node:child_process'
import { scrubEnvironment } from './programs.ts'
import { type HelperRequest, HelperResponse } from './windows-helper-messages.ts'

export type HelperReply =
  | Exclude<HelperResponse, { kind: 'entered' }>
  | { readonly kind: 'entered'; readonly secret: Uint8Array }

/** The response of the helper; undefined when it failed, or sent none before the signal, which ends it. */
export type SendToHelper = (
  request: HelperRequest,
  signal: AbortSignal,
) => Promise<HelperReply | undefined>

/** `command` starts the helper. It may continue after its response: a notification stays visible for a while. */
export const createHelper =
  (
    command: readonly string[],
    environment: Readonly<Record<string, string | undefined>>,
  ): SendToHelper =>
  (request, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      const [program = '', ...args] = command
      const child = spawn(program, args, {
        env: scrubEnvironment(environment),
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      })
      let output = Buffer.alloc(0)
      const end = (response: HelperReply | undefined) => {
        signal.removeEventListener('abort', late)
        child.stdout.destroy()
        child.unref()
        resolve(response)
      }
      const late = () => {
        child.kill('SIGKILL')
        output.fill(0)
        end(undefined)
      }
      signal.addEventListener('abort', late)
      child.stdout.on('data', (chunk: Buffer) => {
        const longer = Buffer.concat([output, chunk])
        for (const part of [output, chunk]) part.fill(0)
        output = longer
        if (isWhole(output)) end(takeReply(output))
      })
      child.once('error', () => end(undefined))
      child.once('close', () => end(takeReply(output)))
      // It may have ended before the request was written.
      child.stdin.on('error', () => undefined)
      child.stdin.end(`${JSON.stringify(request)}\n`)
    })

/** Whether the line has come, with all bytes that follow it. */
function isWhole(output: Buffer): boolean {
  const end = output.indexOf(0x0a)
  if (end === -1) return false
  const response = parseResponse(output.subarray(0, end))
  return response?.kind !== 'entered' || output.length >= end + 1 + response.bytes
}

/** The output is overwritten. */
function takeReply(output: Buffer): HelperReply | undefined {
  const end = output.indexOf(0x0a)
  const response = parseResponse(end === -1 ? output : output.subarray(0, end))
  if (response?.kind !== 'entered') return response
  const secret = Uint8Array.from(output.subarray(end + 1, end + 1 + response.bytes))
  output.fill(0)
  return secret.length === response.bytes ? { kind: 'entered', secret } : undefined
}

function parseResponse(line: Buffer): HelperResponse | undefined {
  try {
    return HelperResponse.parse(JSON.parse(line.toString()))
  } catch {
    return undefined
  }
}
