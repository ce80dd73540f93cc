/** Payment cards: applications and issuer keys for every page, data after a question, the whole number by a grant. */
import * as contract from '@cardwire/protocol/payment'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import { emv, paymentPin } from '../sandbox/card-modules/emv.ts'
import type { PaymentKey } from '../sandbox/card-modules/emv-data.ts'
import type { ApiServices } from './api-services.ts'
import { readFilter } from './card-certificates.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { findPresentCard, requireModuleName } from './find-card.ts'
import { createGrantProblem } from './grant-problem.ts'
import { createIdentityGuard, type IdentityGuardServices } from './identity-guard.ts'
import { createPinOperations } from './pin-operation.ts'
import { createReadCard } from './read-card.ts'
import { toOrigin } from './work-queue.ts'

type PaymentRouteServices = IdentityGuardServices &
  Pick<ApiServices, 'counters'> &
  Parameters<typeof createPinOperations>[0]

interface Place {
  readonly module: string
  readonly reader: string
}

/** What legacy clients call cards that are read in the same way. */
const names: ReadonlySet<string> = new Set([emv.id, 'crelan'])
const members = {
  issuer: 'issuerPublicCertificate',
  icc: 'ICCPublicCertificate',
} as const satisfies Record<PaymentKey, keyof contract.PaymentKeyList>

export function bindPaymentRoutes(bind: Bind, services: PaymentRouteServices): void {
  const { cardAccess, counters, log } = services
  const readWithPermission = createIdentityGuard(services)
  const count = createUseCounter(counters, log)(emv.id)
  const readCard = createReadCard(services)
  const { prepare, run } = createPinOperations(services)
  const findCard = createCardFinder(services)
  const { mayReadNumber } = createNumberGuard(services)

  bind(contract.listPaymentApplications, async ({ params }, context) => {
    const { reader } = await findCard(params)
    const operation = { kind: 'payment-applications', module: emv.id } as const
    const { applications } = await readCard(context, reader, operation)
    return { data: { applications: [...applications] } }
  })
  bind(contract.getPaymentData, async ({ params }, context) => {
    const card = await findCard(params)
    const wholePan = mayReadNumber(context)
    const operation = { kind: 'payment-data', module: emv.id, wholePan } as const
    const { data } = await readWithPermission(context, card, ['payment'], (signal) =>
      cardAccess.run(card.reader, operation, { signal, origin: toOrigin(context.get('caller')) }),
    )
    count(context, 'identity-read')
    // The grant may have ended while the user was asked.
    return { data: mayReadNumber(context) ? data : { ...data, pan: mask(data.pan) } }
  })
  bind(contract.verifyPaymentPin, async ({ params, body }, context) => {
    const card = await findCard(params)
    const { triesLeft, pad } = await prepare(context, card, paymentPin)
    const operation = { kind: 'verify', module: emv.id, key: paymentPin.id } as const
    const pinOperation = {
      card,
      key: paymentPin,
      act: 'check',
      wishes: body,
      triesLeft,
      pad,
    } as const
    await run(context, operation, { ...pinOperation, certificate: undefined })
    count(context, 'pin-verification')
    return { data: { verified: true } }
  })
  for (const reset of [contract.resetPaymentBulkPin, contract.resetPaymentBulkPinByGet]) {
    bind(reset, async ({ params }) => {
      requirePaymentModule(params.module)
      return { data: true }
    })
  }
  bindPaymentKeyRoutes(bind, services)
}

/** The public keys of issuers and cards. */
function bindPaymentKeyRoutes(bind: Bind, services: PaymentRouteServices): void {
  const { readers } = services
  const readCard = createReadCard(services)
  const findCard = createCardFinder(services)
  const { mayReadNumber, requireNumber } = createNumberGuard(services)

  const readKeys = async (
    context: Context<ApiEnv>,
    place: Place,
    aid: string,
    keys: readonly PaymentKey[],
  ) => {
    const { reader } = await findCard(place)
    const application = { module: emv.id, aid: aid.toUpperCase() }
    const operation = { kind: 'payment-keys', ...application, keys } as const
    const found = (await readCard(context, reader, operation)).keys
    // The grant may have ended while the card was read.
    return mayReadNumber(context) ? found : found.filter(({ key }) => key !== 'icc')
  }
  const readKey = async (context: Context<ApiEnv>, place: Place, aid: string, key: PaymentKey) => {
    const [found] = await readKeys(context, place, aid, [key])
    if (key === 'icc') requireNumber(context)
    if (found) return { data: toAnswer(found) }
    throw new Problem('key-unknown', 'Cannot read the public key: the application has none')
  }
  const listKeys = async (
    context: Context<ApiEnv>,
    place: Place,
    aid: string,
    query: Readonly<Record<string, unknown>>,
  ) => {
    const filter = readFilter(query)
    const isWanted = (key: PaymentKey) => filter.length === 0 || filter.includes(members[key])
    const all: readonly PaymentKey[] = mayReadNumber(context) ? ['issuer', 'icc'] : ['issuer']
    const found = await readKeys(context, place, aid, all.filter(isWanted))
    const data: contract.PaymentKeyList = Object.fromEntries(
      found.map((key) => [members[key.key], toAnswer(key)]),
    )
    return { data }
  }
  /** Clients for crelan leave it out. */
  const findReader = ({ module }: { readonly module: string }): Place => {
    const withCard = readers.snapshot().readers.filter(({ card }) => card)
    const [only, ...others] = withCard
    if (only && others.length === 0) return { module, reader: only.id }
    const message = only ? 'several readers have one' : 'there is none in any reader'
    throw new Problem('card-absent', `Cannot choose the card: ${message}`)
  }

  bind(contract.listPaymentCertificates, ({ params, query }, context) =>
    listKeys(context, params, params.aid, query),
  )
  bind(contract.getIssuerPublicCertificate, ({ params }, context) =>
    readKey(context, params, params.aid, 'issuer'),
  )
  bind(contract.getIccPublicCertificate, ({ params }, context) => {
    requireNumber(context)
    return readKey(context, params, params.aid, 'icc')
  })
  bind(contract.listPaymentCertificatesAnywhere, ({ params, query }, context) =>
    listKeys(context, findReader(params), params.aid, query),
  )
  bind(contract.getIssuerPublicCertificateAnywhere, ({ params }, context) =>
    readKey(context, findReader(params), params.aid, 'issuer'),
  )
  bind(contract.getIccPublicCertificateAnywhere, ({ params }, context) => {
    requireNumber(context)
    return readKey(context, findReader(params), params.aid, 'icc')
  })
}

function createCardFinder(services: PaymentRouteServices) {
  return async ({ module, reader }: Place) => {
    requirePaymentModule(module)
    return { module: emv, ...(await findPresentCard(services, reader)) }
  }
}

/** The number of a card, and the key from which it follows, are only for pages with the grant `pan`. */
function createNumberGuard({ hasGrant }: Pick<PaymentRouteServices, 'hasGrant'>) {
  const mayReadNumber = (context: Context<ApiEnv>): boolean => {
    const caller = context.get('caller')
    return caller.kind === 'page' && hasGrant(caller.origin, 'pan')
  }
  const requireNumber = (context: Context<ApiEnv>): void => {
    const caller = context.get('caller')
    if (caller.kind !== 'page') {
      throw new Problem('page-unnamed', 'Cannot read the number: only pages have a grant for it')
    }
    if (mayReadNumber(context)) return
    const refused = 'Cannot read the public key of the card, from which its number follows'
    throw createGrantProblem(refused, caller.origin, 'pan')
  }
  return { mayReadNumber, requireNumber }
}

function requirePaymentModule(module: string): void {
  if (names.has(module)) return
  requireModuleName(module)
  const message = `Cannot do this with cards of module "${module}": they are not payment cards`
  throw new Problem('card-unsupported', message)
}

const mask = (pan: string): string => pan.replace(/.(?=.{4})/g, '*')

function toAnswer({ key, ...parts }: { readonly key: PaymentKey } & contract.PaymentKeyParts) {
  const one = { ...parts, certificateType: members[key], id: key }
  return { ...one, certificates: [one] }
}
