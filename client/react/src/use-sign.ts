/** A hook with which a user signs with a card. */
import { type CardCertificate, CardwireError, type SignOptions } from '@cardwire/client'
import { type CardTask, useTask } from './use-task.ts'

/** What is signed, and how. */
export type SignRequest = Omit<SignOptions, 'signal' | 'key'>

/** A signature, and the certificate of the key that made it. */
export interface SignedDigest {
  readonly certificate: CardCertificate
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Signs a digest with the card's key for signatures. The user enters the PIN in a window of Cardwire. */
export function useSign({
  readerId,
}: {
  readonly readerId?: string | undefined
} = {}): CardTask<[request: SignRequest], SignedDigest> {
  return useTask(async (card, signal, request: SignRequest) => {
    const [certificate] = await card.certificates({ purpose: 'signature', signal })
    if (!certificate) throw createKeyError()
    const signature = await card.sign({ ...request, key: certificate.id, signal })
    return { certificate, signature }
  }, readerId)
}

const createKeyError = (): CardwireError =>
  new CardwireError(
    { code: '100', reason: 'refused' },
    'Cannot sign: the card has no key for signatures',
    { problem: 'key-unknown', wireCode: '108002' },
  )
