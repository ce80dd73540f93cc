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
  service: z.optional(text).check(z.describe('The address of the service; absent without one')),
  device: z
    .optional(z.uuid())
    .check(z.describe('The device id; absent while it is not registered')),
  standing: z
    .enum(['unmanaged', 'waiting', 'good', 'unreachable', 'refused'])
    .check(
      z.describe('The result of the last attempt since the start; waiting: there was none yet'),
    ),
  reason: z.optional(text),
  code: z
    .optional(text)
    .check(z.describe('The code of the problem with which the service refused the last attempt')),
  lastGood: z.optional(z.iso.datetime()),
  next: z.optional(z.iso.datetime()),
  verdict: z.optional(Verdict),
  policy: z
    .optional(z.object({ state: PolicyState, until: z.iso.datetime() }))
    .check(z.describe('Until when the policy holds; absent where the service sets no end')),
  origins: z.optional(z.int().check(z.describe('How many entries its allowlist has'))),
})
export type SyncState = z.output<typeof SyncState>

/** A use that was counted, with the field names of deployed clients. */
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
    'At most 1000. A page sees those of the label in its token, a program of the user sees all.',
  reply: data(z.array(Transaction)),
  problems: [],
})

export const getSyncState = operation({
  name: 'getSyncState',
  method: 'GET',
  path: '/v3/sync',
  tag: 'Connector',
  access: 'management',
  summary: 'The result of the last synchronization with the distribution service',
  reply: data(SyncState),
  problems: [],
})

export const synchronise = operation({
  name: 'synchronise',
  method: 'POST',
  path: '/v3/sync',
  tag: 'Connector',
  access: 'management',
  summary: 'Synchronize with the distribution service now, and return the result',
  reply: data(SyncState),
  problems: [],
})
