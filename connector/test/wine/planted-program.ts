/** Loads every library of Windows that the connector loads, and prints the names of those that it could not load. */
import { openRenameCall } from '../../src/files/native.ts'
import { openWinspool } from '../../src/files/printing/native.ts'
import { openSecurityCalls } from '../../src/pki/native.ts'
import { openCrypt32 } from '../../src/pki/trust-stores/native.ts'
import { openPcsc } from '../../src/sandbox/pcsc/pcsc.ts'
import { openWindowsKeys } from '../../src/sandbox/windows-keys/native.ts'
import {
  openCredui,
  openFolderWindow,
  openShell32,
  openUser32,
} from '../../src/system/desktop/native.ts'
import { getWindowsDataFolder } from '../../src/system/libraries/system-libraries.ts'
import {
  isWine,
  openOwnerCalls,
  openRegistryCalls,
  readWindowsLocaleName,
  readWindowsUserName,
} from '../../src/system/native.ts'

function readDataFolder(): void {
  const folder = getWindowsDataFolder(process.env)
  if (folder !== 'C:\\ProgramData') throw new Error(folder)
}

const loads = {
  readDataFolder,
  openCredui,
  openCrypt32,
  openFolderWindow,
  openOwnerCalls,
  openPcsc: () => openPcsc(undefined),
  openRegistryCalls,
  openRenameCall: () => openRenameCall('win32'),
  openSecurityCalls,
  openShell32,
  openUser32,
  openWindowsKeys,
  openWinspool,
  isWine,
  readWindowsLocaleName,
  readWindowsUserName,
}
const failed = Object.entries(loads).filter(([, load]) => {
  try {
    load()
    return false
  } catch {
    return true
  }
})
process.stdout.write(failed.map(([name]) => name).join(' '))
