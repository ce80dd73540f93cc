/** The messages between the sandbox and its threads. */
import * as z from 'zod/mini'
import { FeatureQuery, FeatureReply, ReaderState } from '../system/ipc/sandbox-messages.ts'

/** The first message to a thread. */
export const ThreadStart = z.object({
  role: z.enum(['monitor', 'query']),
  /** The card service's library, instead of the system's. */
  library: z.optional(z.string()),
})
export type ThreadStart = z.output<typeof ThreadStart>

/** The further messages to the query thread. */
export const ThreadRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('query'), query: FeatureQuery }),
  z.object({ type: z.literal('end') }),
])
export type ThreadRequest = z.output<typeof ThreadRequest>

export const ThreadReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened') }),
  /** The calls that follow have to return at once. */
  z.object({ type: z.literal('short-calls') }),
  /** One call follows that lasts this long at most. `pending`: the readers that were listed before it. */
  z.object({
    type: z.literal('wait'),
    forMs: z.number(),
    pending: z.optional(z.object({ context: z.bigint(), names: z.readonly(z.array(z.string())) })),
  }),
  z.object({ type: z.literal('state'), state: ReaderState }),
  z.object({ type: z.literal('reply'), reply: FeatureReply }),
  /** The query thread has closed its connection. */
  z.object({ type: z.literal('closed') }),
])
export type ThreadReport = z.output<typeof ThreadReport>
