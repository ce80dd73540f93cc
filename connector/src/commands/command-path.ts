/** The name of a command as a user types it. */
import type { Command } from 'commander'

/** `certs install`; the program itself by its own name. */
export function getCommandPath(command: Command): string {
  const parent = command.parent
  if (parent === null) return command.name()
  return parent.parent === null ? command.name() : `${getCommandPath(parent)} ${command.name()}`
}
