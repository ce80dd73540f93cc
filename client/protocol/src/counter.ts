/** Counters: how often connectors were used, by label, module, use case, tag and day. */
import * as z from 'zod/mini'
import { CountsByDay, data, operation, pageOf, paging } from './operation.ts'
import { reportedText } from './reported-text.ts'

/** The uses of a module that are counted. */
export const UseCase = z.enum([
  'identity-read',
  'authentication',
  'signature',
  'pin-verification',
  'card-commands',
  'file-download',
  'file-upload',
  'print',
])
export type UseCase = z.output<typeof UseCase>

const key = {
  label: reportedText(200).check(z.minLength(1), z.describe('`sub` of the token used')),
  module: reportedText(64).check(z.minLength(1)),
  useCase: UseCase,
  tag: z
    .optional(reportedText(64).check(z.minLength(1)))
    .check(z.describe('The header X-T1C-BILLING-TAG of the page')),
  day: z.iso.date().check(z.describe('UTC')),
}

/** The label of uses without a token; no label has this id. */
export const noLabel = '-'

/** How often it was used since the previous batch. */
export const CounterEntry = z.object({
  ...key,
  count: z.int().check(z.minimum(1), z.maximum(1_000_000)),
})
export type CounterEntry = z.output<typeof CounterEntry>

export const exampleEntry: z.output<typeof CounterEntry> = {
  label: 'exampleapplication',
  module: 'beid',
  useCase: 'identity-read',
  day: '2026-01-31',
  count: 3,
}

/** The limits of one synchronization: batches in a request, entries in a batch. */
export const counterBounds = { batches: 20, entries: 200 } as const

/**
 * Entries that the service counts together, and once, however often they are sent. A batch never changes after it was sent.
 * Entries of labels that are not registered are acknowledged and not counted. A day more than 400 days ago or after tomorrow
 * was written by a wrong clock: such an entry counts for the day on which it comes.
 */
export const CounterBatch = z.object({
  id: z.uuid(),
  entries: z.array(CounterEntry).check(z.minLength(1), z.maxLength(counterBounds.entries)),
})
export type CounterBatch = z.output<typeof CounterBatch>

export const Counter = z.object({ ...key, count: z.int() })

const filter = {
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  label: z.optional(z.string().check(z.maxLength(200))),
  orgId: z.optional(z.string().check(z.maxLength(200))),
  module: z.optional(z.string().check(z.maxLength(64))),
  useCase: z.optional(UseCase),
  tag: z.optional(z.string().check(z.maxLength(64))),
}

const counterOperation = { method: 'GET', tag: 'Counters', access: 'viewer' } as const

export const listCounters = operation({
  ...counterOperation,
  name: 'listCounters',
  path: '/v3/counters',
  summary: 'List usage by label, module, use case, tag and day (UTC), newest day first',
  query: z.strictObject({ ...paging, ...filter }),
  reply: data(pageOf(Counter)),
  problems: [],
})

export const summarizeCounters = operation({
  ...counterOperation,
  name: 'summarizeCounters',
  path: '/v3/counters/summary',
  summary: 'Get usage by day (UTC), oldest day first, and its total',
  description: 'At most the 400 newest days with usage.',
  query: z.strictObject(filter),
  reply: data(CountsByDay),
  problems: [],
})

export const exportCounters = operation({
  ...counterOperation,
  name: 'exportCounters',
  path: '/v3/counters.csv',
  summary: 'Export usage as a CSV file (RFC 4180)',
  description: 'Text that a spreadsheet would treat as a formula begins with an apostrophe.',
  query: z.strictObject(filter),
  reply: {
    kind: 'response',
    media: 'text/csv',
    description: 'A header, then one row per counter, with the organization that its label has now',
  },
  problems: [],
})
