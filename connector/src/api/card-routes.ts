/** Certificates and algorithms of cards, for every module. */
import {
  getAuthenticationCertificate,
  getEncryptionCertificate,
  getIntermediateCertificates,
  getIssuerCertificate,
  getNonRepudiationCertificate,
  getRootCertificate,
  getTokenConfig,
  isEmptyBearer,
  listCardAlgorithms,
  listCardCertificates,
  Problem,
  resetBulkPin,
  resetBulkPinByGet,
} from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type {
  AuthorityRole,
  DescribedModule,
  Purpose,
} from '../sandbox/card-modules/card-module.ts'
import { isRsa, listHashes, readKeyType } from '../sandbox/card-modules/key-type.ts'
import type { ApiServices } from './api-services.ts'
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
import { createLibraryProblem, type FoundCard, findCard, requireModuleName } from './find-card.ts'
import type { KeptPins } from './kept-pins.ts'
import { isTokenModule, tokenModuleId } from './modules/token-module.ts'

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

type CardRouteServices = Pick<ApiServices, 'readers' | 'cardAccess'> & {
  readonly keptPins: KeptPins
}

export function bindCardRoutes(bind: Bind, services: CardRouteServices): void {
  const { cardAccess, keptPins } = services
  const read = async ({ module, reader }: FoundCard, wanted: Partial<WantedCertificates>) =>
    cardAccess.run(reader, { kind: 'certificates', module: module.id, keys: [], ...wanted })

  bind(listCardCertificates, async ({ params, query }, context) => {
    const card = await findCard(services, params)
    const filter = readFilter(query)
    const found = await read(card, findWanted(card.module, filter))
    const list = toCertificateList(card.module, found, filter)
    return { data: readsEarlierForm(context) ? toEarlierList(list) : list }
  })

  for (const [operation, purpose] of singles) {
    bind(operation, async ({ params }, context) => {
      const card = await findCard(services, params)
      const found = await read(card, { keys: findKeysFor(card.module, purpose) })
      const data = requireReadable(toCertificateAnswer(card.module, found, purpose), found)
      if (data) return { data: readsEarlierForm(context) ? toEarlierAnswer(data) : data }
      throw new Problem('key-unknown', `Cannot read the certificate for ${purpose}: there is none`)
    })
  }

  for (const [operation, role, name] of authorities) {
    bind(operation, async ({ params }, context) => {
      const card = await findCard(services, params)
      const found = await read(card, { authorities: card.module.chain ? [role] : [] })
      const data = requireReadable(toAuthorityAnswer(found, role), found)
      if (data) return { data: readsEarlierForm(context) ? toEarlierAnswer(data) : data }
      throw new Problem('key-unknown', `Cannot read the ${name}: the card has none`)
    })
  }

  bind(getIssuerCertificate, async ({ params }) => {
    await findCard(services, params)
    throw new Problem('key-unknown', 'Cannot read the certificate of the issuer: the card has none')
  })

  bind(listCardAlgorithms, async ({ params }) => {
    const card = await findCard(services, params)
    const { module } = card
    const { certificates, publicKeys = [] } = await cardAccess.run(card.reader, {
      kind: 'certificates',
      module: module.id,
      publicKeys: true,
    })
    const algorithms = findAlgorithms(
      module,
      (id) =>
        certificates.find(({ key }) => key === id)?.certificate ??
        publicKeys.find(({ key }) => key === id)?.publicKey,
    )
    if (algorithms) return { data: { ref: [...algorithms] } }
    throw new Problem('key-unsupported', 'Cannot list the algorithms: no key of the card signs')
  })

  bind(getTokenConfig, async ({ params: { module } }) => {
    if (module !== tokenModuleId) throw createLibraryProblem(module)
    return { data: { macos: '', win: '', linux: '' } }
  })

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

/** Of the first key that signs; `findKeyData`: its certificate or public key, base64. undefined: no key of the card signs. */
function findAlgorithms(
  module: DescribedModule,
  findKeyData: (id: string) => string | undefined,
): readonly string[] | undefined {
  // Clients ask for the algorithms of a signature; a card may have only a key to authenticate with.
  const order: readonly Purpose[] = ['non-repudiation', 'authentication']
  for (const purpose of order) {
    const types = module.keys
      .filter((key) => key.purpose === purpose)
      .flatMap(({ id }) => {
        const data = findKeyData(id)
        return (data === undefined ? undefined : readKeyType(Buffer.from(data, 'base64'))) ?? []
      })
    const type = types.find((one) => module.keyTypes.includes(one))
    if (!type) continue
    const hashes = listHashes(module, type)
    const hasPss = module.signsPss && isRsa(type)
    return [...hashes, ...(hasPss ? hashes.map((hash) => `${hash}-pss`) : [])]
  }
  return undefined
}

/** Throws where no library serves any card or token that is there. */
function requireLibrary({ readers }: Pick<ApiServices, 'readers'>, module: string): void {
  const present = readers.snapshot().readers
  if (!present.some(({ name }) => readers.findLibrary(name))) throw createLibraryProblem(module)
}

const readsEarlierForm = ({ req }: Context<ApiEnv>) => isEmptyBearer(req.header('authorization'))
