/** Data for printers in their own language, for pages that the administrator allows: the module rawprint of legacy clients. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

/** Bytes of a job: its base64 fits into the largest body of 1 MiB. */
export const maxPrintBytes = 780_000

const maxNameLength = 255
const name = (description: string) =>
  z.string().check(z.minLength(1), z.maxLength(maxNameLength), z.describe(description))

const place = '/v3/modules/rawprint/apps/print'
const printOperation = {
  tag: 'Printing',
  access: 'consented',
  problems: ['page-unnamed', 'grant-missing', 'printing-unavailable'],
} as const

export const PrinterList = z.object({
  printers: z.array(z.string()).check(z.describe('The names to use in jobs')),
})
export type PrinterList = z.output<typeof PrinterList>

export const listPrinters = operation({
  ...printOperation,
  name: 'listPrinters',
  method: 'GET',
  path: `${place}/printer-list`,
  summary: 'List the printers of this computer',
  description: 'Needs the grant print.',
  reply: data(PrinterList),
})

export const PrintJob = z.object({
  name: name('The printer, as printer-list names it'),
  job: z.string().check(z.maxLength(maxNameLength), z.describe('The title of the job')),
  data: z.string().check(
    z.minLength(1),
    z.maxLength(Math.ceil(maxPrintBytes / 3) * 4, `expected at most ${maxPrintBytes} bytes`),
    z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'expected base64'),
    z.refine((text) => text.length % 4 === 0, 'expected base64'),
    z.describe('The data for the printer, unchanged, as base64'),
  ),
})
export type PrintJob = z.output<typeof PrintJob>

export const printRaw = operation({
  ...printOperation,
  name: 'printRaw',
  method: 'POST',
  path: `${place}/print`,
  summary: 'Print data in the printer’s own language, as one job',
  description: `Needs the grant print. At most ${maxPrintBytes} bytes, sent without conversion. The response comes when the system has the whole job, not when it is printed.`,
  body: { type: 'json', schema: PrintJob },
  reply: data(z.object({ printed: z.boolean() })),
  problems: [...printOperation.problems, 'printer-unknown', 'printing-refused'],
})
