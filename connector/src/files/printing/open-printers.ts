/** Opens the printers of this machine, by the platform. */
import { createPrograms, scrubEnvironment } from '../../system/desktop/programs.ts'
import { createHelperProcess } from '../../system/helper-process.ts'
import { createCupsPrinters } from './cups-printers.ts'
import type { Printers } from './printers.ts'
import { createWindowsPrinters } from './windows-printers.ts'

export interface PrintingPlace {
  readonly platform: string
  /** That of the user, who may have chosen another print server (CUPS_SERVER). */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The command that starts this binary's role `spooler`; used on Windows alone. */
  readonly helper: readonly string[]
}

/** Nothing is searched or started before its first use. */
export const openPrinters = ({ platform, environment, helper }: PrintingPlace): Printers =>
  platform === 'win32'
    ? createWindowsPrinters(createHelperProcess(helper, scrubEnvironment(environment)))
    : createCupsPrinters(createPrograms(environment))
