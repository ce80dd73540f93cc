/** The folders of this account that no page may have. */
import { homedir } from 'node:os'
import { delimiter } from 'node:path'
import type { FolderContext } from '../files/folder-rules.ts'
import type { Folders } from '../system/folders.ts'
import { getInstallationFolder } from './command-context.ts'

export const createFolderContext = (folders: Folders): FolderContext => ({
  platform: process.platform,
  home: process.env['HOME'] ?? homedir(),
  accountHome: homedir(),
  own: Object.values(folders),
  programs: [getInstallationFolder(), ...(process.env['PATH'] ?? '').split(delimiter)],
})
