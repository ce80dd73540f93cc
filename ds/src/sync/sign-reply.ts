/** The signed reply to a synchronization. */
import { replyKind, type SyncReply } from '@cardwire/protocol'
import { CompactEncrypt, importJWK } from 'jose'
import type { DeviceAssertion } from '../auth/assertion.ts'
import { sealed } from '../auth/keys/sealed.ts'
import type { Services } from '../services.ts'
import type { DevicePolicy } from './policy.ts'

interface ReplyParts {
  readonly now: number
  readonly revision: number
  /** The ids of the batches of counters that the device may delete. */
  readonly acknowledged: string[]
  /** The device has this policy already. */
  readonly isUnchanged: boolean
  /** How long the device may wait for news; undefined: not at all. */
  readonly holdS: number | undefined
}

export async function signReply(
  services: Pick<Services, 'keyring' | 'settings' | 'vault'>,
  { device, jti, audit }: DeviceAssertion,
  policy: DevicePolicy,
  { now, revision, acknowledged, isUnchanged, holdS }: ReplyParts,
): Promise<string> {
  const { keyring, settings } = services
  const head = {
    aud: device.id,
    re: jti,
    iat: now / 1000,
    revision,
    state: policy.state,
    acknowledged,
    ...(settings.policyMaxAgeS !== undefined && { exp: now / 1000 + settings.policyMaxAgeS }),
    // What has changed since the device was read is news.
    ...(holdS !== undefined && { wait: { since: audit.sequence ?? 0, holdS } }),
  }
  const reply: SyncReply = isUnchanged
    ? { ...head, unchanged: true }
    : { ...head, unchanged: false, ...(await createReplyContent(services, policy, device)) }
  const { exp, ...claims } = reply
  const payload = { ...claims, ...(exp !== undefined && { exp }) }
  // A device that has this policy has its reply keys, too.
  return keyring.sign('reply', replyKind.typ, payload, { includeKey: !isUnchanged })
}

async function createReplyContent(
  { settings, vault }: Pick<Services, 'settings' | 'vault'>,
  policy: DevicePolicy,
  device: DeviceAssertion['device'],
) {
  const { verdict, cors, cards, files, keystore, tokenKeys, replyKeys } = policy
  const content = {
    verdict,
    cors: [...cors],
    ...(cards && { cards }),
    files: [...files],
    tokenKeys: [...tokenKeys],
    replyKeys: [...replyKeys],
    cycle: settings.cycleS,
  }
  if (!keystore) return content
  const { secret, row, ...reference } = keystore
  const password = await encryptFor(
    device,
    await vault.unwrap(secret, sealed.keystorePassword.toRow(row)),
  )
  return { ...content, keystore: { ...reference, password } }
}

/** A JWE that only the device can decrypt (RFC 7518 §4.6). */
async function encryptFor(
  { key, fingerprint }: DeviceAssertion['device'],
  text: string,
): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: fingerprint })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}
