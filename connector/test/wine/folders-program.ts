/** A program for Windows: prints where Windows says that profiles and settings lie, and what pages may not have, as JSON. */
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { createJudgeFolder } from '../../src/files/judge-folder.ts'
import { readAccountFolders } from '../../src/system/settings-folders.ts'
import { readProfilesFolder } from '../../src/system/windows-profiles.ts'

async function main(): Promise<void> {
  const { home = '', settings } = readAccountFolders('win32', process.env)
  const otherHome = process.env['USERPROFILE'] ?? ''
  const context = { platform: 'win32', home: otherHome, otherHomes: [home], own: [], programs: [] }
  const judge = createJudgeFolder({ ...context, settings })
  const folders = {
    home,
    profiles: readProfilesFolder(),
    moved: 'C:\\moved\\roaming\\Microsoft\\Windows',
    data: 'C:\\ProgramData\\x',
    localhost: '\\\\localhost\\Users\\x',
    loopback: '\\\\127.0.0.1\\Users\\x',
    self: `\\\\${hostname()}\\share\\x`,
    invoices: 'C:\\invoices',
  }
  for (const folder of [folders.moved, folders.invoices]) mkdirSync(folder, { recursive: true })
  const faults = await Promise.all(
    Object.entries(folders).map(async ([name, path]) => [name, (await judge(path)) ?? 'allowed']),
  )
  const { profiles } = folders
  process.stdout.write(JSON.stringify({ profiles, faults: Object.fromEntries(faults) }))
}

main().catch((error: unknown) => process.stdout.write(JSON.stringify({ failed: String(error) })))
