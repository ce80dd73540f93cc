/** One signature by a key of a card: the certificate is read, the person is asked, the card signs, the use is counted. */
import { Problem, type UseCase } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { CardKey, CardModule, Digest } from '../card-modules/card-module.ts'
import { type KeyType, listHashes, readKeyType } from '../card-modules/key-type.ts'
import { createUseCounter } from '../counters/use-counter.ts'
import type { ApiEnv } from '../http/route-types.ts'
import type { FoundCard } from './find-card.ts'
import type { createPinOperations, DialogWishes } from './pin-operation.ts'
import type { Services } from './services.ts'

export interface DigestRequest {
  readonly card: FoundCard
  readonly key: CardKey
  readonly wishes: DialogWishes
  /** What is signed, for a key of this kind. */
  readonly toDigest: (type: KeyType) => Digest
}

export interface CardSignature {
  /** Base64: PKCS #1 v1.5 of RSA keys; r and s, one after the other, of elliptic ones. */
  readonly signature: string
  /** Of the key: DER as base64. */
  readonly certificate: string
  readonly type: KeyType
}

export type SignDigest = (
  context: Context<ApiEnv>,
  request: DigestRequest,
) => Promise<CardSignature>

export function createDigestSigner(
  { prepare, run }: ReturnType<typeof createPinOperations>,
  { counters, log }: Pick<Services, 'counters' | 'log'>,
): SignDigest {
  const count = createUseCounter(counters, log)
  return async (context, { card, key, wishes, toDigest }) => {
    const { certificate, triesLeft } = await prepare(card, key)
    if (certificate === undefined) {
      throw new Problem('key-unknown', `Cannot sign with key "${key.id}": the card has none`)
    }
    const type = requireKeyType(card.module, key, certificate)
    const { hash, bytes } = toDigest(type)
    const digests = [Buffer.from(bytes).toString('base64')]
    requireHash(key, type, hash)
    const operation = {
      kind: 'sign',
      module: card.module.id,
      key: key.id,
      certificate,
      hash,
      digests,
    } as const
    const isSignature = key.purpose === 'non-repudiation'
    const act = isSignature ? 'sign' : 'authenticate'
    const asked = { card, key, act, wishes, certificate, triesLeft } as const
    const [signature = ''] = (await run(context, operation, asked)).signatures
    const useCase: UseCase = isSignature ? 'signature' : 'authentication'
    count(card.module.id)(context, useCase)
    return { signature, certificate, type }
  }
}

function requireKeyType({ keyTypes }: CardModule, { id }: CardKey, certificate: string): KeyType {
  const type = readKeyType(Buffer.from(certificate, 'base64'))
  if (type && keyTypes.includes(type)) return type
  throw new Problem(
    'key-unsupported',
    `Cannot sign with key "${id}": expected ${keyTypes.join(', ')}`,
  )
}

function requireHash({ id }: CardKey, type: KeyType, hash: Digest['hash']): void {
  if (listHashes(type).includes(hash)) return
  const message = `Cannot sign with key "${id}": expected one of ${listHashes(type).join(', ')}`
  throw new Problem('key-unsupported', message)
}
