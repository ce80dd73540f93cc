/** What the sandbox and its threads say to each other. */
import * as z from 'zod/mini'
import { Answer, Question, Sight } from './messages.ts'

/** What a thread is started with. */
export const Start = z.object({
  role: z.enum(['watch', 'talk']),
  /** The card service's library, instead of the system's. */
  library: z.optional(z.string()),
})
export type Start = z.output<typeof Start>

/** What the talking thread is told. */
export const Order = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ask'), question: Question }),
  z.object({ type: z.literal('end') }),
])
export type Order = z.output<typeof Order>

export const Report = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened') }),
  /** Calls follow that have to return at once. */
  z.object({ type: z.literal('busy') }),
  /** One follows that lasts so many milliseconds at the most; what it cannot see is for somebody else to look at. */
  z.object({
    type: z.literal('waits'),
    forMs: z.number(),
    blind: z.optional(z.object({ context: z.bigint(), names: z.readonly(z.array(z.string())) })),
  }),
  z.object({ type: z.literal('sight'), sight: Sight }),
  z.object({ type: z.literal('answer'), answer: Answer }),
  /** The talking thread holds nothing any more. */
  z.object({ type: z.literal('closed') }),
])
export type Report = z.output<typeof Report>
