/** The folders of this account that no page may have. */
import { homedir } from 'node:os'
import { delimiter } from 'node:path'
import type { FolderContext } from '../files/folder-rules.ts'
import type { Folders } from '../system/folders.ts'
import { readAccountFolders } from '../system/settings-folders.ts'
import { getInstallationFolder } from './command-context.ts'

export function createFolderContext(folders: Folders): FolderContext {
  const { platform, env } = process
  const { home, settings } = readAccountFolders(platform, env)
  return {
    platform,
    home: env['HOME'] ?? homedir(),
    otherHomes: [homedir(), ...(home === undefined ? [] : [home])],
    own: Object.values(folders),
    programs: [getInstallationFolder(), ...(env['PATH'] ?? '').split(delimiter)],
    settings,
  }
}
