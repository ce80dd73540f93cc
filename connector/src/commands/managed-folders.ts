/** The folders that an administrator has given pages, for who looks at the consents: the connector may run or not. */
import { type CardFolder, parseCardSettings } from '@cardwire/client/protocol'
import { createStateStore } from '../distribution/sync/persisted-state.ts'
import { openLog } from '../system/log.ts'
import { readCardSettings } from '../user/consent/grants.ts'
import type { CommandContext } from './command-context.ts'

/** Those of the stored policy; of the settings file where no service manages this connector. Throws when that cannot be used. */
export async function readManagedFolders({
  settings: { dsUrl, cards, logLevel },
  folders: { runtime, logs },
}: Pick<CommandContext, 'settings' | 'folders'>): Promise<readonly CardFolder[]> {
  if (dsUrl === undefined) return cards === undefined ? [] : (await readCardSettings(cards)).folders
  const log = openLog(logs, 'consents', { level: logLevel, console: false })
  const stored = await createStateStore({ runtime, dsUrl, identity: undefined, log }).load()
  const given = stored?.policy?.cards
  return given === undefined ? [] : parseCardSettings(given).folders
}
