/** The folder of the profiles of Windows, whatever the environment says. */
import { win32 } from 'node:path'
import { getWindowsSystemFolder } from './libraries/system-libraries.ts'
import { readMachineKey } from './windows-registry.ts'

/** Only administrators write it; GetProfilesDirectoryW reads it, and expands it by the variables of the process. */
const profileList = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList'

/** `C:\Users`. Throws when Windows does not name it. */
export function readProfilesFolder(
  readKey = (path: string) => readMachineKey(path, { expandable: true }),
  systemFolder = getWindowsSystemFolder(),
): string {
  const { ProfilesDirectory: text = '' } = readKey(profileList)
  const windows = win32.dirname(systemFolder)
  const folder = text
    .replace(/^%SystemDrive%/i, () => win32.parse(windows).root.slice(0, 2))
    .replace(/^%(?:SystemRoot|windir)%/i, () => windows)
  if (win32.isAbsolute(folder) && !folder.includes('%')) return folder
  throw new Error('Cannot find the folder of the profiles: Windows does not name it')
}
