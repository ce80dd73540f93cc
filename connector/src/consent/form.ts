/** The form in which a page keeps a consent: written for it, and read when it comes back. */
import { type Agent, Consent } from '@cardwire/client/protocol'
import { limits } from './desk.ts'
import { mac, sameBytes } from './mac.ts'
import type { GivenConsent } from './store.ts'

/** Who makes consents, and signs them. */
export interface Maker {
  readonly agentId: string
  /** HMAC secret that only this API has. */
  readonly key: Uint8Array
  readonly username: string
  readonly hostname: string
  /** Where it serves now. */
  readonly port: () => number
  /** 0: there is none. */
  readonly sandboxPid: () => number
}

/** Standard base64 of JSON, because that is all that deployed clients read. */
export function writeConsent(maker: Maker, given: GivenConsent, agent: Agent): string {
  const signedHash = signatureOf(maker, given).toString('base64')
  const consent: Consent = { agent, signedHash }
  return Buffer.from(JSON.stringify(consent)).toString('base64')
}

/** What a text claims to be, or undefined when it has not the form; nothing of it is proven. */
export function readConsent(text: string): Consent | undefined {
  if (text.length > limits.consentBytes || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return Consent.parse(JSON.parse(Buffer.from(text, 'base64').toString()))
  } catch {
    return undefined
  }
}

export const isSignedBy = (maker: Maker, given: GivenConsent, { signedHash }: Consent): boolean =>
  sameBytes(Buffer.from(signedHash, 'base64'), signatureOf(maker, given))

/** Everything that a consent stands for: whoever changes one of these has another signature. */
const signatureOf = ({ agentId, key }: Maker, { origin, id, issuedAt, expiresAt }: GivenConsent) =>
  mac(key, [agentId, origin, id, String(issuedAt), String(expiresAt)])

const dayMs = 86_400_000
/** Longer names would make a consent larger than what is looked at. */
const longestName = 256

export const agentOf = (maker: Maker, given: GivenConsent): Agent => ({
  agentId: maker.agentId,
  consentId: given.id,
  username: maker.username.slice(0, longestName),
  hostname: maker.hostname.slice(0, longestName),
  apiIp: '127.0.0.1',
  apiPort: String(maker.port()),
  apiPid: String(process.pid),
  // The sandbox is a child without a port: they talk over pipes.
  sandboxIp: '127.0.0.1',
  sandboxPort: '',
  sandboxPid: String(maker.sandboxPid()),
  apiLastUsed: timestamp(given.usedAt),
  clientLastUsed: timestamp(given.usedAt),
  validityInDays: String(Math.round((given.expiresAt - given.issuedAt) / dayMs)),
  connectionState: 'CONSENT',
})

/** `YYYY-MM-DD HH:MM:SS.ffffff UTC`. */
const timestamp = (at: number) =>
  new Date(at).toISOString().replace('T', ' ').replace('Z', '000 UTC')
