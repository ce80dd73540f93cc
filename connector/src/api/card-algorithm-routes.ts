/** The algorithms with which a card signs, for every module. */
import { listCardAlgorithms } from '@cardwire/protocol/card-token'
import { Problem } from '@cardwire/protocol/problem'
import type { Bind } from '../http/route-types.ts'
import type { DescribedModule, Purpose } from '../sandbox/card-modules/card-module.ts'
import { isRsa, listHashes, readKeyType } from '../sandbox/card-modules/key-type.ts'
import type { ApiServices } from './api-services.ts'
import { findCard } from './find-card.ts'
import { type CardReadServices, createReadCard } from './read-card.ts'

export function bindCardAlgorithmRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'readers'> & CardReadServices,
): void {
  const readCard = createReadCard(services)
  bind(listCardAlgorithms, async ({ params }, context) => {
    const card = await findCard(services, params)
    const { module } = card
    const { certificates, publicKeys = [] } = await readCard(context, card.reader, {
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
