/** Starts a role of this binary for one request to the system, so that a call that blocks or crashes ends that process alone. */
import { spawn } from 'node:child_process'

/** What the helper wrote; undefined when it failed, wrote more than `maxBytes`, or did not end before the signal, which ends it. */
export type RunHelper = (
  request: unknown,
  limits: { readonly signal: AbortSignal; readonly maxBytes: number },
) => Promise<string | undefined>

/** `command` starts the role, which reads JSON on standard input and writes JSON on standard output. */
export const createHelperProcess =
  (
    command: readonly string[],
    environment: Readonly<Record<string, string | undefined>>,
  ): RunHelper =>
  (request, { signal, maxBytes }) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      const [program = '', ...args] = command
      const child = spawn(program, args, {
        env: { ...environment },
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      })
      let output = ''
      const end = (result: string | undefined) => {
        signal.removeEventListener('abort', stop)
        resolve(result)
      }
      const stop = () => {
        child.kill('SIGKILL')
        end(undefined)
      }
      signal.addEventListener('abort', stop)
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        output += part
        if (output.length > maxBytes) stop()
      })
      child.once('error', () => end(undefined))
      child.once('close', (status) => end(status === 0 ? output : undefined))
      // It may have ended before the request was written.
      child.stdin.on('error', () => undefined).end(JSON.stringify(request))
    })
