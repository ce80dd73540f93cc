/** The modules: listed, and bound with the operations they bring. */
import { getModule, listModules } from '@cardwire/client/protocol'
import { counting } from '../counters/counting.ts'
import type { Bind } from './bind.ts'
import type { Services } from './services.ts'

export function moduleRoutes(bind: Bind, { modules, counters, log }: Services): void {
  bind(listModules, async ({ query: { atr } }) => ({ data: [...modules.list(atr)] }))
  bind(getModule, async ({ params: { id } }) => ({ data: modules.get(id) }))
  modules.bindRoutes(bind, counting(counters, log))
}
