/** `cardwire settings`: shows the value of each setting, and where it comes from. */
import { listSettingValues } from '../settings.ts'
import { readSources } from './command-context.ts'
import { printDocument, wantsJson } from './json-output.ts'
import { dim, hasColours, print, printError, yellow } from './terminal.ts'

/** Shows them without checking them: what is wrong with a value the other commands say. */
export function showSettings(flags: Readonly<Record<string, string | undefined>>): void {
  const sources = readSources(flags)
  const settings = listSettingValues(sources).map(({ name, value, isSecret, source }) => ({
    name,
    // Terminals are recorded, and lines are pasted into letters to others.
    value: isSecret && value !== '' ? '(set)' : value,
    source,
  }))
  const unread = sources.flatMap(({ name, fault }) =>
    fault === undefined ? [] : [{ source: name, reason: fault }],
  )
  if (wantsJson()) {
    printDocument('settings', { settings, unread })
    return
  }
  const colours = hasColours(process.stdout)
  const width = Math.max(...settings.map(({ name }) => name.length))
  for (const { name, value, source } of settings) {
    const line = `${name.padEnd(width)}  ${value}`
    if (source === 'default') print(dim(`${line.padEnd(width + 16)}  default`, colours))
    else print(`${line.padEnd(width + 16)}  ${dim(`from ${source}`, colours)}`)
  }
  for (const { source, reason } of unread)
    printError(yellow(`! ${source} is not read: ${reason}`, hasColours(process.stderr)))
}
