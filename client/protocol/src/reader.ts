/** Readers and the cards in them. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

export const Card = z.object({
  atr: z.string().check(z.describe('Answer to reset, upper-case hex')),
  description: z
    .array(z.string())
    .check(z.describe('The kinds of cards with this ATR; may be empty')),
  module: z.optional(z.string().check(z.describe('The module that handles the card'))),
  modules: z.array(z.string()).check(z.describe('The same for legacy clients, as a list')),
})

/** A reader, and the card in it. */
export const Reader = z.object({
  id: z.string().check(z.describe('Temporary identifier, 16 hex digits')),
  name: z.string().check(z.describe('The name that the vendor chose')),
  pinpad: z.boolean().check(z.describe('Whether the reader has a keypad')),
  card: z.optional(Card),
})
export type Reader = z.output<typeof Reader>

const readerOperation = { tag: 'Readers', access: 'consented', method: 'GET' } as const
const params = z.object({ id: z.string() })

/** Seconds that a detection may wait. */
const wait = z.strictObject({
  timeout: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(60)), 30),
})

export const listReaders = operation({
  ...readerOperation,
  name: 'listReaders',
  path: '/v3/readers',
  summary: 'List the readers: all, with a card, without a card, or without some names',
  query: z.strictObject({
    cardInserted: z.optional(z.enum(['true', 'false'])),
    excluded: z.optional(
      z
        .string()
        .check(
          z.maxLength(1000),
          z.describe('Parts of names, separated by commas (case-insensitive)'),
        ),
    ),
  }),
  reply: data(z.array(Reader)),
  problems: ['pcsc-unavailable'],
})

export const getReader = operation({
  ...readerOperation,
  name: 'getReader',
  path: '/v3/readers/{id}',
  summary: 'Get a reader',
  params,
  reply: data(Reader),
  problems: ['reader-unknown', 'pcsc-unavailable'],
})

export const detectReaders = operation({
  ...readerOperation,
  name: 'detectReaders',
  path: '/v3/readers/detect',
  summary: 'Wait for a reader; null after the timeout',
  query: wait,
  reply: data(z.nullable(z.array(Reader))),
  problems: ['pcsc-unavailable'],
})

export const detectAnyCard = operation({
  ...readerOperation,
  name: 'detectAnyCard',
  path: '/v3/readers/detect-card',
  summary: 'Wait for a card in any reader; null after the timeout',
  query: wait,
  reply: data(z.nullable(Reader)),
  problems: ['pcsc-unavailable'],
})

export const detectCard = operation({
  ...readerOperation,
  name: 'detectCard',
  path: '/v3/readers/{id}/detect-card',
  summary: 'Wait for a card in this reader; null after the timeout',
  params,
  query: wait,
  reply: data(z.nullable(Reader)),
  problems: ['reader-unknown', 'pcsc-unavailable'],
})

/** The computer's smart card service (PC/SC). Without it there are no readers. */
export const CardService = z.object({
  state: z.enum(['up', 'down']),
  reason: z.optional(z.string().check(z.describe('Why it is down'))),
})
export type CardService = z.output<typeof CardService>

/** An event of the stream: first a snapshot of all readers, then each change with its sequence number. */
export const ReaderEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    sequence: z.int(),
    readers: z.array(Reader),
    cardService: z.optional(CardService).check(z.describe('Absent from older connectors')),
  }),
  z.object({
    type: z.enum(['reader-added', 'reader-removed', 'card-inserted', 'card-removed']),
    sequence: z.int(),
    reader: Reader,
  }),
])
export type ReaderEvent = z.output<typeof ReaderEvent>

export const readerEvents = operation({
  ...readerOperation,
  name: 'readerEvents',
  path: '/v3/readers/events',
  summary: 'Stream the changes to readers and cards, as server-sent events',
  description:
    'Sends a snapshot, then numbered changes. When the smart card service stops or starts, sends another snapshot. Sends a comment at least as often as the header `cardwire-heartbeat` says, in milliseconds. `after` resumes after a sequence number. Read the stream with fetch. An origin can have two streams.',
  query: z.strictObject({ after: z.optional(z.coerce.number().check(z.int(), z.minimum(0))) }),
  reply: {
    kind: 'response',
    media: 'text/event-stream',
    description: 'Server-sent events (html.spec.whatwg.org)',
  },
  problems: ['too-many-requests'],
})

export const Atr = z.object({
  atr: z
    .string()
    .check(
      z.describe(
        'Upper-case hex. In a pattern, `.` is any digit, `[0-3]` is one of these digits, and `.*` is any number of digits',
      ),
    ),
  description: z.array(z.string()).check(z.describe('The kinds of cards with this ATR')),
  module: z
    .string()
    .check(z.describe('The module that works with the card; empty if there is none')),
  moduleDescription: z.string(),
})
export type Atr = z.output<typeof Atr>

export const listAtrs = operation({
  name: 'listAtrs',
  method: 'GET',
  path: '/atrs',
  tag: 'Readers',
  access: 'consented',
  summary: 'List the ATRs and patterns of all known cards',
  reply: data(z.array(Atr)),
  problems: [],
})
