/** The audit log: who changed what, when and from where. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging } from './operation.ts'

/** The kinds of things that administrators change. */
export const AuditKind = z.enum([
  'version',
  'rollout',
  'group',
  'configuration',
  'organization',
  'label',
  'signing-key',
  'administrator',
  'api-client',
  'device',
  'devices',
  'installer',
  'keystore',
  'secret',
  'approval',
  'webhook',
  'notice',
])
export type AuditKind = z.output<typeof AuditKind>

/** Who changed something. */
export const Actor = z
  .object({
    subject: z.string(),
    issuer: z.optional(z.string()),
    name: z.string(),
  })
  .check(
    z.describe(
      "The administrator, from the identity provider's token. Without an issuer: `local` for the administrators' command and the service itself, or the fingerprint of a device",
    ),
  )

export const AuditEntry = z.object({
  sequence: z.int().check(z.describe('The sequence number of the previous entry, plus one')),
  at: z.iso.datetime(),
  who: Actor,
  operation: z
    .string()
    .check(
      z.describe(
        "The operation of this document or of the administrators' command, or `removeUnseenDevices` for a device that the service has not seen for too long. It ends with `:undone` if the change was undone because its key was rejected",
      ),
    ),
  kind: AuditKind,
  id: z
    .string()
    .check(
      z.describe(
        'The ID of what changed, such as a version or label; for `devices`, the ID of the change (`/v3/device-changes/{id}`)',
      ),
    ),
  fields: z
    .array(z.string())
    .check(
      z.describe(
        'The names of the fields that changed, never their values. For `notice`, a query that says what the service has noticed. For `changeDevices`, the kind of change comes first. For `devices`, their number and the filter as a query follow; for `device`, the ID of the change',
      ),
    ),
  address: z
    .optional(z.string())
    .check(z.describe('The address of the client; for an IPv6 address, its /64')),
  requestId: z.optional(z.uuid()),
})
export type AuditEntry = z.output<typeof AuditEntry>

const auditOperation = { method: 'GET', tag: 'Audit', access: 'viewer' } as const

const filter = {
  who: z.optional(z.string().check(z.maxLength(200), z.describe('A subject or a name'))),
  kind: z.optional(AuditKind),
  id: z.optional(z.string().check(z.maxLength(300))),
  from: z.optional(z.iso.datetime()),
  to: z.optional(z.iso.datetime()).check(z.describe('Before this time')),
  summarized: z
    .optional(z.stringbool())
    .check(
      z.describe(
        'Leaves out the entries that a change to many devices has for single devices. The entries of the kind `devices` remain',
      ),
    ),
}

export const listAudit = operation({
  ...auditOperation,
  name: 'listAudit',
  path: '/v3/audit',
  summary: 'List the changes of administrators, newest first',
  description:
    'The service stores an entry together with its change, or neither. It never changes or removes an entry. A request that changes two things, such as a label and its key, creates two entries.',
  query: z.strictObject({ ...paging, ...filter }),
  reply: data(pageOf(AuditEntry)),
  problems: [],
})

export const exportAudit = operation({
  ...auditOperation,
  name: 'exportAudit',
  path: '/v3/audit.csv',
  summary: 'Export the changes as a CSV file (RFC 4180)',
  description: 'Text that a spreadsheet would treat as a formula begins with an apostrophe.',
  query: z.strictObject(filter),
  reply: { kind: 'response', media: 'text/csv', description: 'A header, then one row per entry' },
  problems: [],
})
