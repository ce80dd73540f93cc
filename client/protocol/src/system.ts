/** The state of the distribution service. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

export const systemStatus = operation({
  name: 'systemStatus',
  method: 'GET',
  path: '/v3/system/status',
  tag: 'System',
  summary: 'Check whether the service is running',
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
  summary: 'Check whether the service and its database work, for load balancers',
  description:
    'Writes to the database, at most every five seconds, and checks its file once a day if the runtime has one. Looks for the registered files at most once a minute. Answers 503 as soon as this node has to stop.',
  access: 'anyone',
  reply: {
    kind: 'document',
    schema: z.object({
      status: z.literal('ok'),
      version: z.string(),
      files: z
        .enum(['readable', 'missing', 'unreachable'])
        .check(
          z.describe(
            'Whether the files that versions and keystore configurations name can be read. `missing`: one isn’t in its folder or bucket. `unreachable`: the folder or bucket doesn’t respond. The server log has the names and the reason',
          ),
        ),
    }),
    media: 'application/json',
  },
  problems: ['database-unavailable', 'service-stopping'],
})

export const metrics = operation({
  name: 'metrics',
  method: 'GET',
  path: '/metrics',
  tag: 'System',
  summary: 'Get metrics in the Prometheus text format, if the runtime has any',
  description: 'For requests from the same computer, or with the role viewer.',
  access: 'local',
  reply: { kind: 'response', media: 'text/plain', description: 'Prometheus text format 0.0.4' },
  problems: ['route-unknown'],
})
