/** How a registry asks for a code word without saying it, and how an API proves to have read it. */
import { mac, sameBytes } from './mac.ts'

/** What a question or a proof is about. */
export interface Matter {
  /** Drawn by the registry for one request, base64url. */
  readonly nonce: string
  readonly origin: string
}

/** What the registry shows every API: who does not know the code word learns nothing. */
export const askFor = (codeWord: string, { nonce, origin }: Matter): string =>
  mac(codeWord, ['ask', nonce, origin]).toString('base64url')

/** What only an API that read the code word can answer. */
export const proofFor = (codeWord: string, { nonce, origin }: Matter, agentId: string): string =>
  mac(codeWord, ['yes', nonce, origin, agentId]).toString('base64url')

/** In the same time wherever they differ. */
export const sameProof = (given: string, expected: string): boolean =>
  sameBytes(Buffer.from(given, 'base64url'), Buffer.from(expected, 'base64url'))
