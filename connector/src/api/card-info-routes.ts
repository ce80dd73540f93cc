/** What cards say about themselves, for every module. */
import { type CardInfo, getCardInfo, getCardVersion } from '@cardwire/protocol/card-identity'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { ApiServices } from './api-services.ts'
import { type FoundCard, findCard } from './find-card.ts'
import { tokenModuleId } from './modules/token-module.ts'
import { type CardReadServices, createReadCard } from './read-card.ts'

export function bindCardInfoRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'readers'> & CardReadServices,
): void {
  const readCard = createReadCard(services)
  const readInfo = async (
    context: Context<ApiEnv>,
    { module, reader }: FoundCard,
  ): Promise<CardInfo> => {
    if (!module.info || module.id === tokenModuleId)
      throw createUnsupported(module.id, 'information')
    return (await readCard(context, reader, { kind: 'info', module: module.id })).info
  }
  bind(getCardInfo, async ({ params }, context) => {
    const card = await findCard(services, params)
    // Every module of ours signs digests that the connector has made.
    const module = { name: params.module, isHashedByToken: false }
    if (card.module.id === tokenModuleId) {
      const { info } = await readCard(context, card.reader, { kind: 'token-info' })
      return { data: { info, infoType: 'PKCS11' as const, module } }
    }
    const info = await readInfo(context, card)
    return { data: { ...info, info, infoType: 'TOKEN' as const, module } }
  })
  bind(getCardVersion, async ({ params }, context) => {
    const { applicationVersion } = await readInfo(context, await findCard(services, params))
    return { data: { version: applicationVersion } }
  })
}

export const createUnsupported = (module: string, what: string): Problem =>
  new Problem('card-unsupported', `Cannot read the ${what}: cards of module "${module}" have none`)
