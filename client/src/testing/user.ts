/** The user at the simulated machine: the consent that is given or not, the clipboard, and the tokens that count. */
import { readClaims } from '@cardwire/protocol/claims'

/** The port of the simulated connector, beside that of its registry. */
export const apiPort = '25100'

export interface User {
  hasConsented(): boolean
  giveConsent(): void
  revokeConsent(): void
  /** The stored consent of a page that got it in an earlier visit. */
  storedConsent(): string | undefined
  /** A new consent when one of these holds. */
  renewConsent(consents: readonly string[]): string | undefined
  /** A new consent when the connector finds this code word on the clipboard. */
  findCodeWord(codeWord: string): string | undefined
  /** Counts a code word before it is looked for; the seconds until the next one counts where there were five in a minute. */
  countCodeWord(): number | undefined
  setClipboard(text: string | null | undefined): void
  /** Whether the token in the header is in force, where tokens are asked for. */
  acceptsToken(headers: Headers): boolean
  /** Calls `listener` when the consent is revoked; the function that it returns ends that. */
  onRevoked(listener: () => void): () => void
}

/** The limit of a connector. */
const codeWordsPerMinute = 5
const minuteMs = 60_000

export function createUser(options: { consent: boolean; requiresToken: boolean }): User {
  let consents = 0
  let current: string | undefined
  /** undefined: whatever a page copies is found. */
  let clipboard: string | null | undefined
  let counted: readonly number[] = []
  const listeners = new Set<() => void>()
  const issueConsent = (): string => {
    consents += 1
    current = btoa(JSON.stringify({ agent: { apiPort, consentId: consents }, signedHash: 'test' }))
    return current
  }
  if (options.consent) issueConsent()

  return {
    hasConsented: () => current !== undefined,
    giveConsent: () => void issueConsent(),
    revokeConsent() {
      current = undefined
      for (const listener of [...listeners]) listener()
    },
    storedConsent: () => current,
    renewConsent: (held) =>
      current !== undefined && held.includes(current) ? issueConsent() : undefined,
    findCodeWord: (codeWord) =>
      clipboard === undefined || clipboard === codeWord ? issueConsent() : undefined,
    countCodeWord() {
      const now = Date.now()
      counted = counted.filter((at) => now - at < minuteMs)
      const [oldest = now] = counted
      if (counted.length >= codeWordsPerMinute) return Math.ceil((oldest + minuteMs - now) / 1000)
      counted = [...counted, now]
      return undefined
    },
    setClipboard(text) {
      clipboard = text
    },
    acceptsToken(headers) {
      if (!options.requiresToken) return true
      const jwt = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
      const { exp } = readClaims(jwt ?? '')
      return exp !== undefined && exp * 1000 > Date.now()
    },
    onRevoked(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
