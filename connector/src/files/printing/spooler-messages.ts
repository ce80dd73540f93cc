/** The messages between the connector and its helper for the spooler of Windows: JSON each way. */
import * as z from 'zod/mini'

export const SpoolerRequest = z.discriminatedUnion('act', [
  z.object({ act: z.literal('list') }),
  /** `data` as base64. */
  z.object({
    act: z.literal('print'),
    printer: z.string(),
    title: z.string(),
    data: z.string(),
  }),
])
export type SpoolerRequest = z.output<typeof SpoolerRequest>

export const SpoolerResponse = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('printers'), names: z.array(z.string()) }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('failed') }),
])
export type SpoolerResponse = z.output<typeof SpoolerResponse>
