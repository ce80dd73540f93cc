/** What a card does for the page: sign its user in, and sign a text or an order. The PIN goes to a window of Cardwire, never through here. */
import type { Card, CardCertificate } from '@cardwire/client'
import {
  BackEndError,
  type CheckedSignature,
  type CheckedText,
  checkSignature,
  completeOrder,
  fetchNonce,
  prepareOrder,
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
): Promise<CheckedText> {
  const certificate = await findCertificate(card, signal)
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

/** The back end makes the PDF and its digest, and puts the signature into it. */
export async function signOrder(card: Card, signal: AbortSignal): Promise<CheckedSignature> {
  const certificate = await findCertificate(card, signal)
  const { hash, digest } = await prepareOrder(toBase64(certificate.der))
  const signed = { key: certificate.id, hash, digest: fromBase64(digest), signal }
  return completeOrder(toBase64(await card.sign(signed)))
}

async function findCertificate(card: Card, signal: AbortSignal): Promise<CardCertificate> {
  const [certificate] = await card.certificates({ purpose: 'signature', signal })
  if (certificate) return certificate
  throw new BackEndError('This card has no key for signatures. Use another card')
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
