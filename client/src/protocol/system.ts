/** What the service says of itself. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

export const systemStatus = operation({
  name: 'systemStatus',
  method: 'GET',
  path: '/v3/system/status',
  tag: 'System',
  summary: 'Whether the service is alive',
  access: 'anyone',
  pages: 'allowed',
  reply: data(z.object({ isAlive: z.boolean() })),
  problems: [],
})

export const health = operation({
  name: 'health',
  method: 'GET',
  path: '/health',
  tag: 'System',
  summary: 'Whether the service can do its work, database included; for load balancers',
  access: 'anyone',
  reply: {
    kind: 'document',
    schema: z.object({ status: z.literal('ok'), version: z.string() }),
    media: 'application/json',
  },
  problems: [],
})

export const metrics = operation({
  name: 'metrics',
  method: 'GET',
  path: '/metrics',
  tag: 'System',
  summary: 'Measurements in the Prometheus text format, where the runtime keeps any',
  description: 'For this machine itself, or for an administrator.',
  access: 'local',
  reply: { kind: 'response', media: 'text/plain', description: 'Prometheus text format 0.0.4' },
  problems: ['route-unknown'],
})
