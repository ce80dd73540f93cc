/** A program for Windows: prints the settings of the machine and the managed ones, as JSON. */
import { readAdministratorSettings } from '../../src/system/settings-places.ts'

process.stdout.write(JSON.stringify(readAdministratorSettings()))
