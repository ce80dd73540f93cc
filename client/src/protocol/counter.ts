/** Counters: how often the connectors were used, by label, module, use case, tag and day. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging } from './operation.ts'

/** What a page has a module do, as far as it is counted. */
export const UseCase = z.enum([
  'identity-read',
  'authentication',
  'signature',
  'pin-verification',
  'file-download',
  'file-upload',
  'print',
])
export type UseCase = z.output<typeof UseCase>

const key = {
  label: z.string().check(z.minLength(1), z.maxLength(200), z.describe('`sub` of the token used')),
  module: z.string().check(z.minLength(1), z.maxLength(64)),
  useCase: UseCase,
  tag: z
    .optional(z.string().check(z.minLength(1), z.maxLength(64)))
    .check(z.describe('What the page sent as X-T1C-BILLING-TAG')),
  day: z.iso.date().check(z.describe('UTC')),
}

/** How often something was done since the batch before. */
export const CounterEntry = z.object({
  ...key,
  count: z.int().check(z.minimum(1), z.maximum(1_000_000)),
})
export type CounterEntry = z.output<typeof CounterEntry>

/** The most of one synchronisation: batches in a request, entries in a batch. */
export const counterBounds = { batches: 20, entries: 200 } as const

/** Entries that are counted together, once, however often they are sent. Never changed after it was sent. */
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
  module: z.optional(z.string().check(z.maxLength(64))),
  useCase: z.optional(UseCase),
  tag: z.optional(z.string().check(z.maxLength(64))),
}

const common = { method: 'GET', tag: 'Counters', access: 'administrator' } as const

export const listCounters = operation({
  ...common,
  name: 'listCounters',
  path: '/v3/counters',
  summary: 'Use counted by label, module, use case, tag and day (UTC), newest day first',
  query: z.strictObject({ ...paging, ...filter }),
  reply: data(pageOf(Counter)),
  problems: [],
})

export const exportCounters = operation({
  ...common,
  name: 'exportCounters',
  path: '/v3/counters.csv',
  summary: 'The same as a table for spreadsheets (RFC 4180), whole',
  description:
    'At most 100,000 rows; more are refused, ask for fewer days then. A text that a spreadsheet would take for a formula has an apostrophe before it.',
  query: z.strictObject(filter),
  reply: { kind: 'response', media: 'text/csv', description: 'Header, then a row per counter' },
  problems: [],
})
