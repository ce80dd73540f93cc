/** Secrets of webhooks, and the signatures that they make: Standard Webhooks, version 1. */
import { webhookHeaders } from '@cardwire/protocol'
import { sealed } from '../auth/keys/sealed.ts'
import type { Random } from '../ports.ts'
import { base64ToBytes, bytesToBase64 } from '../rules/encoding.ts'
import type { Services } from '../services.ts'

const prefix = 'whsec_'
/** As long as the hash (RFC 2104 §3). */
const secretBytes = 32

export const createWebhookSecret = (random: Random): string =>
  `${prefix}${bytesToBase64(random.bytes(secretBytes))}`

export const sealWebhookSecret = (
  { vault }: Pick<Services, 'vault'>,
  id: string,
  secret: string,
): Promise<string> => vault.wrap(secret, sealed.webhookSecret.toRow(id))

interface SecretRow {
  readonly id: string
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousUntil: number | null
}

/** The secrets that sign now, the newest first. */
export async function openWebhookSecrets(
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  { id, secret, previousSecret, previousUntil }: SecretRow,
): Promise<readonly string[]> {
  const isKept = previousSecret !== null && (previousUntil ?? 0) > clock()
  const texts = isKept ? [secret, previousSecret] : [secret]
  return Promise.all(texts.map((text) => vault.unwrap(text, sealed.webhookSecret.toRow(id))))
}

/** The headers of a request: `now` in milliseconds since 1970. */
export async function signWebhook(
  secrets: readonly string[],
  id: string,
  body: string,
  now: number,
): Promise<Readonly<Record<string, string>>> {
  const timestamp = Math.floor(now / 1000)
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const algorithm = { name: 'HMAC', hash: 'SHA-256' }
      const bytes = base64ToBytes(secret.slice(prefix.length))
      const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
      const mac = await crypto.subtle.sign('HMAC', key, content)
      return `v1,${bytesToBase64(new Uint8Array(mac))}`
    }),
  )
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: signatures.join(' '),
  }
}
