/** Runs commands of the demonstration's connector, with its own folders. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { getDataVariables, takeDataOption } from './options.ts'
import { connectorBinary } from './paths.ts'
import { readSettings } from './settings.ts'
import { reportError, StartError } from './terminal.ts'

/** Reads where the data of the example is, from `--data` and the settings, and the other arguments. */
function readCommandLine(): { readonly data: string; readonly args: readonly string[] } {
  const { data: folder, rest } = takeDataOption(process.argv.slice(2))
  const { data } = readSettings({ ...process.env, ...getDataVariables(folder) })
  if (existsSync(connectorBinary) && existsSync(data)) return { data, args: rest }
  throw new StartError('Cannot find the connector of the example: start it with npm start')
}

/** Runs a command beside `npm start`, with its data folder and its other arguments; its result is the exit status. */
export async function runCommand(
  act: (data: string, args: readonly string[]) => number | Promise<number>,
): Promise<void> {
  try {
    const { data, args } = readCommandLine()
    process.exitCode = await act(data, args)
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

/** Returns the exit status. */
export function runConnectorCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  output: 'shown' | 'hidden' = 'shown',
): number {
  const { status } = spawnSync(connectorBinary, args, {
    stdio: output === 'shown' ? 'inherit' : 'ignore',
    env: { ...process.env, ...environment },
  })
  return status ?? 1
}
