/** Verifies that a response comes from the connector with this key: RSASSA-PKCS1-v1_5 with SHA-256 over its data. */
import { decodeBase64 } from '@cardwire/protocol/base64'
import type { CallResult } from '@cardwire/protocol/call'

/** When a signature does not fit, the connector may have a new key; it is loaded again this often at most. */
const minReloadMs = 60_000

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const

/** What verifies a signature: a part of WebCrypto. */
type Signatures = Pick<SubtleCrypto, 'importKey' | 'verify'>

/** Whether a response is genuine. One without a signature is not, where the connector has a key. */
export type VerifySignature = (result: CallResult<unknown>) => Promise<boolean>

/** `fetchKey` resolves with the key as PEM (SPKI), or with null when the connector does not sign. */
export function createSignatureVerifier(
  subtle: Signatures,
  clock: () => number,
  fetchKey: () => Promise<string | null>,
): VerifySignature {
  let key: Promise<CryptoKey | null> | undefined
  let loadedAt = 0

  const loadKey = (): Promise<CryptoKey | null> => {
    loadedAt = clock()
    const loading = fetchKey().then((pem) => (pem === null ? null : importKey(subtle, pem)))
    key = loading
    // A failure is not kept: the next call loads the key again.
    loading.catch(() => {
      if (key === loading) key = undefined
    })
    return loading
  }
  const matchesKey = async (
    publicKey: CryptoKey | null,
    { signature = '', signedText }: CallResult<unknown>,
  ): Promise<boolean> => {
    if (publicKey === null) return true
    const bytes = decodeBase64(signature)
    const signed = new TextEncoder().encode(signedText)
    return bytes !== undefined && subtle.verify(algorithm, publicKey, bytes, signed)
  }

  return async (result) => {
    if (await matchesKey(await (key ?? loadKey()), result)) return true
    // The absolute value, because a clock that was set back would otherwise block the reload for a long time.
    if (Math.abs(clock() - loadedAt) < minReloadMs) return false
    return matchesKey(await loadKey(), result)
  }
}

/** Rejects when the text is not a key. */
async function importKey(subtle: Signatures, pem: string): Promise<CryptoKey> {
  const der = decodeBase64(pem.replace(/-----[^-]+-----|\s/g, ''))
  return subtle.importKey('spki', der ?? new Uint8Array(), algorithm, false, ['verify'])
}
