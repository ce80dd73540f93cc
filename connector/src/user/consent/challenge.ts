/** How a registry asks an agent for a code word without revealing it, and how the agent proves that it has read it on the clipboard. */
import { computeHmac, equalsConstantTime } from './hmac.ts'

/** What a challenge and its proof are bound to. */
export interface ChallengeContext {
  /** Random, for one request, base64url. */
  readonly nonce: string
  readonly origin: string
}

/** What the registry sends every agent: without the code word it reveals nothing. Base64url. */
export const createChallenge = (codeWord: string, { nonce, origin }: ChallengeContext): string =>
  computeHmac(codeWord, ['ask', nonce, origin]).toString('base64url')

/** What only an agent that has read the code word can compute. Base64url. */
export const createProof = (
  codeWord: string,
  { nonce, origin }: ChallengeContext,
  agentId: string,
): string => computeHmac(codeWord, ['yes', nonce, origin, agentId]).toString('base64url')

/** Compares two challenges or proofs in constant time. */
export const isSameHmac = (given: string, expected: string): boolean =>
  equalsConstantTime(Buffer.from(given, 'base64url'), Buffer.from(expected, 'base64url'))
