/** Certificates and signatures of the keys that the system keeps for the user: the module truststore of deployed clients. */
import * as contract from '@cardwire/client/protocol'
import { Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import { isSignatureOf } from '../sandbox/card-modules/check-signature.ts'
import { digestBytes, type HashName, isRsa } from '../sandbox/card-modules/key-type.ts'
import type { KeyFailure, KeyStore } from '../sandbox/windows-keys/key-store.ts'
import type { PinAct } from '../user/dialogs/pin-request.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { mayAuthenticate, requireGrant } from './authentication-grant.ts'
import { readFilter } from './card-certificates.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { createPageWatch } from './page-watch.ts'
import { describeOwn, listByPurpose, listFor, type OwnCertificate } from './stored-certificates.ts'
import { chooseOwn, listKeyHashes, requireOwn, requireSigning } from './stored-key.ts'
import { createWorkQueue } from './work-queue.ts'

type TrustStoreServices = Pick<
  ApiServices,
  'keyStore' | 'askForKeyUse' | 'hasGrant' | 'counters' | 'log' | 'clock'
> &
  AccessServices

interface Wishes {
  readonly certId?: string | null | undefined
  readonly timeout?: number | null | undefined
  readonly language?: string | null | undefined
}

const defaultTimeoutS = 120
/** Processes that read a list at once, for all pages; the others wait. */
const maxLists = 2
/** Milliseconds that a key may take after the user's answer, with windows of the system. */
const useMs = 180_000

export function bindTrustStoreRoutes(bind: Bind, services: TrustStoreServices): void {
  const { askForKeyUse, hasGrant, counters, log, clock } = services
  const watch = createPageWatch(services)
  const count = createUseCounter(counters, log)('truststore')
  const queueWork = createWorkQueue(maxLists)

  const checkGrant = (context: Context<ApiEnv>, { authenticates }: OwnCertificate) => {
    if (authenticates) requireGrant(hasGrant, context.get('caller'), 'this certificate')
  }

  const requireStore = (context: Context<ApiEnv>): KeyStore => {
    const { keyStore } = services
    // A list waits for a process, and for those before it.
    context.env.keepOpen()
    if (keyStore) return { ...keyStore, list: (name) => queueWork(() => keyStore.list(name)) }
    const message = 'Cannot use module "truststore": it is for Windows alone'
    throw new Problem('card-unsupported', message)
  }

  /** Asks the user, then uses the key; throws the problem for the page. */
  const useKey = async <T>(
    context: Context<ApiEnv>,
    { own, act, wishes }: { own: OwnCertificate; act: PinAct; wishes: Wishes },
    use: (signal: AbortSignal) => Promise<T | KeyFailure>,
  ): Promise<T> => {
    const caller = context.get('caller')
    const origin = caller.kind === 'page' ? caller.origin : undefined
    const ended = watch(context)
    try {
      const { subject, issuer } = describeOwn(own)
      const answer = await askForKeyUse({
        ...{ origin, act, subject, issuer },
        language: wishes.language ?? undefined,
        timeoutMs: (wishes.timeout ?? defaultTimeoutS) * 1000,
        signal: ended.signal,
      })
      ended.check()
      log.info('use of a key asked for', {
        ...{ origin: origin ?? 'a program', act },
        answer: answer === 'accepted' ? answer : answer.problem,
      })
      if (answer !== 'accepted') throw toProblem(answer)
      if (act !== 'check') checkGrant(context, own)
      const result = await use(AbortSignal.any([ended.signal, AbortSignal.timeout(useMs)]))
      ended.check()
      if (isFailure(result)) throw toKeyProblem(result)
      return result
    } finally {
      ended.stop()
    }
  }

  const sign = async (
    context: Context<ApiEnv>,
    wishes: Wishes & { readonly data: string },
    purpose: 'authentication' | 'non-repudiation',
  ) => {
    const store = requireStore(context)
    const digest = readDigest(wishes.data)
    const own = await chooseOwn(store, wishes.certId, purpose, clock())
    const type = requireSigning(own)
    checkGrant(context, own)
    const act = purpose === 'authentication' ? 'authenticate' : 'sign'
    const request = {
      ...{ hash: digest.hash, digest: digest.bytes, isRsa: isRsa(type) },
      ...(mayAuthenticate(hasGrant, context.get('caller')) && { mayAuthenticate: true as const }),
    }
    const signature = await useKey(context, { own, act, wishes }, (signal) =>
      store.sign(own.fingerprint, request, signal),
    )
    if (!isSignatureOf(own.der, digest, signature)) {
      throw new Problem(
        'key-unsupported',
        'Cannot sign with this certificate: Windows signs with another key, or in another form',
      )
    }
    count(context, purpose === 'authentication' ? 'authentication' : 'signature')
    return { data: { data: Buffer.from(signature).toString('base64') } }
  }

  bind(contract.listStoreCertificates, async ({ query }, context) => ({
    data: await listByPurpose(requireStore(context), readFilter(query)),
  }))
  for (const [operation, purpose] of [
    [contract.listStoreRoots, 'root'],
    [contract.listStoreIntermediates, 'intermediate'],
    [contract.listStoreAuthentication, 'authentication'],
    [contract.listStoreNonRepudiation, 'non-repudiation'],
    [contract.listStoreEncryption, 'encryption'],
  ] as const) {
    bind(operation, async (_, context) => ({
      data: { certificates: [...(await listFor(requireStore(context), purpose))] },
    }))
  }
  bind(contract.getStoreCertificate, async ({ body }, context) => ({
    data: describeOwn(await requireOwn(requireStore(context), body.id, 'id')),
  }))
  bind(contract.listStoreAlgorithms, async ({ params }, context) => {
    const own = await requireOwn(requireStore(context), params.id, 'id')
    return { data: { ref: [...listKeyHashes(requireSigning(own))] } }
  })
  bind(contract.verifyStorePin, async ({ body }, context) => {
    const store = requireStore(context)
    const own = await chooseOwn(store, body.certId, 'non-repudiation', clock())
    const asked = { own, act: 'check', wishes: body } as const
    await useKey(context, asked, async (signal) => {
      return (await store.open(own.fingerprint, signal)) ?? true
    })
    count(context, 'pin-verification')
    return { data: true }
  })
  bind(contract.authenticateWithStore, ({ body }, context) => sign(context, body, 'authentication'))
  bind(contract.signWithStore, ({ body }, context) => sign(context, body, 'non-repudiation'))
  bind(contract.resetStorePin, async (_, context) => {
    requireStore(context)
    return { data: true }
  })
}

/** Its length says the hash: deployed clients do not. */
function readDigest(data: string): { readonly hash: HashName; readonly bytes: Uint8Array } {
  const bytes = Buffer.from(data, 'base64')
  for (const hash of ['sha256', 'sha384', 'sha512', 'sha1'] as const)
    if (digestBytes[hash] === bytes.length) return { hash, bytes }
  const message = `expected a digest of 20, 32, 48 or 64 bytes, got ${bytes.length}`
  throw new Problem('input-invalid', `Cannot accept "data": ${message}`, {
    errors: [{ path: 'data', message }],
  })
}

const failures = {
  cancelled: ['pin-cancelled', 'Cannot use the key: the user gave up, or took too long'],
  missing: ['key-unknown', 'Cannot use the key: Windows does not find it now'],
  unsupported: ['key-unsupported', 'Cannot use the key: Windows refuses it for this'],
} as const satisfies Readonly<Record<KeyFailure, readonly [contract.ProblemName, string]>>

const isFailure = (result: unknown): result is KeyFailure =>
  typeof result === 'string' && Object.hasOwn(failures, result)
function toKeyProblem(failure: KeyFailure): Problem {
  const [name, message] = failures[failure]
  return new Problem(name, message)
}

type Refusal = Exclude<Awaited<ReturnType<ApiServices['askForKeyUse']>>, 'accepted'>

const toProblem = ({ problem, reason, retryAfterS }: Refusal): Problem =>
  new Problem(problem, reason, retryAfterS === undefined ? {} : { retryAfterS })
