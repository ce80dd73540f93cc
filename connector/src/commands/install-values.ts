/** `cardwire install-values`, which the installer of Windows starts: it keeps what a service wrote into the package. */
import { readFileSync } from 'node:fs'
import { errorText } from '../system/error-text.ts'
import { readStampedSettings } from '../system/msi-slot.ts'
import { installedKey } from '../system/settings-places.ts'
import { writeMachineKey } from '../system/windows-registry.ts'
import { print, printError } from './terminal.ts'

/** Needs an administrator. Prints no value: what it prints may go into a log. Without values those of before stay. */
export function installValues(file: string): void {
  try {
    const values = readStampedSettings(readFileSync(file))
    const names = Object.keys(values)
    if (names.length > 0) writeMachineKey(installedKey, values)
    print(
      names.length > 0 ? `Kept ${names.join(', ')}` : 'No service wrote values into the package',
    )
  } catch (error) {
    process.exitCode = 1
    printError(`Cannot keep the values of the package: ${errorText(error)}`)
  }
}
