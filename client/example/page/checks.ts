/** The lists of what the back end has checked, in sentences. */
import type { CheckedSignature, CheckedText, User } from './back-end.ts'
import { getElement } from './screens.ts'

const toDate = (iso: string) => new Date(iso).toLocaleDateString('en', { dateStyle: 'long' })

const describeUser = ({ name, number }: User) =>
  number === undefined ? name : `${name}, number ${number}`

const describeIssuer = ({ issuer, validUntil }: User) =>
  `It was issued by “${issuer}”, which this application trusts, and is valid until ${toDate(validUntil)}.`

const revocation = 'The certificate authority has not revoked it.'

export function showUserChecks(user: User): void {
  showChecks('user-checks', [
    `The card signed the origin of this page, ${location.origin}, and a number created for this visit.`,
    `The certificate was issued to ${describeUser(user)}.`,
    describeIssuer(user),
  ])
}

export function showSignatureChecks(signed: CheckedText): void {
  getElement('signed-text').textContent = signed.text
  showChecks('signature-checks', [
    `The text is exactly what was signed (SHA-256 ${signed.digest}).`,
    `The certificate is for signatures and was issued to ${describeUser(signed)}, who is signed in.`,
    describeIssuer(signed),
  ])
}

export function showOrderChecks(signed: CheckedSignature): void {
  showChecks('order-checks', [
    `The PDF has one signature, and nothing was added after it (SHA-256 ${signed.digest}).`,
    `The certificate is for signatures and was issued to ${describeUser(signed)}, who is signed in.`,
    describeIssuer(signed),
  ])
}

function showChecks(id: string, sentences: readonly string[]): void {
  const items = [...sentences, revocation].map((sentence) => {
    const item = document.createElement('li')
    item.textContent = sentence
    return item
  })
  getElement(id).replaceChildren(...items)
}
