/** Runs commands of the demonstration's connector, with its own folders. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { connectorBinary } from './paths.ts'
import { printLine } from './terminal.ts'

/** Ends with a message when `npm start` has not run yet. */
export function requireStarted(data: string): void {
  if (existsSync(connectorBinary) && existsSync(data)) return
  printLine('Cannot find the connector of the example: start it with npm start')
  process.exit(1)
}

/** Returns the exit status. */
export function runConnectorCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): number {
  const { status } = spawnSync(connectorBinary, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  return status ?? 1
}
