/**
 * What the connector and its helper on Windows say to each other: one line of JSON each way. Calls of the desktop stop
 * the thread that makes them, for as long as another program or the person wants; the helper can be ended.
 */
import * as z from 'zod/mini'

const text = z.string()

export const Order = z.discriminatedUnion('act', [
  z.object({ act: z.literal('read') }),
  z.object({ act: z.literal('look') }),
  z.object({ act: z.literal('notify'), title: text, text }),
  z.object({
    act: z.literal('ask'),
    title: text,
    text,
    button: z.optional(z.object({ label: text, url: text })),
  }),
  z.object({ act: z.literal('open'), url: text }),
])
export type Order = z.output<typeof Order>

export const Report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text }),
  /** No text on the clipboard, or more than is kept. */
  z.object({ kind: z.literal('empty') }),
  /** Another program holds the clipboard. */
  z.object({ kind: z.literal('held') }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('pressed') }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('failed') }),
])
export type Report = z.output<typeof Report>
