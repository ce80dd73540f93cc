/** Inserts and removes the virtual card: a file that the connector's virtual reader reads. */
import { rm, writeFile } from 'node:fs/promises'
import type { Context } from 'hono'
import * as z from 'zod/mini'

/** Of a PIV card of NIST (smartcard_list.txt of pcsc-tools): the virtual reader has its own behind every such answer to reset. */
const atr = '3B8F8001 8073CC91 CBF9A000 00030800 00100029'

/** Of the connector's virtual card, which is no secret. */
export const virtualCardPin = '123456'

const Move = z.object({ inserted: z.boolean() })

export const createCardHandler = (file: string) => async (context: Context) => {
  const { success, data } = z.safeParse(Move, await context.req.json().catch(() => undefined))
  if (!success) return context.text('Cannot move the card: say whether it is inserted', 400)
  if (data.inserted) await writeFile(file, atr)
  else await rm(file, { force: true })
  return context.body(null, 204)
}
