/** How a connector stands with its distribution service, for programs of the person. */
import * as z from 'zod/mini'
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
