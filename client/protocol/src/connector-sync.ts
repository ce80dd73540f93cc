/** The connector's synchronization with its distribution service, and the use that it has counted. */
import * as z from 'zod/mini'
import { UseCase } from './counter.ts'
import { data, operation } from './operation.ts'
import { Verdict } from './sync.ts'

const text = z.string()

/** `ending`: within 14 days, or the second half of its time where that is less. */
export const PolicyState = z.enum(['good', 'ending', 'expired'])
export type PolicyState = z.output<typeof PolicyState>

export const SyncState = z.object({
  service: z.optional(text).check(z.describe('The URL of the service; absent if there is none')),
  device: z
    .optional(z.uuid())
    .check(z.describe('The device ID; absent while the connector is not registered')),
  standing: z
    .enum(['unmanaged', 'waiting', 'good', 'unreachable', 'refused'])
    .check(z.describe('The result of the last attempt since the start; waiting: no attempt yet')),
  reason: z.optional(text),
  code: z
    .optional(text)
    .check(z.describe('The problem with which the service rejected the last attempt')),
  lastGood: z.optional(z.iso.datetime()),
  next: z.optional(z.iso.datetime()),
  verdict: z.optional(Verdict),
  policy: z
    .optional(z.object({ state: PolicyState, until: z.iso.datetime() }))
    .check(z.describe('When the policy expires; absent if it does not')),
  origins: z.optional(z.int().check(z.describe('The number of entries of its allowlist'))),
})
export type SyncState = z.output<typeof SyncState>

/** A use that was counted, with the field names of legacy clients. */
export const Transaction = z.object({
  label: text,
  counter: z.int(),
  module: text,
  useCase: UseCase,
  txDate: z.iso.date().check(z.describe('UTC')),
  tag: z.optional(text).check(z.describe('The header X-T1C-BILLING-TAG of the page')),
})
export type Transaction = z.output<typeof Transaction>

export const listTransactions = operation({
  name: 'listTransactions',
  method: 'GET',
  path: '/ds/transactions',
  tag: 'Connector',
  access: 'consented',
  summary: 'List the uses that the distribution service has not counted yet, newest day first',
  description:
    'At most 1000. A page gets the uses of the label in its token. A program of the user gets all uses.',
  reply: data(z.array(Transaction)),
  problems: [],
})

export const getSyncState = operation({
  name: 'getSyncState',
  method: 'GET',
  path: '/v3/sync',
  tag: 'Connector',
  access: 'management',
  summary: 'Get the result of the last sync with the distribution service',
  reply: data(SyncState),
  problems: [],
})

export const synchronise = operation({
  name: 'synchronise',
  method: 'POST',
  path: '/v3/sync',
  tag: 'Connector',
  access: 'management',
  summary: 'Sync with the distribution service now, and return the result',
  reply: data(SyncState),
  problems: [],
})
