/** The commands as a table, read from the command line itself: what help, completion and the manual page have in common. */
import type { Command } from 'commander'
import { getCommandPath } from './command-path.ts'

export interface CommandEntry {
  /** `certs install`; empty for the program itself. */
  readonly path: string
  readonly description: string
  /** As the help has it: `cardwire certs install [options]`. */
  readonly usage: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly CommandOption[]
}

interface CommandOption {
  /** `--log-level <value>`. */
  readonly flags: string
  readonly long: string
  readonly description: string
  readonly takesValue: boolean
}

/** Every command that the help shows, the program itself first. */
export function listCommands(command: Command): readonly CommandEntry[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command)
  const options = help.visibleOptions(command).map((option) => ({
    flags: option.flags,
    long: option.long ?? '',
    description: option.description,
    takesValue: option.required,
  }))
  const entry = {
    path: command.parent === null ? '' : getCommandPath(command),
    description: command.description(),
    usage: help.commandUsage(command),
    commands: below.map((each) => ({ name: each.name(), description: each.description() })),
    options,
  }
  return [entry, ...below.flatMap(listCommands)]
}
