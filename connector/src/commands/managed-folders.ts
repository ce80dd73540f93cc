/** The folders that an administrator has given pages, for users who look at their consents: the connector may run or not. */
import { realpath } from 'node:fs/promises'
import { type CardFolder, parseCardSettings } from '@cardwire/protocol/card-settings'
import { createStateStore } from '../distribution/sync/persisted-state.ts'
import { createJudgeFolder } from '../files/judge-folder.ts'
import { openLog } from '../system/log.ts'
import { readCardSettings } from '../user/consent/grants.ts'
import type { CommandContext } from './command-context.ts'
import { createFolderContext } from './folder-context.ts'

/** Without those that no page may have: they are not used. Throws when the settings file cannot be used. */
export async function readManagedFolders(
  context: Pick<CommandContext, 'settings' | 'folders'>,
): Promise<readonly CardFolder[]> {
  const judge = createJudgeFolder(createFolderContext(context.folders))
  const named = await readNamedFolders(context)
  const faults = await Promise.all(
    named.map(async ({ path }) => judge(await realpath(path).catch(() => path))),
  )
  return named.filter((_, at) => faults[at] === undefined)
}

/** Those of the stored policy; of the settings file where no service manages this connector. */
async function readNamedFolders({
  settings: { dsUrl, cards, logLevel },
  folders: { runtime, logs },
}: Pick<CommandContext, 'settings' | 'folders'>): Promise<readonly CardFolder[]> {
  if (dsUrl === undefined) return cards === undefined ? [] : (await readCardSettings(cards)).folders
  const log = openLog(logs, 'consents', { level: logLevel, console: false })
  const stored = await createStateStore({ runtime, dsUrl, identity: undefined, log }).load()
  const given = stored?.policy?.cards
  return given === undefined ? [] : parseCardSettings(given).folders
}
