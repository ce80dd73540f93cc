/** The connector's helper on Windows as a process: what it is told, and the first line it says. */
import { spawn } from 'node:child_process'
import { withoutOurs } from './programs.ts'
import { type Order, Report } from './windows-orders.ts'

/** What the helper reports; undefined when it failed or said nothing until the signal, which ends it. */
export type Helper = (order: Order, signal: AbortSignal) => Promise<Report | undefined>

/** `command` starts the helper. It may go on after its report: a notification stays for a while. */
export const startHelper =
  (command: readonly string[], environment: Readonly<Record<string, string | undefined>>): Helper =>
  (order, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      const [program = '', ...args] = command
      const child = spawn(program, args, {
        env: withoutOurs(environment),
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      })
      let said = ''
      const end = (report: Report | undefined) => {
        signal.removeEventListener('abort', late)
        child.stdout.destroy()
        child.unref()
        resolve(report)
      }
      const late = () => {
        child.kill('SIGKILL')
        end(undefined)
      }
      signal.addEventListener('abort', late)
      child.stdout.setEncoding('utf8')
      child.stdout.on('data', (chunk: string) => {
        said += chunk
        if (said.includes('\n')) end(readReport(said))
      })
      child.once('error', () => end(undefined))
      child.once('close', () => end(readReport(said)))
      // It may have ended before it heard anything.
      child.stdin.on('error', () => undefined)
      child.stdin.end(`${JSON.stringify(order)}\n`)
    })

function readReport(said: string): Report | undefined {
  try {
    return Report.parse(JSON.parse(said))
  } catch {
    return undefined
  }
}
