/** Ends the PINs that are kept for bulk signatures of a page, as legacy clients ask for it. */
import { resetBulkPin, resetBulkPinByGet } from '@cardwire/protocol/card-token'
import type { Bind } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { createLibraryProblem, requireModuleName } from './find-card.ts'
import type { KeptPins } from './kept-pins.ts'
import { isTokenModule, tokenModuleId } from './modules/token-module.ts'

type BulkPinServices = Pick<ApiServices, 'readers'> & { readonly keptPins: KeptPins }

export function bindBulkPinRoutes(bind: Bind, services: BulkPinServices): void {
  const { keptPins } = services
  for (const operation of [resetBulkPin, resetBulkPinByGet]) {
    bind(operation, async ({ params: { module } }, context) => {
      requireModuleName(module)
      if (isTokenModule(module)) requireLibrary(services, module)
      const caller = context.get('caller')
      const id = isTokenModule(module) ? tokenModuleId : module
      if (caller.kind === 'page') keptPins.endOf(caller.origin, id)
      return { data: true }
    })
  }
}

/** Throws where no library serves any card or token that is there. */
function requireLibrary({ readers }: Pick<ApiServices, 'readers'>, module: string): void {
  const present = readers.snapshot().readers
  if (!present.some(({ name }) => readers.findLibrary(name))) throw createLibraryProblem(module)
}
