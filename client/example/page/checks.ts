/** The lists of what the back end has checked, in sentences. */
import type { CheckedSignature, User } from './back-end.ts'
import { getElement } from './screens.ts'

const toDate = (iso: string) => new Date(iso).toLocaleDateString('en', { dateStyle: 'long' })

const describeUser = ({ name, number }: User) =>
  number === undefined ? name : `${name}, number ${number}`

const describeIssuer = ({ issuer, validUntil }: User) =>
  `It is from “${issuer}”, which this application accepts, and valid until ${toDate(validUntil)}.`

const revocation = 'Whether it has been revoked: an application of yours asks the authority.'

export function showUserChecks(user: User): void {
  showChecks('user-checks', [
    `The card signed the address of this page, ${location.origin}, and a number made for this visit.`,
    `Its certificate is of ${describeUser(user)}.`,
    describeIssuer(user),
  ])
}

export function showSignatureChecks(signed: CheckedSignature): void {
  getElement('signed-text').textContent = signed.text
  showChecks('signature-checks', [
    `The text is the one that was signed, to the last character (SHA-256 ${signed.digest}).`,
    `The certificate is one for signatures, of ${describeUser(signed)}, who is signed in.`,
    describeIssuer(signed),
  ])
}

function showChecks(id: string, sentences: readonly string[]): void {
  const items = [...sentences, revocation].map((sentence) => {
    const item = document.createElement('li')
    item.textContent = sentence
    item.classList.toggle('unchecked', sentence === revocation)
    return item
  })
  getElement(id).replaceChildren(...items)
}
