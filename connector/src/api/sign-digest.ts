/** Signatures by a key of a card: the certificate is read, the user is asked once, the card signs, each use is counted. */
import type { UseCase } from '@cardwire/protocol/counter'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { DescribedKey, DescribedModule, Digest } from '../sandbox/card-modules/card-module.ts'
import { isRsa, type KeyType, listHashes, readKeyType } from '../sandbox/card-modules/key-type.ts'
import type { ApiServices } from './api-services.ts'
import { createUseCounter } from './counters/use-counter.ts'
import type { FoundCard } from './find-card.ts'
import type { DialogWishes } from './pin-call.ts'
import type { createPinOperations } from './pin-operation.ts'

export interface DigestRequest {
  readonly card: FoundCard
  readonly key: DescribedKey
  readonly wishes: DialogWishes
  /** What the user is asked for, and what is counted. */
  readonly act: 'sign' | 'authenticate'
  /** Whether the key has to have a certificate; a public key alone does otherwise. */
  readonly needsCertificate?: boolean
  /** Throws when the page may not have this, or not any more, with a key of this certificate (base64). */
  readonly check?: ((certificate: string) => void) | undefined
  /** Whether a key may sign that authenticates: the process of the card refuses it otherwise. */
  readonly mayAuthenticate: boolean
  /** What is signed, by a key of this kind. */
  readonly toDigests: (type: KeyType) => Digests
}

export interface Digests {
  readonly hash: Digest['hash']
  readonly padding?: Digest['padding']
  readonly all: readonly Uint8Array[]
}

export interface CardSignatures {
  /** Base64, one for each digest: PKCS #1 v1.5 of RSA keys; r and s, one after the other, of elliptic ones. */
  readonly signatures: readonly string[]
  /** Of the key, or where it has none, its public key: DER as base64. */
  readonly certificate: string
  readonly type: KeyType
}

export type SignDigests = (
  context: Context<ApiEnv>,
  request: DigestRequest,
) => Promise<CardSignatures>

export function createDigestSigner(
  { prepare, run }: ReturnType<typeof createPinOperations>,
  { counters, log }: Pick<ApiServices, 'counters' | 'log'>,
): SignDigests {
  const count = createUseCounter(counters, log)
  return async (context, request) => {
    const { card, key, wishes, act, needsCertificate, toDigests } = request
    const { publicKey, certificate = publicKey, triesLeft, pad } = await prepare(context, card, key)
    if (certificate === undefined) {
      throw new Problem('key-unknown', `Cannot sign with key "${key.id}": the card has none`)
    }
    if (needsCertificate && publicKey !== undefined) throw createUnsupported(key, 'a certificate')
    const type = requireKeyType(card.module, key, certificate)
    const check = () => request.check?.(certificate)
    check()
    const { hash, all, padding } = toDigests(type)
    const digests = all.map((bytes) => Buffer.from(bytes).toString('base64'))
    requireHash(card.module, key, type, hash)
    if (padding && !(card.module.signsPss && isRsa(type))) {
      throw createUnsupported(key, 'one of RSA that signs with RSASSA-PSS')
    }
    const operation = {
      kind: 'sign',
      module: card.module.id,
      key: key.id,
      certificate,
      hash,
      ...(padding && { padding }),
      digests,
      ...(request.mayAuthenticate && { mayAuthenticate: true as const }),
    } as const
    const read = { certificate, triesLeft, pad, count: all.length }
    const { signatures } = await run(context, operation, { card, key, act, wishes, check, ...read })
    const useCase: UseCase = act === 'sign' ? 'signature' : 'authentication'
    for (const _ of signatures) count(card.module.id)(context, useCase)
    return { signatures, certificate, type }
  }
}

function requireKeyType(
  { keyTypes }: DescribedModule,
  key: DescribedKey,
  certificate: string,
): KeyType {
  if (key.signs === false) throw createUnsupported(key, 'one that signs')
  const type = readKeyType(Buffer.from(certificate, 'base64'))
  if (type && keyTypes.includes(type)) return type
  throw createUnsupported(key, keyTypes.join(', '))
}

const createUnsupported = ({ id }: DescribedKey, expected: string): Problem =>
  new Problem('key-unsupported', `Cannot sign with key "${id}": expected ${expected}`)

function requireHash(
  module: DescribedModule,
  { id }: DescribedKey,
  type: KeyType,
  hash: Digest['hash'],
): void {
  const known = listHashes(module, type)
  if (known.includes(hash)) return
  const message = `Cannot sign with key "${id}": expected one of ${known.join(', ')}`
  throw new Problem('key-unsupported', message)
}
