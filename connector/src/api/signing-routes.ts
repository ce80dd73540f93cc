/** PINs and signatures of cards, for every module: each needs the user, in a dialog of its own. */
import { createHash } from 'node:crypto'
import {
  authenticateWithCard,
  signDataWithCard,
  signDigestsWithCard,
  signWithCard,
  verifyCardPin,
} from '@cardwire/protocol/card-signing'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { Purpose } from '../sandbox/card-modules/card-module.ts'
import type { HashName } from '../sandbox/card-modules/key-type.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { bindAuthenticationRoutes } from './authentication-routes.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { findCard } from './find-card.ts'
import type { KeptPins } from './kept-pins.ts'
import { createPageSigner, type SigningBody, type SigningPlace } from './page-signer.ts'
import { createPinOperations } from './pin-operation.ts'
import { createDigestSigner } from './sign-digest.ts'
import { chooseKey, readDigest } from './signing-input.ts'

type SigningRouteServices = Pick<
  ApiServices,
  | 'readers'
  | 'cardAccess'
  | 'requestPin'
  | 'usePad'
  | 'confirmAttempt'
  | 'pinPauses'
  | 'hasGrant'
  | 'deviceEncryptionKey'
  | 'counters'
  | 'log'
> &
  AccessServices & { readonly keptPins: KeptPins }

export function bindSigningRoutes(bind: Bind, services: SigningRouteServices): void {
  const { counters, log } = services
  const operations = createPinOperations(services)
  const { prepare, run } = operations
  const signDigests = createDigestSigner(operations, services)
  const sign = createPageSigner(services, signDigests)
  const count = createUseCounter(counters, log)

  bind(verifyCardPin, async ({ params, body }, context) => {
    const card = await findCard(services, params)
    const key = chooseKey(card.module, body.id, 'non-repudiation')
    const { publicKey, certificate = publicKey, triesLeft, pad } = await prepare(context, card, key)
    const operation = {
      kind: 'verify',
      module: card.module.id,
      key: key.id,
      ...(certificate !== undefined && { certificate }),
    } as const
    const pinOperation = {
      card,
      key,
      act: 'check',
      wishes: body,
      certificate,
      triesLeft,
      pad,
    } as const
    await run(context, operation, pinOperation)
    count(card.module.id)(context, 'pin-verification')
    return { data: { verified: true } }
  })

  const signOne = async (
    context: Context<ApiEnv>,
    place: SigningPlace,
    body: SigningBody,
    purpose: Purpose,
    toDigest: (hash: HashName) => Uint8Array,
  ) => {
    const [data = ''] = await sign(context, place, body, purpose, (hash) => [toDigest(hash)])
    return { data: { data } }
  }

  bindAuthenticationRoutes(bind, services, signDigests)
  bind(authenticateWithCard, ({ params, body }, context) =>
    signOne(context, params, body, 'authentication', (hash) => readDigest(body.data, hash, 'data')),
  )
  bind(signWithCard, ({ params, body, query }, context) =>
    signOne(context, params, addBulk(body, query), 'non-repudiation', (hash) =>
      readDigest(body.data, hash, 'data'),
    ),
  )
  bind(signDataWithCard, ({ params, body, query }, context) =>
    signOne(context, params, addBulk(body, query), 'non-repudiation', (hash) =>
      createHash(hash).update(body.data, 'base64').digest(),
    ),
  )
  bind(signDigestsWithCard, async ({ params, body }, context) => {
    const read = (hash: HashName) =>
      body.digests.map((digest, at) => readDigest(digest, hash, `digests[${at}]`))
    const signatures = await sign(context, params, body, 'non-repudiation', read)
    return { data: { signatures: [...signatures] } }
  })
}

/** Legacy clients ask for it in the address. */
const addBulk = <B extends SigningBody>(
  body: B,
  { bulk }: { readonly bulk?: string | undefined },
) => ({
  ...body,
  isBulk: bulk === 'true',
})
