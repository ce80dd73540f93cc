/** What cards say about their holders, for every module. */
import {
  getCardAddress,
  getCardBiometric,
  getCardIdentity,
  getCardPicture,
  type IdentityPart,
} from '@cardwire/protocol/card-identity'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { DescribedModule } from '../sandbox/card-modules/card-module.ts'
import type { ApiServices } from './api-services.ts'
import { bindCardInfoRoutes, createUnsupported } from './card-info-routes.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { findCard } from './find-card.ts'
import { createIdentityGuard, type IdentityGuardServices } from './identity-guard.ts'

interface Place {
  readonly module: string
  readonly reader: string
}

export function bindIdentityRoutes(
  bind: Bind,
  services: IdentityGuardServices & Pick<ApiServices, 'counters'>,
): void {
  const { cardAccess, counters, log } = services
  const readWithPermission = createIdentityGuard(services)
  const count = createUseCounter(counters, log)

  /** Those of the parts that the card has. */
  const read = async (
    context: Context<ApiEnv>,
    params: Place,
    choose: (has: readonly IdentityPart[]) => readonly IdentityPart[],
  ) => {
    const card = await findCard(services, params)
    const { id } = card.module
    const has = listParts(card.module)
    const parts = choose(has)
    if (parts.length === 0) return {}
    const operation = { kind: 'identity', module: id, parts } as const
    const { identity } = await readWithPermission(context, card, has, (signal) =>
      cardAccess.run(card.reader, operation, { signal }),
    )
    if (Object.keys(identity).length > 0) count(id)(context, 'identity-read')
    return identity
  }

  const readOne = async <P extends IdentityPart>(
    context: Context<ApiEnv>,
    params: Place,
    part: P,
  ) => {
    const identity = await read(context, params, (has) => {
      if (has.includes(part)) return [part]
      throw createUnsupported(params.module, part)
    })
    const data = identity[part]
    if (data) return { data }
    throw new Problem('card-mute', `Cannot read the ${part}: the card’s response is not valid`)
  }

  bind(getCardIdentity, async ({ params, query: { filter } }, context) => ({
    data: await read(context, params, (has) => filterParts(has, filter)),
  }))
  bind(getCardBiometric, ({ params }, context) => readOne(context, params, 'biometric'))
  bind(getCardAddress, ({ params }, context) => readOne(context, params, 'address'))
  bind(getCardPicture, ({ params }, context) => readOne(context, params, 'picture'))

  bindCardInfoRoutes(bind, services)
}

function listParts({ id, identity }: DescribedModule): readonly IdentityPart[] {
  if (identity) return identity.parts
  throw createUnsupported(id, 'identity data')
}

/** Without names in the filter all. */
function filterParts(
  has: readonly IdentityPart[],
  filter: string | undefined,
): readonly IdentityPart[] {
  const names = (filter ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
  return names.length === 0 ? has : has.filter((part) => names.includes(part))
}
