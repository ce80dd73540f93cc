/** Starts `cardwire update --window`, which outlives the connector that starts it: the installation ends every connector. */

import type { Settings } from '../settings.ts'
import type { OpenUrl } from '../system/desktop/dialog.ts'
import { createPrograms, type Programs } from '../system/desktop/programs.ts'
import { getSelfCommand } from './command-context.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** By which a window finds its desktop. systemd gives a unit those that the session has told it. */
const desktopVariables = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_CURRENT_DESKTOP']

/** The address is the one of the verdict: the update asks the service anew, and downloads what that offers by then. */
export function createUpdateStarter(
  { dsUrl = '', caFile }: Pick<Settings, 'dsUrl' | 'caFile'>,
  environment: Environment,
  programs: Programs = createPrograms(environment),
): OpenUrl {
  const update = [
    ...[...getSelfCommand('update'), '--window', '--ds-url', dsUrl],
    ...(caFile ? ['--ca-file', caFile] : []),
  ]
  return async (_, signal) => {
    const [program = '', ...args] = isUnit(environment) ? ownUnit(update, environment) : update
    return programs.launch(program, args, signal)
  }
}

/** systemd sets it for what it starts (systemd.exec(5)). */
const isUnit = (environment: Environment) => environment['INVOCATION_ID'] !== undefined

/** systemd ends a unit with every process in it, so the update is one of its own. */
const ownUnit = (command: readonly string[], environment: Environment) => [
  ...['systemd-run', '--user', '--quiet', '--collect', '--unit=cardwire-update'],
  ...desktopVariables.flatMap((name) =>
    environment[name] === undefined ? [] : [`--setenv=${name}=${environment[name]}`],
  ),
  ...['--', ...command],
]
