/** The settings and folders that the local page works with, read anew for each act. */
import { readSettings, SettingsError, toFlag } from '../../settings.ts'
import {
  type CommandContext,
  findFolders,
  readCommandContext,
  readSources,
} from '../command-context.ts'
import { type Fields, readFields } from './service-settings.ts'

export interface PageContext {
  readonly machine: CommandContext
  /** Why the defaults stand in for the settings: a page that says so is of more use than none. */
  readonly fault?: string
  readonly fields: Fields
  readonly flags: Readonly<Record<string, string | undefined>>
  /** The same as arguments. */
  readonly flagArguments: readonly string[]
  /** Whether flags or the environment have settings. */
  readonly hasOwnSettings: boolean
}

export function readPageContext(flags: PageContext['flags']): PageContext {
  const set = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : ([[name, value]] as const),
  )
  const flagFacts = {
    flags,
    flagArguments: set.flatMap(([name, value]) => [toFlag(name), value]),
    hasOwnSettings:
      set.length > 0 || Object.keys(process.env).some((name) => name.startsWith('CARDWIRE_')),
  }
  const { folders, settingsFile } = findFolders()
  try {
    const machine = readCommandContext(flags)
    return { ...flagFacts, machine, fields: readFields(readSources(flags), settingsFile) }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const machine = { settings: readSettings([]), folders, settingsFile }
    return { ...flagFacts, machine, fault: error.message, fields: readFields([], settingsFile) }
  }
}
