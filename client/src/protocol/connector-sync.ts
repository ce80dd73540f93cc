/** How a connector stands with its distribution service, for programs of the person. */
import * as z from 'zod/mini'
import { UseCase } from './counter.ts'
import { data, operation } from './operation.ts'
import { Verdict } from './sync.ts'

const text = z.string()

export const SyncState = z.object({
  service: z.optional(text).check(z.describe('Its address; absent without a service')),
  device: z.optional(z.uuid()).check(z.describe('Absent while it is not registered')),
  standing: z
    .enum(['unmanaged', 'waiting', 'good', 'unreachable', 'refused'])
    .check(z.describe('What came of the last attempt since the start; waiting: there was none')),
  reason: z.optional(text),
  lastGood: z.optional(z.iso.datetime()),
  next: z.optional(z.iso.datetime()),
  verdict: z.optional(Verdict),
  origins: z.optional(z.int().check(z.describe('Entries of its allowlist'))),
})
export type SyncState = z.output<typeof SyncState>

/** A use that was counted, as deployed clients name its fields. */
export const Transaction = z.object({
  label: text,
  counter: z.int(),
  module: text,
  useCase: UseCase,
  txDate: z.iso.date().check(z.describe('UTC')),
  tag: z.optional(text).check(z.describe('X-T1C-BILLING-TAG of the page')),
})
export type Transaction = z.output<typeof Transaction>

export const listTransactions = operation({
  name: 'listTransactions',
  method: 'GET',
  path: '/ds/transactions',
  tag: 'Connector',
  access: 'consented',
  summary: 'Uses counted here that the distribution service has not counted yet, newest day first',
  description:
    'A page sees those of the label of its token, a program of the person all of them: at most 1000.',
  reply: data(z.array(Transaction)),
  problems: [],
})

export const synchronise = operation({
  name: 'synchronise',
  method: 'POST',
  path: '/v3/sync',
  tag: 'Connector',
  access: 'management',
  summary: 'Synchronise with the distribution service now, and tell what came of it',
  reply: data(SyncState),
  problems: [],
})
