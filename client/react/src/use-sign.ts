/** A hook with which a user signs with a card. */
import { type CardCertificate, CardwireError, type SignOptions } from '@cardwire/client'
import { type CardTask, useTask } from './use-task.ts'

/** What the card signs: a hash and its digest, such as those that `prepareSignature` or `preparePdfSignature` returns in your back end. */
export type SignRequest = Omit<SignOptions, 'signal' | 'key'>

/** A signature, and the certificate of the key that made it. */
export interface SignedDigest {
  readonly certificate: CardCertificate
  readonly signature: Uint8Array<ArrayBuffer>
}

/** What signing needs of your back end. */
export interface SignTaskOptions<Result> {
  /** Gives the certificate to your back end, and resolves with what the card signs. */
  readonly prepare: (
    certificate: CardCertificate,
    options: { readonly signal: AbortSignal },
  ) => Promise<SignRequest>
  /** Sends the signature to your back end, which verifies it and says what is signed. */
  readonly complete: (
    signed: SignedDigest,
    options: { readonly signal: AbortSignal },
  ) => Promise<Result>
  /** The reader with the card; default: the first one with a card that can be used. */
  readonly readerId?: string | undefined
}

/** Signs with the card's key for signatures. The user enters the PIN in a window of Cardwire. */
export function useSign<Result>({
  prepare,
  complete,
  readerId,
}: SignTaskOptions<Result>): CardTask<Result> {
  return useTask(async (card, signal) => {
    const [certificate] = await card.certificates({ purpose: 'signature', signal })
    if (!certificate) throw createKeyError()
    const request = await prepare(certificate, { signal })
    const signature = await card.sign({ ...request, key: certificate.id, signal })
    return complete({ certificate, signature }, { signal })
  }, readerId)
}

const createKeyError = (): CardwireError =>
  new CardwireError(
    { code: '100', reason: 'refused' },
    'Cannot sign: the card has no key for signatures',
    { problem: 'key-unknown', wireCode: '108002' },
  )
