/** The processes of the demonstration: starts, watches and stops them together. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { ProcessMessage } from './end-with-parent.ts'
import { root } from './paths.ts'
import { sendSignal, stopTimeoutMs } from './send-signal.ts'
import { StartError } from './terminal.ts'
import { type ExpectedOutput, watchOutput } from './watch-output.ts'

export interface Command {
  /** For messages: "the connector". */
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Receives what a Node process sends with `process.send`, of which nothing gets into its log. */
  readonly onMessage?: (message: unknown) => void
}

export interface RunningProcess {
  /** Resolves with the match of the pattern in its output; rejects with a StartError when it ends before, or is late. */
  waitForOutput(expected: ExpectedOutput): Promise<RegExpExecArray>
  /** Resolves when it has ended, with a sentence that says how. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

export interface ProcessGroup {
  start(command: Command): RunningProcess
  /** Runs it to its end; resolves with its output and exit status. Rejects with a StartError when it cannot be run. */
  run(command: Command): Promise<{ readonly status: number | null; readonly output: string }>
  /** Stops all processes, the last one first. */
  stop(): Promise<void>
}

interface Exit {
  readonly status: number | null
  readonly signal: string | null
  readonly error?: NodeJS.ErrnoException
}

/** `logFolder`: each process has a log file there, with its output since it has started. */
export function createProcessGroup(logFolder: string): ProcessGroup {
  const running: { readonly child: ChildProcess; readonly exit: Promise<Exit> }[] = []
  let isStopping = false
  let guard: ChildProcess | undefined
  /** Ends the processes if this one is killed. */
  const sendToGuard = (message: ProcessMessage) => {
    guard ??= startGuard()
    guard.send(message)
  }

  const launch = (command: Command) => {
    if (isStopping)
      throw new StartError(`Cannot start ${command.name}: everything is being stopped`)
    const { child, exit } = spawnCommand(command)
    const { pid } = child
    if (pid !== undefined) {
      sendToGuard({ started: pid })
      void exit.then(() => {
        if (guard?.connected) sendToGuard({ ended: pid })
      })
    }
    running.push({ child, exit })
    return { child, exit }
  }

  return {
    start(command) {
      const { child, exit } = launch(command)
      mkdirSync(logFolder, { recursive: true, mode: 0o700 })
      const logFile = join(logFolder, `${command.name.replace(/^the /, '')}.log`)
      const ended = exit.then((how) => describeEnd(command, how, output.lastLines()))
      const output = watchOutput(command.name, child, { logFile, ended })
      return { ended, waitForOutput: output.waitFor, stop: () => stopProcess(child, exit) }
    },

    async run(command) {
      const { child, exit } = launch(command)
      let output = ''
      onOutput(child, (part) => {
        output += part.toString()
      })
      const { status, error } = await exit
      if (error) throw new StartError(describeLaunchError(command, error))
      return { status, output }
    },

    async stop() {
      isStopping = true
      for (const { child, exit } of running.reverse()) await stopProcess(child, exit)
      if (!guard?.connected) return
      const ended = once(guard, 'exit')
      guard.disconnect()
      await ended
    },
  }
}

function spawnCommand({ program, args, environment = {}, onMessage }: Command) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(onMessage ? (['ipc'] as const) : [])],
    // A process group of its own: Ctrl-C does not reach it, and a process that hangs is killed with its children.
    detached: true,
  })
  const exit = new Promise<Exit>((resolve) => {
    child.once('error', (error) => resolve({ status: null, signal: null, error }))
    child.once('close', (status, signal) => resolve({ status, signal }))
  })
  if (onMessage) child.on('message', onMessage)
  return { child, exit }
}

function describeEnd(command: Command, { status, signal, error }: Exit, lastLines: string): string {
  if (error) return describeLaunchError(command, error)
  const how = signal ? `by ${signal}` : `with status ${status}`
  return `${command.name} ended ${how}${lastLines && `:\n${lastLines}`}`
}

function describeLaunchError(
  { name, program }: Command,
  { code, message }: NodeJS.ErrnoException,
): string {
  return code === 'ENOENT'
    ? `Cannot run ${name}, because ${program} is missing. Run npm install, then try again`
    : `Cannot run ${name}: ${message}`
}

function startGuard(): ChildProcess {
  const guard = fork(new URL('./end-with-parent.ts', import.meta.url), {
    stdio: 'ignore',
    detached: true,
  })
  // Without it everything runs all the same.
  guard.on('error', () => undefined)
  return guard
}

function onOutput(child: ChildProcess, listener: (part: Buffer) => void): void {
  child.stdout?.on('data', listener)
  child.stderr?.on('data', listener)
}

async function stopProcess(child: ChildProcess, exit: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const killTimer = setTimeout(() => {
    if (child.pid !== undefined) sendSignal(child.pid, 'SIGKILL')
  }, stopTimeoutMs)
  child.kill('SIGTERM')
  await exit
  clearTimeout(killTimer)
}
