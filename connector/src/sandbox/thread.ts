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
  /** From true on, calls follow that have to return at once; from false on, one that may take for ever. */
  z.object({ type: z.literal('busy'), busy: z.boolean() }),
  z.object({ type: z.literal('sight'), sight: Sight }),
  z.object({ type: z.literal('answer'), answer: Answer }),
  /** The talking thread holds nothing any more. */
  z.object({ type: z.literal('closed') }),
])
export type Report = z.output<typeof Report>
