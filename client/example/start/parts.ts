/** The programs that make up Cardwire: started, watched, and ended together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root, StartError } from './place.ts'

export interface Command {
  /** As people are told: "the connector". */
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string | undefined>>
}

export interface Part {
  /** Resolves with what the pattern finds in what it writes; rejects with a StartError when it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** How it ended, in words. */
  readonly ended: Promise<string>
}

export interface Parts {
  start(command: Command): Part
  /** Runs it to its end; answers with what it wrote, and its exit status. */
  run(command: Command): Promise<{ readonly status: number | null; readonly output: string }>
  /** Ends what runs, the last one first. */
  stop(): Promise<void>
}

/** How long a part may take to end, in milliseconds. */
const patienceMs = 6000
/** How much of what a part wrote is kept to tell why it ended, in characters. */
const mostKept = 4000

/** `logs`: the folder in which each part has a file of what it writes once it has started. */
export function openParts(logs: string): Parts {
  const running: { readonly child: ChildProcess; readonly exit: Promise<unknown> }[] = []
  let stopped = false

  const launch = ({ name, program, args, environment = {} }: Command) => {
    if (stopped) throw new StartError(`Cannot start ${name}: everything is being ended`)
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C is ours to hand on, in order, and what hangs ends with its children.
      detached: true,
    })
    const exit = new Promise<{ status: number | null; signal: string | null; error?: Error }>(
      (resolve) => {
        child.once('error', (error) => resolve({ status: null, signal: null, error }))
        child.once('close', (status, signal) => resolve({ status, signal }))
      },
    )
    running.push({ child, exit })
    return { child, exit }
  }

  return {
    start(command) {
      const { child, exit } = launch(command)
      mkdirSync(logs, { recursive: true, mode: 0o700 })
      const log = createWriteStream(join(logs, `${command.name.replace(/^the /, '')}.log`), {
        mode: 0o600,
      })
      let written = ''
      let waiting: { pattern: RegExp; found(match: RegExpExecArray): void } | undefined
      const take = (part: Buffer) => {
        written += part.toString()
        const match = waiting?.pattern.exec(written)
        if (match) {
          waiting?.found(match)
          waiting = undefined
          // Who started may have told a password: that goes to the person, and into no file.
          written = ''
        } else if (!waiting) {
          written = written.slice(-mostKept)
          log.write(part)
        }
      }
      child.stdout?.on('data', take)
      child.stderr?.on('data', take)
      const ended = exit.then(({ status, signal, error }) => {
        log.end()
        const how = error?.message ?? (signal ? `by ${signal}` : `with status ${status}`)
        const said = written.trim()
        return `${command.name} ended ${how}${said ? `:\n${said.replaceAll(/^/gm, '  ')}` : ''}`
      })
      return {
        ended,
        says: (pattern) =>
          new Promise((resolve, reject) => {
            waiting = { pattern, found: resolve }
            ended.then((how) => reject(new StartError(`Cannot start: ${how}`)))
          }),
      }
    },

    async run(command) {
      const { child, exit } = launch(command)
      let output = ''
      const take = (part: Buffer) => {
        output += part.toString()
      }
      child.stdout?.on('data', take)
      child.stderr?.on('data', take)
      const { status } = await exit
      return { status, output }
    },

    async stop() {
      stopped = true
      for (const { child, exit } of running.reverse()) await end(child, exit)
    },
  }
}

async function end(child: ChildProcess, exit: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const late = setTimeout(() => signal(child, 'SIGKILL'), patienceMs)
  child.kill('SIGTERM')
  await exit
  clearTimeout(late)
}

/** To the whole group, where the system has such. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name)
  } catch {
    // It has ended meanwhile.
  }
}
