/** Certificates of cards in the form that clients of every version read. */
import {
  type CardCertificate,
  type CertificateAnswer,
  type CertificateList,
  type EarlierCertificateAnswer,
  type EarlierCertificateList,
  Problem,
} from '@cardwire/client/protocol'
import type { CardModule, Purpose } from '../card-modules/card-module.ts'
import type { FoundCertificate } from '../ipc/card-messages.ts'
import { toJson } from '../modules/x509.ts'

/** The member of a list for each purpose. */
const members: Readonly<Record<Purpose, keyof CertificateList>> = {
  authentication: 'authenticationCertificate',
  'non-repudiation': 'nonRepudiationCertificate',
  encryption: 'encryptionCertificate',
}
const purposes = Object.keys(members) as readonly Purpose[]

/** The names in a query: `filter=a,b`, and `0=a&1=b` or `filters[]=a` of deployed clients that pass on what a page gave them. */
export const readFilter = (query: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(query)
    .filter(([name]) => /^(filters?(\[\d*\])?|\d+)$/.test(name))
    .flatMap(([, value]) => String(value).split(','))
    .map((name) => name.trim())
    .filter(Boolean)

/** By purpose; those without a certificate are absent, because clients take an empty list for a defect. */
export function toCertificateList(
  module: CardModule,
  found: readonly FoundCertificate[],
  filter: readonly string[],
): CertificateList {
  const wanted = purposes.filter((purpose) => isWanted(members[purpose], filter))
  return Object.fromEntries(
    wanted.flatMap((purpose) => {
      const answer = toCertificateAnswer(module, found, purpose)
      return answer ? [[members[purpose], answer]] : []
    }),
  )
}

/** undefined: the card has none for this purpose. */
export function toCertificateAnswer(
  module: CardModule,
  found: readonly FoundCertificate[],
  purpose: Purpose,
): CertificateAnswer | undefined {
  const certificates = found.flatMap(({ key, certificate }) => {
    const of = module.keys.find(({ id }) => id === key)
    return of?.purpose === purpose ? toCertificate(key, purpose, certificate) : []
  })
  const [first] = certificates
  if (!first) return undefined
  const { certificate, certificateType, id } = first
  return { certificate, certificateType, id, certificates }
}

export const toEarlierAnswer = (answer: CertificateAnswer): EarlierCertificateAnswer => ({
  ...answer,
  certificates: answer.certificates.map(({ certificate }) => certificate),
})

export const toEarlierList = (list: CertificateList): EarlierCertificateList =>
  Object.fromEntries(
    Object.entries(list).flatMap(([member, answer]) =>
      answer ? [[member, toEarlierAnswer(answer)]] : [],
    ),
  )

/** One that cannot be read is left out: none of its members could be told. */
function toCertificate(id: string, purpose: Purpose, certificate: string): CardCertificate[] {
  try {
    const { subject, issuer, serial } = toJson(certificate)
    return [{ certificate, certificateType: purpose, id, subject, issuer, serialNumber: serial }]
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

/** Filters name members as they are, or as paths do: `authentication-certificate`. */
const isWanted = (member: string, filter: readonly string[]): boolean =>
  filter.length === 0 || filter.some((name) => reduce(name) === reduce(member))

const reduce = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/cert(ificate)?s?$/, '')
