/** A page of a list whose items may be large: they are read in parts, while the client takes them. */
import type { Context } from 'hono'
import { streamText } from './stream-text.ts'

/** Characters, or bytes, that are read at once, and kept in memory for a client that reads slowly. */
export const maxPartWeight = 256 * 1024

interface ListPage {
  /** The ids of its items, in their order, in the parts in which they are read. */
  readonly parts: readonly (readonly string[])[]
  /** The items with these ids, in their order; without those that have been removed since the ids were read. */
  readonly read: (ids: readonly string[]) => Promise<readonly unknown[]>
  /** What the list says beside its items. */
  readonly rest: { readonly page: number; readonly size: number; readonly total: number }
}

/** In the success envelope. The first part is read before the response begins: what fails there is answered as a problem. */
export async function sendList(context: Context, list: ListPage): Promise<Response> {
  const [first = [], ...others] = list.parts
  const items = await list.read(first)
  if (others.length === 0) {
    return context.json({ success: true, data: { items, ...list.rest } })
  }
  return streamText(context, writeList(items, others, list), { 'content-type': 'application/json' })
}

async function* writeList(
  items: readonly unknown[],
  others: ListPage['parts'],
  { read, rest }: ListPage,
) {
  yield `{"success":true,"data":{"items":[${writeItems(items)}`
  let isFirst = items.length === 0
  for (const ids of others) {
    const text = writeItems(await read(ids))
    if (text === '') continue
    yield isFirst ? text : `,${text}`
    isFirst = false
  }
  yield `],${JSON.stringify(rest).slice(1)}}`
}

const writeItems = (items: readonly unknown[]) =>
  items.map((item) => JSON.stringify(item)).join(',')

/** Splits ids where the sum of weights would exceed `maxWeight`; a heavier one is a part by itself. */
export function splitByWeight(
  items: readonly { readonly id: string; readonly weight: number }[],
  maxWeight: number,
): readonly (readonly string[])[] {
  const parts: string[][] = []
  let weight = Number.POSITIVE_INFINITY
  for (const item of items) {
    weight += item.weight
    if (weight > maxWeight) {
      parts.push([])
      weight = item.weight
    }
    parts.at(-1)?.push(item.id)
  }
  return parts
}
