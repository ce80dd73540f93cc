/** What a card does for the page: sign its user in, and sign a text. The PIN goes to a window of Cardwire, never through here. */
import type { Card } from '@cardwire/client'
import {
  BackEndError,
  type CheckedSignature,
  checkSignature,
  fetchNonce,
  signIn,
  type User,
} from './back-end.ts'

/** Resolves with who the back end says it is. */
export async function signInWithCard(card: Card, signal: AbortSignal): Promise<User> {
  const nonce = await fetchNonce()
  return signIn(await card.authenticate({ nonce, signal }))
}

/** Resolves with what the back end has checked. */
export async function signText(
  card: Card,
  text: string,
  signal: AbortSignal,
): Promise<CheckedSignature> {
  const [certificate] = await card.certificates({ purpose: 'signature', signal })
  if (!certificate) throw new BackEndError('This card has no key for signatures. Use another card')
  const digest = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  )
  const signature = await card.sign({ key: certificate.id, hash: 'SHA-256', digest, signal })
  return checkSignature({
    text,
    certificate: toBase64(certificate.der),
    signature: toBase64(signature),
  })
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
