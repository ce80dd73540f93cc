/** Changes that wait for a second administrator. */
import * as z from 'zod/mini'
import { Actor } from './audit.ts'
import { data, operation } from './operation.ts'

const approvals = { tag: 'Approvals' } as const

/** How long a request waits for a second administrator. */
export const approvalHours = 24

/** So many requests wait at the same time. */
export const maxApprovals = 50

/** So many of them from one account. */
export const maxApprovalsOfAccount = 10

/** An account that another administrator added or changed takes part after so many days. */
export const approverDays = 7

/** The changes that need a second administrator, if they affect many devices. A test compares it with all operations. */
const approvedOperations = [
  'changeRollout',
  'deleteRollout',
  'deleteVersion',
  'patchVersion',
  'putRollout',
  'putVersion',
  'restoreVersion',
] as const
export type ApprovedOperation = (typeof approvedOperations)[number]

export const isApprovedOperation = (name: string): name is ApprovedOperation =>
  approvedOperations.some((one) => one === name)

const count = z.int().check(z.minimum(0))

export const Approval = z.object({
  id: z.string(),
  operation: z.enum(approvedOperations).check(z.describe('The operation of this document')),
  params: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.string()),
  body: z.optional(z.unknown()),
  reach: count.check(z.describe('Devices that the change affected when it was requested')),
  maxReach: count.check(z.describe('The change may affect at most this number of devices')),
  who: Actor,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  tag: z
    .string()
    .check(
      z.describe(
        'Send it in the header `approves` with the same request: it then only approves what you have seen, and is never stored as a separate request',
      ),
    ),
  changedSince: z
    .boolean()
    .check(
      z.describe(
        'Whether a version, a rollout, a group, a configuration or an installer has changed since. The change must then be requested again',
      ),
    ),
})
export type Approval = z.output<typeof Approval>

export const listApprovals = operation({
  ...approvals,
  name: 'listApprovals',
  method: 'GET',
  path: '/v3/approvals',
  summary: 'List the changes that wait for a second administrator',
  description: `With \`DS_TWO_ADMINISTRATORS\`, a change that affects more devices is rejected with \`second-administrator\`, and listed here for ${approvalHours} hours. To approve it, another administrator sends the same request. At most ${maxApprovals} changes wait, and ${maxApprovalsOfAccount} of each account.`,
  access: 'viewer',
  query: z.strictObject({}),
  reply: data(z.object({ items: z.array(Approval).check(z.maxLength(maxApprovals)) })),
  problems: [],
})

export const removeApproval = operation({
  ...approvals,
  name: 'removeApproval',
  method: 'DELETE',
  path: '/v3/approvals',
  summary: 'Cancel or decline a change that is pending approval by a second administrator',
  access: 'publisher',
  query: z.strictObject({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'expected an ID')) }),
  reply: data(z.object({ id: z.string() })),
  problems: ['approval-unknown'],
})
