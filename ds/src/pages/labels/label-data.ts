/** What the pages of one label show: the label, and its use in the last 30 days. */
import { getLabel, type Label, summarizeCounters } from '@cardwire/protocol'
import { listDays } from '../charts/chart-scale.ts'
import type { PageContext } from '../frame/page-env.ts'

export type ShownLabel = Label & { readonly etag: string | undefined }

/** The label that the path names. */
export async function findLabel(context: PageContext): Promise<ShownLabel> {
  const id = context.req.param('id') ?? ''
  const { data, etag } = await context.var.api.call(getLabel, { params: { id } })
  return { ...data, etag }
}

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The first of the days whose uses are shown. */
export const readFirstDay = (now: number) => toDay(now - 29 * 86_400_000)

/** Its uses by day; `now`: milliseconds since 1970. */
export async function readUses(context: PageContext, label: string, now: number) {
  const [first, today] = [readFirstDay(now), toDay(now)]
  const query = { label, from: first }
  const { data } = await context.var.api.call(summarizeCounters, { query })
  return { days: listDays(first, today), uses: data }
}
