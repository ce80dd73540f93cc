/** A registry that an API runs for its user, and that ends with it. */
import { withoutCompilers } from '../registry/small.ts'

export interface RegistryChild {
  readonly pid: number
  /** Whether it got as far as to listen; false when it ended before. */
  readonly listening: Promise<boolean>
  isAlive(): boolean
  stop(): Promise<void>
}

/** What the registry writes when it listens. */
export const listeningWord = 'listening'

/** Starts it. Throws when it cannot be started. */
export function startRegistry(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RegistryChild {
  // It ends when its standard input does, also when we are killed.
  const child = Bun.spawn([...command], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...environment, ...withoutCompilers },
  })
  const reader = child.stdout.getReader()
  const listening = reader.read().then(
    ({ done }) => !done,
    () => false,
  )
  return {
    pid: child.pid,
    listening,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      // It holds nothing that a signal it cannot refuse would spoil.
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
