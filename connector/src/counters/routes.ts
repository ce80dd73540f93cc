/** Shows what was counted: to a page what its own label used, to a program of the person everything. */
import { listTransactions } from '@cardwire/client/protocol'
import type { Bind } from '../api/bind.ts'
import { type Counters, nobody } from './counters.ts'

export function counterRoutes(
  bind: Bind,
  { counters }: { readonly counters: Pick<Counters, 'list'> },
): void {
  bind(listTransactions, async ({ caller }) => {
    const label = caller.kind === 'page' ? (caller.label ?? nobody) : undefined
    const data = counters.list(label).map(({ count, day, tag, ...of }) => ({
      ...of,
      counter: count,
      txDate: day,
      ...(tag !== '' && { tag }),
    }))
    return { data }
  })
}
