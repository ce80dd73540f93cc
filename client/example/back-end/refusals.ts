/** What a user reads when the application doesn't accept a card, by the reasons of `@cardwire/server`. */
import type { AuthenticationFailure, SignatureFailure } from '@cardwire/server'

type Sentences = Readonly<Partial<Record<AuthenticationFailure | SignatureFailure, string>>>

/** What isn't here is a defect of this application. */
const sentences: Sentences = {
  'token-malformed': 'The card’s answer couldn’t be read. Try again',
  'signature-malformed': 'The card’s certificate couldn’t be read. Try again',
  'key-unsupported': 'This application doesn’t support the key on this card. Use another card',
  'certificate-expired': 'The certificate on this card has expired. You need a new card',
  'certificate-not-yet-valid': 'The certificate on this card isn’t valid yet. Try again later',
  'certificate-unsuitable': 'The certificate on this card isn’t meant for this. Use another card',
  'certificate-untrusted':
    'This application doesn’t accept cards from this issuer. Use another card',
  'certificate-revoked': 'This card has been revoked. Contact the issuer of the card',
  'revocation-unknown':
    'The issuer of this card can’t be asked right now whether the card is still valid. Try again later',
  'signature-invalid': 'The card didn’t sign what this page asked for. Try again',
}

/** The sentence for the user. Throws the error itself when it is a defect. */
export function describeRefusal(error: unknown): string {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined
  const sentence = sentences[reason as keyof Sentences]
  if (sentence === undefined) throw error
  return sentence
}

export const noAuthorities =
  'You can’t use a card here yet because this application doesn’t trust any certificate authority'
export const otherUser =
  'This card doesn’t belong to the signed-in user. Insert the card that you signed in with'
