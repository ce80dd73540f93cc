/** PINs and signatures of cards, for every module: each needs the user, in a dialog of its own. */
import { createHash } from 'node:crypto'
import {
  authenticateWithCard,
  Problem,
  signDataWithCard,
  signDigestsWithCard,
  signWithCard,
  verifyCardPin,
} from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import { canAuthenticate } from '../pki/key-usage.ts'
import type { DescribedKey, Purpose } from '../sandbox/card-modules/card-module.ts'
import { curveBytes, type HashName, type KeyType } from '../sandbox/card-modules/key-type.ts'
import { toDerSignature } from '../sandbox/card-modules/signature.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { mayAuthenticate, requireGrant } from './authentication-grant.ts'
import { bindAuthenticationRoutes } from './authentication-routes.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { findCard } from './find-card.ts'
import type { KeptPins } from './kept-pins.ts'
import type { DialogWishes } from './pin-call.ts'
import { createPinOperations } from './pin-operation.ts'
import { createDigestSigner } from './sign-digest.ts'
import { chooseKey, readAlgorithm, readDigest } from './signing-input.ts'

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

interface Place {
  readonly module: string
  readonly reader: string
}

interface SigningBody extends DialogWishes {
  readonly algorithm: string
  readonly id?: string | null | undefined
  readonly format?: 'raw' | 'der' | undefined
}

export function bindSigningRoutes(bind: Bind, services: SigningRouteServices): void {
  const { counters, log, hasGrant } = services
  const operations = createPinOperations(services)
  const { prepare, run } = operations
  const signDigests = createDigestSigner(operations, services)
  const count = createUseCounter(counters, log)

  bind(verifyCardPin, async ({ params, body }, context) => {
    const card = await findCard(services, params)
    const key = chooseKey(card.module, body.id, 'non-repudiation')
    const { publicKey, certificate = publicKey, triesLeft, pad } = await prepare(card, key)
    const operation = {
      kind: 'verify',
      module: card.module.id,
      key: key.id,
      ...(certificate !== undefined && { certificate }),
    } as const
    const asked = { card, key, act: 'check', wishes: body, certificate, triesLeft, pad } as const
    await run(context, operation, asked)
    count(card.module.id)(context, 'pin-verification')
    return { data: { verified: true } }
  })

  /** `toDigests` is called before the card is asked anything. */
  const sign = async (
    context: Context<ApiEnv>,
    params: Place,
    body: SigningBody,
    purpose: Purpose,
    toDigests: (hash: HashName) => readonly Uint8Array[],
  ) => {
    const { hash, padding } = readAlgorithm(body.algorithm)
    const all = toDigests(hash)
    const card = await findCard(services, params)
    const key = chooseKey(card.module, body.id, purpose)
    const caller = context.get('caller')
    const check = (certificate?: string) => {
      if (canKeyAuthenticate(key, certificate)) requireGrant(hasGrant, caller, `key "${key.id}"`)
    }
    check()
    const authenticates = purpose === 'authentication'
    const { signatures, type } = await signDigests(context, {
      card,
      key,
      wishes: body,
      // What a page has chosen may be a signature that counts.
      act: key.purpose === 'non-repudiation' || key.alsoSigns ? 'sign' : 'authenticate',
      check,
      mayAuthenticate: mayAuthenticate(hasGrant, caller),
      needsCertificate: authenticates,
      toDigests: (type) => {
        if (authenticates) requireAuthenticationKey(type)
        return { hash, all, padding }
      },
    })
    return signatures.map((signature) => toFormat(signature, type, body.format))
  }
  const signOne = async (
    context: Context<ApiEnv>,
    params: Place,
    body: SigningBody,
    purpose: Purpose,
    toDigest: (hash: HashName) => Uint8Array,
  ) => {
    const [data = ''] = await sign(context, params, body, purpose, (hash) => [toDigest(hash)])
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
    return { data: { signatures: await sign(context, params, body, 'non-repudiation', read) } }
  })
}

/** As its place on the card says, or its certificate (base64), as soon as that is read. */
const canKeyAuthenticate = (
  { purpose, authenticates }: DescribedKey,
  certificate: string | undefined,
): boolean =>
  purpose !== 'non-repudiation' ||
  authenticates === true ||
  (certificate !== undefined && canAuthenticate(Buffer.from(certificate, 'base64')))

/** Deployed clients ask for it in the address. */
const addBulk = <B extends SigningBody>(
  body: B,
  { bulk }: { readonly bulk?: string | undefined },
) => ({
  ...body,
  isBulk: bulk === 'true',
})

/** One that authenticates has a certificate, and an algorithm that verifiers know (docs/decisions/0091-keys-without-certificates.md). */
function requireAuthenticationKey(type: KeyType): void {
  if (type === 'Ed25519') {
    throw new Problem('key-unsupported', 'Cannot authenticate with a key of Ed25519')
  }
}

/** Both are base64; one by RSA or Ed25519 has one form. */
function toFormat(signature: string, type: KeyType, format: SigningBody['format']): string {
  if (format !== 'der' || curveBytes[type] === undefined) return signature
  return Buffer.from(toDerSignature(Buffer.from(signature, 'base64'))).toString('base64')
}
