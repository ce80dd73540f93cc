/** Lists counted uses: to a page those of its own label, to a program of the user all of them. */
import { listTransactions } from '@cardwire/protocol/connector-sync'
import { noLabel } from '@cardwire/protocol/counter'
import type { Bind } from '../../http/route-types.ts'
import type { Counters } from './counters.ts'

export function counterRoutes(
  bind: Bind,
  { counters }: { readonly counters: Pick<Counters, 'list'> },
): void {
  bind(listTransactions, async ({ caller }) => {
    const label = caller.kind === 'page' ? (caller.label ?? noLabel) : undefined
    const data = counters.list(label).map(({ count, day, tag, ...of }) => ({
      ...of,
      counter: count,
      txDate: day,
      ...(tag !== '' && { tag }),
    }))
    return { data }
  })
}
