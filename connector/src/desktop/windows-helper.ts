/** Starts the connector's helper on Windows for each request, and reads its response. */
import { spawn } from 'node:child_process'
import { scrubEnvironment } from './programs.ts'
import { type HelperRequest, HelperResponse } from './windows-helper-messages.ts'

/** The response of the helper; undefined when it failed, or sent none before the signal, which ends it. */
export type SendToHelper = (
  request: HelperRequest,
  signal: AbortSignal,
) => Promise<HelperResponse | undefined>

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
      let output = ''
      const end = (response: HelperResponse | undefined) => {
        signal.removeEventListener('abort', late)
        child.stdout.destroy()
        child.unref()
        resolve(response)
      }
      const late = () => {
        child.kill('SIGKILL')
        end(undefined)
      }
      signal.addEventListener('abort', late)
      child.stdout.setEncoding('utf8')
      child.stdout.on('data', (chunk: string) => {
        output += chunk
        if (output.includes('\n')) end(parseResponse(output))
      })
      child.once('error', () => end(undefined))
      child.once('close', () => end(parseResponse(output)))
      // It may have ended before the request was written.
      child.stdin.on('error', () => undefined)
      child.stdin.end(`${JSON.stringify(request)}\n`)
    })

function parseResponse(output: string): HelperResponse | undefined {
  try {
    return HelperResponse.parse(JSON.parse(output))
  } catch {
    return undefined
  }
}
