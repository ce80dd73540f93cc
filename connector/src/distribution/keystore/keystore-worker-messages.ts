/** The messages between the API and the thread that opens a keystore. */
import * as z from 'zod/mini'

export const OpenRequest = z.object({
  file: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  password: z.string(),
  needsMac: z.boolean(),
  /** Milliseconds since 1970. */
  now: z.number(),
})
export type OpenRequest = z.output<typeof OpenRequest>

export const OpenedKeystore = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('opened'),
    material: z.object({
      cert: z.string(),
      key: z.string(),
      names: z.readonly(z.array(z.string())),
      notAfter: z.number(),
    }),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  /** The file made the reader fail: it has no known form. */
  z.object({ kind: z.literal('failed'), reason: z.string() }),
])
export type OpenedKeystore = z.output<typeof OpenedKeystore>
