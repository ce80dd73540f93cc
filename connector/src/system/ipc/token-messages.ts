/** What is done with the tokens of a PKCS #11 library, beside what every card has: operations and their results. */
import { TokenInfo } from '@cardwire/protocol/card-identity'
import * as z from 'zod/mini'

/** A library that the administrator names. */
export const TokenLibrary = z.object({
  path: z.string(),
  sha256: z.string(),
  /** Whether a file that only root can change names it: then its path may belong to this user. */
  isNamedByRoot: z.boolean(),
  /** Whether the reader is a token of the library, by its name; otherwise it is one of the card service. */
  isOwn: z.boolean(),
})
export type TokenLibrary = z.output<typeof TokenLibrary>

/** A key of a token, as `CardKey` has it. */
const TokenKey = z.object({
  id: z.string(),
  purpose: z.enum(['authentication', 'non-repudiation', 'encryption']),
  /** Its certificate is for signatures that count as well. */
  alsoSigns: z.optional(z.literal(true)),
  /** This certificate, or another one of the same key, is for authentication. */
  authenticates: z.optional(z.literal(true)),
  signs: z.optional(z.literal(false)),
  /** The label of its token. */
  label: z.string(),
  /** absent: the token wants none. */
  pin: z.optional(z.object({ reference: z.int(), min: z.int(), max: z.int() })),
})

export const TokenDescription = z.object({
  label: z.string(),
  keys: z.array(TokenKey),
  keyTypes: z.array(z.enum(['RSA-2048', 'RSA-3072', 'RSA-4096', 'P-256', 'P-384'])),
  signsPss: z.boolean(),
  hasAuthorities: z.boolean(),
})
export type TokenDescription = z.output<typeof TokenDescription>

export const tokenOperations = [
  /** The names of all tokens of the library. */
  z.object({ kind: z.literal('list-tokens') }),
  /** What a module of cards says of its kind. */
  z.object({ kind: z.literal('describe-token') }),
  z.object({ kind: z.literal('token-info') }),
] as const

export const tokenResults = [
  z.object({ kind: z.literal('list-tokens'), names: z.array(z.string()) }),
  z.object({ kind: z.literal('describe-token'), token: TokenDescription }),
  z.object({ kind: z.literal('token-info'), info: TokenInfo }),
] as const
