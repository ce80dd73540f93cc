/** What a page says about the certificate in a keystore, and when it expires. */
import { type Configuration, KeystoreCertificate } from '@cardwire/protocol'
import type { Part } from '../frame/difference.tsx'
import type { FactsByName } from '../frame/facts.tsx'
import { Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

type Keystore = Extract<Configuration, { type: 'SSL_KEYSTORE' }>['config']

/** Days before a keystore expires on which the admin console says so. */
export const warningDays = 30

const dayMs = 86_400_000

/** Keystores that expire before this time need a new one. */
export const toWarningTime = (now: number): string =>
  new Date(now + warningDays * dayMs).toISOString()

/** One line for each name and time. */
export function toCertificateFacts({ certificate }: Keystore): FactsByName {
  if (certificate === undefined) return {}
  const texts = readTexts().keystore.certificate
  const { subject, names, notBefore, notAfter } = certificate
  return {
    [texts.subject]: subject,
    [texts.names]: names.join(', '),
    [texts.issuer]: describeIssuer(certificate),
    [texts.notBefore]: <Time at={notBefore} />,
    [texts.notAfter]: <Time at={notAfter} />,
    [texts.key]: describeKey(certificate),
  }
}

/** The same for comparison with another one. */
export function toCertificateParts({
  certificate,
}: Pick<Keystore, 'certificate'>): readonly Part[] {
  if (certificate === undefined) return []
  const texts = readTexts().keystore.certificate
  const { subject, names, notBefore, notAfter } = certificate
  return [
    { label: texts.subject, text: subject },
    { label: texts.names, text: names.join('\n') },
    { label: texts.issuer, text: describeIssuer(certificate) },
    { label: texts.notBefore, text: readTexts().numbers.time(notBefore) },
    { label: texts.notAfter, text: readTexts().numbers.time(notAfter) },
    { label: texts.key, text: describeKey(certificate) },
  ]
}

/** As a review has sent it with its form; undefined for a text that says nothing. */
export function readCertificate(text: string): KeystoreCertificate | undefined {
  try {
    return KeystoreCertificate.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A keystore that connectors do not use any more, not yet, or not for long. */
export const ExpiryNote = ({
  keystore: { uri, certificate },
  now,
}: {
  readonly keystore: Keystore
  readonly now: number
}) => {
  const texts = readTexts().keystore.certificate
  if (certificate === undefined)
    return <p>{/^file:/i.test(uri) ? texts.notOpened : texts.elsewhere}</p>
  const { notBefore, notAfter } = certificate
  const [begin, end] = [Date.parse(notBefore), Date.parse(notAfter)]
  if (end <= now) return <p class="warning">{texts.expired}</p>
  if (begin > now) return <p class="warning">{texts.early(<Time at={notBefore} />)}</p>
  if (end > now + warningDays * dayMs) return null
  return <p class="warning">{texts.expires(<Time at={notAfter} />)}</p>
}

/** With one name for both it is self-issued (RFC 5280 §3.2): no authority that browsers know has signed it. */
const describeIssuer = ({ subject, issuer }: KeystoreCertificate): string =>
  subject === issuer ? readTexts().keystore.certificate.selfSigned : issuer

const describeKey = ({ keyAlgorithm, keyBits }: KeystoreCertificate) =>
  readTexts().keystore.certificate.keyKind(keyAlgorithm, keyBits)
