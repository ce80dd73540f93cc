/** Starts a registry as a child process of the API, which ends with it. */
import { lowMemoryFlags } from '../../registry/memory-flags.ts'
import { portTakenExitCode } from '../../registry/port-conflict.ts'

export interface RegistryProcess {
  readonly pid: number
  /** Resolves with true once it listens, with false when it ends before. */
  readonly listening: Promise<boolean>
  isAlive(): boolean
  /** Whether it ended because another program has the port. */
  isPortTaken(): boolean
  stop(): Promise<void>
}

/** Throws when the process cannot be started. */
export function spawnRegistry(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RegistryProcess {
  // It exits when its standard input ends, so also when this process is killed.
  const child = Bun.spawn([...command], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...environment, ...lowMemoryFlags },
  })
  const reader = child.stdout.getReader()
  const listening = reader.read().then(
    ({ done }) => (done ? child.exited.then(() => false) : true),
    () => false,
  )
  return {
    pid: child.pid,
    listening,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    isPortTaken: () => child.exitCode === portTakenExitCode,
    async stop() {
      // A registry writes no files, so nothing is lost with a signal that it cannot ignore.
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
