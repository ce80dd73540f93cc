/** The certificates that the system keeps for the user, by what their keys are for, in the form of those of cards. */
import { createHash, X509Certificate } from 'node:crypto'
import type {
  CardCertificate,
  CertificateAnswer,
  CertificateList,
} from '@cardwire/protocol/card-token'
import { Problem } from '@cardwire/protocol/problem'
import { canAuthenticate, type KeyUsage, readKeyUsage } from '../pki/key-usage.ts'
import { containsKey, readPublicKeyBytes } from '../sandbox/card-modules/key-type.ts'
import type { StoreName } from '../sandbox/windows-keys/certificate-store.ts'
import type { KeyStore } from '../sandbox/windows-keys/key-store.ts'
import { isWanted, toAnswer } from './card-certificates.ts'
import { toJson } from './modules/x509.ts'

/** What lists ask for; the last two are of authorities. */
export type StorePurpose =
  | 'authentication'
  | 'non-repudiation'
  | 'encryption'
  | 'intermediate'
  | 'root'

/** One of the user, whose key can be used. */
export interface OwnCertificate {
  /** SHA-256 over the DER, lower-case hex. */
  readonly fingerprint: string
  readonly der: Buffer
  readonly usage: KeyUsage
  /** Whether this certificate, or another one of the same key, is for authentication. */
  readonly authenticates: boolean
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
}

type CertificateLists = Pick<KeyStore, 'list'>

const members = {
  authentication: 'authenticationCertificate',
  'non-repudiation': 'nonRepudiationCertificate',
  encryption: 'encryptionCertificate',
  intermediate: 'intermediateCertificates',
  root: 'rootCertificate',
} as const satisfies Readonly<Record<StorePurpose, keyof CertificateList>>
const purposes = Object.keys(members) as StorePurpose[]

const isFor: Readonly<Record<'authentication' | 'non-repudiation' | 'encryption', keyof KeyUsage>> =
  { authentication: 'authenticates', 'non-repudiation': 'signs', encryption: 'encrypts' }

/** What was found in a store, and whether it has something that cannot be read. */
export interface Found<T> {
  readonly found: readonly T[]
  readonly hasUnread: boolean
}

/** What was found. Throws `store-unavailable` if that is nothing and something cannot be read: it may be what is asked for. */
export function requireRead<T>({ found, hasUnread }: Found<T>): readonly T[] {
  if (found.length === 0 && hasUnread) throw createUnreadProblem()
  return found
}

export const createUnreadProblem = (): Problem =>
  new Problem('store-unavailable', 'Cannot read the certificates that Windows keeps')

/** Certificates without a key are left out: they are those of others. */
export async function findOwn(store: CertificateLists): Promise<Found<OwnCertificate>> {
  const stored = (await store.list('MY')).filter(({ hasKey }) => hasKey)
  const read = stored.map(({ certificate }) => readOwn(Buffer.from(certificate, 'base64')))
  const found = read.filter((one) => 'usage' in one)
  const unread = read.filter((one) => !('usage' in one))
  const authenticating = found.filter(({ der }) => canAuthenticate(der))
  // What a certificate allows that cannot be read is not known.
  const isAuthenticating = (publicKey: Buffer): boolean =>
    authenticating.some((one) => one.publicKey?.equals(publicKey)) ||
    unread.some(({ der }) => containsKey(der, publicKey))
  return {
    found: found.map(({ publicKey, ...own }) => ({
      ...own,
      authenticates: publicKey ? isAuthenticating(publicKey) : canAuthenticate(own.der),
    })),
    hasUnread: unread.length > 0,
  }
}

/** `publicKey` is SubjectPublicKeyInfo; undefined: it is of a kind that cannot be read. */
type ReadCertificate = Omit<OwnCertificate, 'authenticates'> & {
  readonly publicKey: Buffer | undefined
}

/** Only its bytes: it cannot be read. */
function readOwn(der: Buffer): ReadCertificate | Pick<ReadCertificate, 'der'> {
  try {
    const { validFrom, validTo } = new X509Certificate(der)
    const fingerprint = createHash('sha256').update(der).digest('hex')
    const times = { notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) }
    const publicKey = readPublicKeyBytes(der)
    return { fingerprint, der, publicKey, usage: readKeyUsage(der), ...times }
  } catch {
    return { der }
  }
}

export const hasPurpose = (
  { usage }: OwnCertificate,
  purpose: 'authentication' | 'non-repudiation' | 'encryption',
): boolean => usage[isFor[purpose]]

/** Throws `store-unavailable`. */
export const listFor = async (
  store: CertificateLists,
  purpose: StorePurpose,
): Promise<readonly CardCertificate[]> => requireRead(await findFor(store, purpose))

async function findFor(
  store: CertificateLists,
  purpose: StorePurpose,
): Promise<Found<CardCertificate>> {
  if (purpose === 'root' || purpose === 'intermediate') {
    const stored = await store.list(purpose === 'root' ? 'ROOT' : 'CA')
    const found = stored.flatMap(({ certificate }) =>
      toCertificate(Buffer.from(certificate, 'base64'), purpose),
    )
    return { found, hasUnread: found.length < stored.length }
  }
  const { found: own, hasUnread } = await findOwn(store)
  const wanted = own.filter((one) => hasPurpose(one, purpose))
  const found = wanted.flatMap(({ der }) => toCertificate(der, purpose))
  return { found, hasUnread: hasUnread || found.length < wanted.length }
}

/** What there is none of is absent, because clients take an empty list for a defect. Throws `store-unavailable`. */
export async function listByPurpose(
  store: CertificateLists,
  filter: readonly string[],
): Promise<CertificateList> {
  const lists = readOnce(store)
  const list: Partial<Record<keyof CertificateList, CertificateAnswer>> = {}
  let hasUnread = false
  for (const purpose of purposes) {
    const member = members[purpose]
    if (!isWanted(member, filter)) continue
    const read = await findFor(lists, purpose)
    hasUnread ||= read.hasUnread
    const answer = toAnswer(read.found)
    if (answer) list[member] = answer
  }
  requireRead({ found: Object.keys(list), hasUnread })
  return list
}

/** Three purposes share one list. */
function readOnce(store: CertificateLists): CertificateLists {
  const lists = new Map<StoreName, ReturnType<CertificateLists['list']>>()
  return {
    list(name) {
      const found = lists.get(name) ?? store.list(name)
      lists.set(name, found)
      return found
    },
  }
}

/** One of the user's. Throws `store-unavailable`. */
export function describeOwn({ der, usage }: OwnCertificate): CardCertificate {
  const purpose = usage.authenticates
    ? 'authentication'
    : usage.signs
      ? 'non-repudiation'
      : 'encryption'
  const [certificate] = toCertificate(der, purpose)
  if (certificate) return certificate
  throw createUnreadProblem()
}

/** Empty: it cannot be read. */
function toCertificate(der: Buffer, certificateType: StorePurpose): readonly CardCertificate[] {
  try {
    const certificate = der.toString('base64')
    const { subject, issuer, serial } = toJson(certificate)
    const id = createHash('sha256').update(der).digest('hex').toUpperCase()
    return [{ certificate, certificateType, id, subject, issuer, serialNumber: serial }]
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}
