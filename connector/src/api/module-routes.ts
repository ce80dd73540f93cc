/** Lists the card modules and the cards that are known, and binds the operations that they define. */
import { getModule, listModules } from '@cardwire/protocol/module'
import { listAtrs } from '@cardwire/protocol/reader'
import type { Bind } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { requireOfferedModule } from './unsupported-card-routes.ts'

export function bindModuleRoutes(bind: Bind, { modules, atrs, counters, log }: ApiServices): void {
  bind(listModules, async ({ query: { atr } }) => ({ data: [...modules.list(atr)] }))
  bind(getModule, async ({ params: { id } }) => {
    requireOfferedModule(id)
    return { data: modules.get(id) }
  })
  bind(listAtrs, async () => ({ data: [...(await atrs.list())] }))
  modules.bindRoutes(bind, createUseCounter(counters, log))
}
