/** Lists the card modules, and binds the operations that they define. */
import { getModule, listModules } from '@cardwire/client/protocol'
import { createUseCounter } from '../counters/use-counter.ts'
import type { Bind } from '../http/route-types.ts'
import type { Services } from './services.ts'

export function bindModuleRoutes(bind: Bind, { modules, counters, log }: Services): void {
  bind(listModules, async ({ query: { atr } }) => ({ data: [...modules.list(atr)] }))
  bind(getModule, async ({ params: { id } }) => ({ data: modules.get(id) }))
  modules.bindRoutes(bind, createUseCounter(counters, log))
}
