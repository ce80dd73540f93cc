/** Inserts and removes the virtual card: a file that the connector's virtual reader reads. */
import { rm, writeFile } from 'node:fs/promises'
import type { Context } from 'hono'
import * as z from 'zod/mini'

/** The answer to reset of a Belgian identity card (smartcard_list.txt of pcsc-tools). */
const atr = '3B981340 0AA50301 0101AD13 11'

const Move = z.object({ inserted: z.boolean() })

export const createCardHandler = (file: string) => async (context: Context) => {
  const { success, data } = z.safeParse(Move, await context.req.json().catch(() => undefined))
  if (!success) return context.text('Cannot move the card: say whether it is inserted', 400)
  if (data.inserted) await writeFile(file, atr)
  else await rm(file, { force: true })
  return context.body(null, 204)
}
