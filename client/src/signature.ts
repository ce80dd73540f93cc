/** Whether an answer comes from the connector whose key this is: RSASSA-PKCS1-v1_5 with SHA-256 over its data. */
import type { Answer } from './protocol/call.ts'

/** A key that does not fit may have been replaced; it is asked for again this often at most, in milliseconds. */
const askAgainMs = 60_000

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const

/** Says whether an answer is genuine. An answer without signature is not, where the connector has a key. */
export type Verify = (answer: Answer<unknown>) => Promise<boolean>

/** `fetchKey` gives the key as PEM (SPKI), or null of a connector that does not sign. */
export function verifier(
  subtle: SubtleCrypto,
  clock: () => number,
  fetchKey: () => Promise<string | null>,
): Verify {
  let key: Promise<CryptoKey | null> | undefined
  let askedAt = 0

  const ask = (): Promise<CryptoKey | null> => {
    askedAt = clock()
    const asked = fetchKey().then((pem) => (pem === null ? null : importKey(subtle, pem)))
    key = asked
    // What failed is no answer: the next call asks again.
    asked.catch(() => {
      if (key === asked) key = undefined
    })
    return asked
  }
  const fits = async (held: CryptoKey | null, answer: Answer<unknown>): Promise<boolean> => {
    if (held === null) return true
    const signature = bytesOf(answer.signature ?? '')
    const signed = new TextEncoder().encode(answer.signed)
    return signature !== undefined && subtle.verify(algorithm, held, signature, signed)
  }

  return async (answer) => {
    if (await fits(await (key ?? ask()), answer)) return true
    // Both ways: a clock that was set back would else wait for a long time.
    if (Math.abs(clock() - askedAt) < askAgainMs) return false
    return fits(await ask(), answer)
  }
}

/** Rejects for what is no key. */
async function importKey(subtle: SubtleCrypto, pem: string): Promise<CryptoKey> {
  const der = bytesOf(pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, ''))
  return subtle.importKey('spki', der ?? new Uint8Array(), algorithm, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
