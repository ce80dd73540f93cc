/** Certificates of cards in the form that clients of every version read. */
import type {
  CardCertificate,
  CertificateAnswer,
  CertificateList,
  EarlierCertificateAnswer,
  EarlierCertificateList,
} from '@cardwire/protocol/card-token'
import { Problem } from '@cardwire/protocol/problem'
import type {
  AuthorityRole,
  DescribedKey,
  DescribedModule,
  Purpose,
} from '../sandbox/card-modules/card-module.ts'
import type { FoundAuthority, FoundCertificate } from '../system/ipc/card-messages.ts'
import { toJson } from './modules/x509.ts'

/** The member of a list for the certificates of each purpose, and for those of authorities. */
const members: Readonly<Record<Purpose | AuthorityRole, keyof CertificateList>> = {
  authentication: 'authenticationCertificate',
  'non-repudiation': 'nonRepudiationCertificate',
  encryption: 'encryptionCertificate',
  intermediate: 'intermediateCertificates',
  root: 'rootCertificate',
}
const purposes = ['authentication', 'non-repudiation', 'encryption'] as const
const roles = ['intermediate', 'root'] as const

/** As a card process found them. */
export interface CertificatesOfCard {
  readonly certificates: readonly FoundCertificate[]
  readonly authorities?: readonly FoundAuthority[] | undefined
}

export interface WantedCertificates {
  /** Ids. */
  readonly keys: readonly string[]
  readonly authorities: readonly AuthorityRole[]
}

/** What is read for a list with this filter, and nothing else: cards are slow, and what cannot be read may not be needed. */
export function findWanted(module: DescribedModule, filter: readonly string[]): WantedCertificates {
  const wanted = purposes.filter((purpose) => isWanted(members[purpose], filter))
  const isOfKey = (key: DescribedKey) => wanted.some((purpose) => isFor(key, purpose))
  return {
    keys: module.keys.filter(isOfKey).map(({ id }) => id),
    authorities: module.chain ? roles.filter((role) => isWanted(members[role], filter)) : [],
  }
}

export const findKeysFor = ({ keys }: DescribedModule, purpose: Purpose): readonly string[] =>
  keys.filter((key) => isFor(key, purpose)).map(({ id }) => id)

const isFor = (key: DescribedKey, purpose: Purpose): boolean =>
  key.purpose === purpose || (key.alsoSigns === true && purpose === 'non-repudiation')

/** The card has given certificates, and none of them is one. */
export function requireReadable<T>(
  answer: T | undefined,
  found: CertificatesOfCard,
): T | undefined {
  const { certificates, authorities = [] } = found
  if (answer !== undefined || certificates.length + authorities.length === 0) return answer
  const message = 'Cannot read the certificates: the card does not give them as it should'
  throw new Problem('card-mute', message)
}

/** The names in a query: `filter=a,b`, and `0=a&1=b` or `filters[]=a` of legacy clients that pass on what a page gave them. */
export const readFilter = (query: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(query)
    .filter(([name]) => /^(filters?(\[\d*\])?|\d+)$/.test(name))
    .flatMap(([, value]) => String(value).split(','))
    .map((name) => name.trim())
    .filter(Boolean)

/** By purpose; those without a certificate are absent, because clients take an empty list for a defect. */
export function toCertificateList(
  module: DescribedModule,
  found: CertificatesOfCard,
  filter: readonly string[],
): CertificateList {
  const answers = [
    ...purposes.map((purpose) => [purpose, toCertificateAnswer(module, found, purpose)] as const),
    ...roles.map((role) => [role, toAuthorityAnswer(found, role)] as const),
  ]
  const list = answers.flatMap(([name, answer]) =>
    answer && isWanted(members[name], filter) ? [[members[name], answer]] : [],
  )
  return Object.fromEntries(requireReadable(list[0], found) ? list : [])
}

/** undefined: the card has none for this purpose. */
export function toCertificateAnswer(
  module: DescribedModule,
  { certificates }: CertificatesOfCard,
  purpose: Purpose,
): CertificateAnswer | undefined {
  return toAnswer(
    certificates.flatMap(({ key, certificate }) => {
      const of = module.keys.find(({ id }) => id === key)
      return of && isFor(of, purpose) ? toCertificate(key, purpose, certificate) : []
    }),
  )
}

/** undefined: the card has none of such an authority. */
export function toAuthorityAnswer(
  { authorities = [] }: CertificatesOfCard,
  role: AuthorityRole,
): CertificateAnswer | undefined {
  const found = authorities.filter((authority) => authority.role === role)
  // No key of the card belongs to it; a number tells several apart.
  const toId = (at: number) => (at === 0 ? role : `${role}-${at + 1}`)
  return toAnswer(
    found.flatMap(({ certificate }, at) => toCertificate(toId(at), role, certificate)),
  )
}

/** undefined: there are none. */
export function toAnswer(certificates: readonly CardCertificate[]): CertificateAnswer | undefined {
  const [first] = certificates
  if (!first) return undefined
  const { certificate, certificateType, id } = first
  return { certificate, certificateType, id, certificates: [...certificates] }
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
function toCertificate(
  id: string,
  certificateType: Purpose | AuthorityRole,
  certificate: string,
): CardCertificate[] {
  try {
    const { subject, issuer, serial } = toJson(certificate)
    return [{ certificate, certificateType, id, subject, issuer, serialNumber: serial }]
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

/** Filters name members as they are, or as paths do: `authentication-certificate`. */
export const isWanted = (member: string, filter: readonly string[]): boolean =>
  filter.length === 0 || filter.some((name) => reduce(name) === reduce(member))

const reduce = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/cert(ificate)?s?$/, '')
