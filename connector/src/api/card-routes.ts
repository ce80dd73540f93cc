/** Certificates of cards, for every module. */
import {
  getAuthenticationCertificate,
  getEncryptionCertificate,
  getIntermediateCertificates,
  getIssuerCertificate,
  getNonRepudiationCertificate,
  getRootCertificate,
  getTokenConfig,
  listCardCertificates,
} from '@cardwire/protocol/card-token'
import { isEmptyBearer } from '@cardwire/protocol/empty-bearer'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { AuthorityRole, Purpose } from '../sandbox/card-modules/card-module.ts'
import type { ApiServices } from './api-services.ts'
import { bindBulkPinRoutes } from './bulk-pin-routes.ts'
import { bindCardAlgorithmRoutes } from './card-algorithm-routes.ts'
import {
  findKeysFor,
  findWanted,
  readFilter,
  requireReadable,
  toAuthorityAnswer,
  toCertificateAnswer,
  toCertificateList,
  toEarlierAnswer,
  toEarlierList,
  type WantedCertificates,
} from './card-certificates.ts'
import { createLibraryProblem, type FoundCard, findCard } from './find-card.ts'
import type { KeptPins } from './kept-pins.ts'
import { tokenModuleId } from './modules/token-module.ts'
import { type CardReadServices, createReadCard } from './read-card.ts'

/** Operations for one certificate, and what its key is for. */
const singles = [
  [getAuthenticationCertificate, 'authentication'],
  [getNonRepudiationCertificate, 'non-repudiation'],
  [getEncryptionCertificate, 'encryption'],
] as const satisfies readonly (readonly [unknown, Purpose])[]

/** Operations for the certificates of authorities, and what they are called. */
const authorities = [
  [getRootCertificate, 'root', 'root certificate'],
  [getIntermediateCertificates, 'intermediate', 'intermediate certificates'],
] as const satisfies readonly (readonly [unknown, AuthorityRole, string])[]

type CardRouteServices = Pick<ApiServices, 'readers'> &
  CardReadServices & { readonly keptPins: KeptPins }

export function bindCardRoutes(bind: Bind, services: CardRouteServices): void {
  const readCard = createReadCard(services)
  const read = (
    context: Context<ApiEnv>,
    { module, reader }: FoundCard,
    wanted: Partial<WantedCertificates>,
  ) => readCard(context, reader, { kind: 'certificates', module: module.id, keys: [], ...wanted })

  bind(listCardCertificates, async ({ params, query }, context) => {
    const card = await findCard(services, params)
    const filter = readFilter(query)
    const found = await read(context, card, findWanted(card.module, filter))
    const list = toCertificateList(card.module, found, filter)
    return { data: readsEarlierForm(context) ? toEarlierList(list) : list }
  })

  for (const [operation, purpose] of singles) {
    bind(operation, async ({ params }, context) => {
      const card = await findCard(services, params)
      const found = await read(context, card, { keys: findKeysFor(card.module, purpose) })
      const data = requireReadable(toCertificateAnswer(card.module, found, purpose), found)
      if (data) return { data: readsEarlierForm(context) ? toEarlierAnswer(data) : data }
      throw new Problem('key-unknown', `Cannot read the certificate for ${purpose}: there is none`)
    })
  }

  for (const [operation, role, name] of authorities) {
    bind(operation, async ({ params }, context) => {
      const card = await findCard(services, params)
      const found = await read(context, card, { authorities: card.module.chain ? [role] : [] })
      const data = requireReadable(toAuthorityAnswer(found, role), found)
      if (data) return { data: readsEarlierForm(context) ? toEarlierAnswer(data) : data }
      throw new Problem('key-unknown', `Cannot read the ${name}: the card has none`)
    })
  }

  bind(getIssuerCertificate, async ({ params }) => {
    await findCard(services, params)
    throw new Problem('key-unknown', 'Cannot read the certificate of the issuer: the card has none')
  })

  bind(getTokenConfig, async ({ params: { module } }) => {
    if (module !== tokenModuleId) throw createLibraryProblem(module)
    return { data: { macos: '', win: '', linux: '' } }
  })

  bindCardAlgorithmRoutes(bind, services)
  bindBulkPinRoutes(bind, services)
}

const readsEarlierForm = ({ req }: Context<ApiEnv>) => isEmptyBearer(req.header('authorization'))
