/** The connector of the demonstration, asked by a person: one of its commands, with its own folders. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { connectorBinary, say } from './place.ts'

/** Says what to do, and ends, where there is no demonstration yet. */
export function mustHaveStarted(data: string): void {
  if (existsSync(connectorBinary) && existsSync(data)) return
  say('Cannot find the connector of the demonstration: start it with npm start')
  process.exit(1)
}

/** Answers with its exit status. */
export function runByHand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): number {
  const { status } = spawnSync(connectorBinary, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  return status ?? 1
}
