/** What cards say about themselves, for every module. */
import { type CardInfo, getCardInfo, getCardVersion, Problem } from '@cardwire/client/protocol'
import type { Bind } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { type FoundCard, findCard } from './find-card.ts'
import { tokenModuleId } from './modules/token-module.ts'

export function bindCardInfoRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'readers' | 'cardAccess'>,
): void {
  const { cardAccess } = services
  const readInfo = async ({ module, reader }: FoundCard): Promise<CardInfo> => {
    if (!module.info || module.id === tokenModuleId)
      throw createUnsupported(module.id, 'information')
    return (await cardAccess.run(reader, { kind: 'info', module: module.id })).info
  }
  bind(getCardInfo, async ({ params }) => {
    const card = await findCard(services, params)
    // Every module of ours signs digests that the connector has made.
    const module = { name: params.module, isHashedByToken: false }
    if (card.module.id === tokenModuleId) {
      const { info } = await cardAccess.run(card.reader, { kind: 'token-info' })
      return { data: { info, infoType: 'PKCS11' as const, module } }
    }
    const info = await readInfo(card)
    return { data: { ...info, info, infoType: 'TOKEN' as const, module } }
  })
  bind(getCardVersion, async ({ params }) => {
    const { applicationVersion } = await readInfo(await findCard(services, params))
    return { data: { version: applicationVersion } }
  })
}

export const createUnsupported = (module: string, what: string): Problem =>
  new Problem('card-unsupported', `Cannot read the ${what}: cards of module "${module}" have none`)
