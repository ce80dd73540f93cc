/** The messages between the connector and its helper for the keys of Windows: JSON each way. */
import * as z from 'zod/mini'

export const KeyRequest = z.discriminatedUnion('act', [
  z.object({ act: z.literal('list'), store: z.enum(['MY', 'CA', 'ROOT']) }),
  z.object({ act: z.literal('open'), fingerprint: z.string() }),
  /** `digest` as base64. */
  z.object({
    act: z.literal('sign'),
    fingerprint: z.string(),
    hash: z.enum(['sha1', 'sha256', 'sha384', 'sha512']),
    digest: z.string(),
    isRsa: z.boolean(),
    /** Whether a key may sign that authenticates; absent: it may not. */
    mayAuthenticate: z.optional(z.literal(true)),
  }),
])
export type KeyRequest = z.output<typeof KeyRequest>

export const KeyResponse = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('certificates'),
    certificates: z.array(z.object({ certificate: z.string(), hasKey: z.boolean() })),
  }),
  z.object({ kind: z.literal('opened') }),
  /** As base64. */
  z.object({ kind: z.literal('signed'), signature: z.string() }),
  z.object({ kind: z.literal('failed'), reason: z.enum(['cancelled', 'missing', 'unsupported']) }),
])
export type KeyResponse = z.output<typeof KeyResponse>
