/** The lists of what the back end has checked, in sentences. */
import type { CheckedSignature, Person } from './back-end.ts'
import { getElement } from './screens.ts'

const toDate = (iso: string) => new Date(iso).toLocaleDateString('en', { dateStyle: 'long' })

const describePerson = ({ name, number }: Person) =>
  number === undefined ? name : `${name}, number ${number}`

const describeIssuer = ({ issuer, validUntil }: Person) =>
  `It is from “${issuer}”, which this application accepts, and valid until ${toDate(validUntil)}.`

const revocation = 'Whether it has been revoked: an application of yours asks the authority.'

export function showPersonChecks(person: Person): void {
  showChecks('person-checks', [
    `The card signed the address of this page, ${location.origin}, and a number made for this visit.`,
    `Its certificate is of ${describePerson(person)}.`,
    describeIssuer(person),
  ])
}

export function showSignatureChecks(signed: CheckedSignature): void {
  getElement('signed-text').textContent = signed.text
  showChecks('signature-checks', [
    `The text is the one that was signed, to the last character (SHA-256 ${signed.digest}).`,
    `The certificate is one for signatures, of ${describePerson(signed)}, who is signed in.`,
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
