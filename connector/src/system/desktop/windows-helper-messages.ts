/**
 * The messages between the connector and its helper on Windows: one line of JSON each way. Calls of the desktop block
 * their thread until another program or the user responds; the helper process can be ended.
 */
import * as z from 'zod/mini'

const text = z.string()

export const HelperRequest = z.discriminatedUnion('act', [
  z.object({ act: z.literal('read') }),
  z.object({ act: z.literal('look') }),
  z.object({ act: z.literal('notify'), title: text, text }),
  z.object({
    act: z.literal('ask'),
    title: text,
    text,
    button: z.optional(z.object({ label: text, url: text })),
  }),
  /** `pressed` is OK, `closed` is Cancel. */
  z.object({ act: z.literal('inform'), title: text, text }),
  /** `pressed` is Yes, `closed` is No. */
  z.object({ act: z.literal('decide'), title: text, text }),
  /** A folder; the title stands in the window. */
  z.object({ act: z.literal('choose'), title: text }),
  z.object({ act: z.literal('open'), url: text }),
  /** `field` names what is entered: Windows shows it beside the window's field. */
  z.object({ act: z.literal('enter'), title: text, text, field: text }),
])
export type HelperRequest = z.output<typeof HelperRequest>

export const HelperResponse = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text }),
  /** No text on the clipboard, or more than is kept. */
  z.object({ kind: z.literal('empty') }),
  /** Another program holds the clipboard. */
  z.object({ kind: z.literal('held') }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('pressed') }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('failed') }),
  /** Something was entered before the window can have been read. */
  z.object({ kind: z.literal('early') }),
  /** Empty: none was chosen. */
  z.object({ kind: z.literal('chosen'), path: text }),
  /** So many bytes follow the line: a text could not be overwritten. */
  z.object({ kind: z.literal('entered'), bytes: z.number() }),
])
export type HelperResponse = z.output<typeof HelperResponse>
