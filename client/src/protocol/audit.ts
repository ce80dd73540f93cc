/** The audit log: who changed what, when and from where. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging } from './operation.ts'

/** The kinds of things that administrators change. */
export const AuditKind = z.enum([
  'version',
  'configuration',
  'organization',
  'label',
  'signing-key',
  'administrator',
  'device',
  'installer',
  'keystore',
  'secret',
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
  sequence: z.int().check(z.describe('One more than that of the previous entry')),
  at: z.iso.datetime(),
  who: Actor,
  operation: z
    .string()
    .check(
      z.describe(
        "The operation of this document or of the administrators' command, or `removeUnseenDevices` for a device that was not seen for too long; followed by `:undone` when the change was undone because its key was refused",
      ),
    ),
  kind: AuditKind,
  id: z.string().check(z.describe('The id of the version, label … that changed')),
  fields: z
    .array(z.string())
    .check(z.describe('The names of the fields that changed, never their values')),
  address: z
    .optional(z.string())
    .check(z.describe('The address of the client; of an IPv6 address its /64')),
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
}

export const listAudit = operation({
  ...auditOperation,
  name: 'listAudit',
  path: '/v3/audit',
  summary: 'List the changes of administrators, newest first',
  description:
    'An entry is stored together with its change, or neither is; it is never changed or removed. A request that changes two things, such as a label and its key, makes two entries.',
  query: z.strictObject({ ...paging, ...filter }),
  reply: data(pageOf(AuditEntry)),
  problems: [],
})

export const exportAudit = operation({
  ...auditOperation,
  name: 'exportAudit',
  path: '/v3/audit.csv',
  summary: 'The same as one CSV file (RFC 4180)',
  description: 'Text that a spreadsheet would take for a formula begins with an apostrophe.',
  query: z.strictObject(filter),
  reply: { kind: 'response', media: 'text/csv', description: 'A header, then one row per entry' },
  problems: [],
})
