/** Encodes a consent as the signed token that a page keeps, and decodes it when the page presents it. */
import { type Agent, Consent } from '@cardwire/protocol/consent'
import { consentLimits } from './consent-service.ts'
import type { StoredConsent } from './consent-store.ts'
import { computeHmac, equalsConstantTime } from './hmac.ts'

/** The connector that issues and signs consents. */
export interface ConsentIssuer {
  readonly agentId: string
  /** HMAC secret of this API alone. */
  readonly key: Uint8Array
  readonly username: string
  readonly hostname: string
  /** The port on which it listens now. */
  readonly port: () => number
  /** 0: no sandbox runs. */
  readonly sandboxPid: () => number
}

/** Standard base64 of JSON, because legacy clients read nothing else. */
export function encodeConsent(issuer: ConsentIssuer, consent: StoredConsent, agent: Agent): string {
  const signedHash = computeSignature(issuer, consent).toString('base64')
  const token: Consent = { agent, signedHash }
  return Buffer.from(JSON.stringify(token)).toString('base64')
}

/** The content of a token, or undefined when the text is none; nothing is verified. */
export function decodeConsent(text: string): Consent | undefined {
  if (text.length > consentLimits.maxConsentBytes || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    return undefined
  try {
    return Consent.parse(JSON.parse(Buffer.from(text, 'base64').toString()))
  } catch {
    return undefined
  }
}

export const isSignedBy = (
  issuer: ConsentIssuer,
  consent: StoredConsent,
  { signedHash }: Consent,
): boolean =>
  equalsConstantTime(Buffer.from(signedHash, 'base64'), computeSignature(issuer, consent))

/** Covers everything that a consent stands for, so that none of it can be changed. */
const computeSignature = (
  { agentId, key }: ConsentIssuer,
  { origin, id, issuedAt, expiresAt }: StoredConsent,
) => computeHmac(key, [agentId, origin, id, String(issuedAt), String(expiresAt)])

const dayMs = 86_400_000
/** Longer names would make a token longer than `maxConsentBytes`. */
const maxNameLength = 256

export const toAgent = (issuer: ConsentIssuer, consent: StoredConsent): Agent => ({
  agentId: issuer.agentId,
  consentId: consent.id,
  username: issuer.username.slice(0, maxNameLength),
  hostname: issuer.hostname.slice(0, maxNameLength),
  apiIp: '127.0.0.1',
  apiPort: String(issuer.port()),
  apiPid: String(process.pid),
  // The sandbox is a child process without a port: it communicates over pipes.
  sandboxIp: '127.0.0.1',
  sandboxPort: '',
  sandboxPid: String(issuer.sandboxPid()),
  apiLastUsed: toTimestamp(consent.usedAt),
  clientLastUsed: toTimestamp(consent.usedAt),
  validityInDays: String(Math.round((consent.expiresAt - consent.issuedAt) / dayMs)),
  connectionState: 'CONSENT',
})

/** `YYYY-MM-DD HH:MM:SS.ffffff UTC`. */
const toTimestamp = (at: number) =>
  new Date(at).toISOString().replace('T', ' ').replace('Z', '000 UTC')
