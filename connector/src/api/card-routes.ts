/** Certificates and algorithms of cards, for every module. */
import {
  getAuthenticationCertificate,
  getEncryptionCertificate,
  getIntermediateCertificates,
  getIssuerCertificate,
  getNonRepudiationCertificate,
  getRootCertificate,
  isEmptyBearer,
  listCardAlgorithms,
  listCardCertificates,
  Problem,
  resetBulkPin,
  resetBulkPinByGet,
} from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { Purpose } from '../card-modules/card-module.ts'
import { listHashes, readKeyType } from '../card-modules/key-type.ts'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import {
  readFilter,
  toCertificateAnswer,
  toCertificateList,
  toEarlierAnswer,
  toEarlierList,
} from './card-certificates.ts'
import { findCard, requireCardModule } from './find-card.ts'
import type { Services } from './services.ts'

interface Place {
  readonly module: string
  readonly reader: string
}

/** Operations for one certificate, and what its key is for. */
const singles = [
  [getAuthenticationCertificate, 'authentication'],
  [getNonRepudiationCertificate, 'non-repudiation'],
  [getEncryptionCertificate, 'encryption'],
] as const satisfies readonly (readonly [unknown, Purpose])[]

/** No module of ours has these yet. */
const absent = [
  [getRootCertificate, 'root certificate'],
  [getIntermediateCertificates, 'intermediate certificates'],
  [getIssuerCertificate, 'certificate of the issuer'],
] as const

export function bindCardRoutes(bind: Bind, services: Pick<Services, 'readers' | 'cardAccess'>) {
  const { cardAccess } = services
  const readCertificates = async (place: Place) => {
    const { module, reader } = await findCard(services, place)
    const operation = { kind: 'certificates', module: module.id } as const
    return { module, found: (await cardAccess.run(reader, operation)).certificates }
  }

  bind(listCardCertificates, async ({ params, query }, context) => {
    const { module, found } = await readCertificates(params)
    const list = toCertificateList(module, found, readFilter(query))
    return { data: readsEarlierForm(context) ? toEarlierList(list) : list }
  })

  for (const [operation, purpose] of singles) {
    bind(operation, async ({ params }, context) => {
      const { module, found } = await readCertificates(params)
      const data = toCertificateAnswer(module, found, purpose)
      if (data) return { data: readsEarlierForm(context) ? toEarlierAnswer(data) : data }
      throw new Problem('key-unknown', `Cannot read the certificate for ${purpose}: there is none`)
    })
  }

  for (const [operation, name] of absent) {
    bind(operation, async ({ params }) => {
      await findCard(services, params)
      throw new Problem('key-unknown', `Cannot read the ${name}: the card has none`)
    })
  }

  bind(listCardAlgorithms, async ({ params }) => {
    const { module, found } = await readCertificates(params)
    // Clients ask for the algorithms of a signature; a card may have a key to authenticate with alone.
    const order: readonly Purpose[] = ['non-repudiation', 'authentication']
    for (const purpose of order) {
      const certificate = toCertificateAnswer(module, found, purpose)?.certificate
      const type = certificate && readKeyType(Buffer.from(certificate, 'base64'))
      if (type && module.keyTypes.includes(type)) return { data: { ref: [...listHashes(type)] } }
    }
    throw new Problem('key-unsupported', 'Cannot list the algorithms: no key of the card signs')
  })

  // No PIN outlives the signature that it was given for.
  for (const operation of [resetBulkPin, resetBulkPinByGet]) {
    bind(operation, async ({ params: { module } }) => {
      requireCardModule(module)
      return { data: true }
    })
  }
}

const readsEarlierForm = ({ req }: Context<ApiEnv>) => isEmptyBearer(req.header('authorization'))
