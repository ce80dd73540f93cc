/** Opens the printers of this machine. */
import { createPrograms } from '../desktop/programs.ts'
import { createCupsPrinters } from './cups-printers.ts'
import type { Printers } from './printers.ts'

/** `environment`: that of the person, who may have chosen another print server (CUPS_SERVER). */
export const openPrinters = (environment: Readonly<Record<string, string | undefined>>): Printers =>
  createCupsPrinters(createPrograms(environment))
