/** The audit: who changed what, when and from where. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging } from './operation.ts'

/** What can be changed. */
export const AuditKind = z.enum([
  'version',
  'configuration',
  'organization',
  'label',
  'signing-key',
  'administrator',
  'device',
])
export type AuditKind = z.output<typeof AuditKind>

export const AuditEntry = z.object({
  sequence: z.int().check(z.describe('One more than the entry before')),
  at: z.iso.datetime(),
  who: z
    .object({
      subject: z.string(),
      issuer: z.optional(z.string()),
      name: z.string(),
    })
    .check(
      z.describe(
        "The administrator, as the identity provider's token says; without an issuer it is `local` for the administrators' command and the first start of the service, or the fingerprint of a device",
      ),
    ),
  operation: z
    .string()
    .check(
      z.describe(
        "The operation of this document, or of the administrators' command; `:undone` behind it where a refused key took the change back",
      ),
    ),
  kind: AuditKind,
  id: z.string().check(z.describe('Of the version, label … that changed')),
  fields: z.array(z.string()).check(z.describe('The names of what changed, never a value')),
  address: z
    .optional(z.string())
    .check(z.describe('Where the request came from; an IPv6 address as its /64')),
  requestId: z.optional(z.uuid()),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const listAudit = operation({
  name: 'listAudit',
  method: 'GET',
  path: '/v3/audit',
  tag: 'Audit',
  summary: 'What administrators changed, newest first',
  description:
    'An entry is written with the change it records or not at all, and nothing changes or removes one. A request that changes two things, such as a label and its key, leaves two.',
  access: 'administrator',
  query: z.strictObject({
    ...paging,
    who: z.optional(z.string().check(z.maxLength(200), z.describe('A subject or a name'))),
    kind: z.optional(AuditKind),
    id: z.optional(z.string().check(z.maxLength(300))),
    from: z.optional(z.iso.datetime()),
    to: z.optional(z.iso.datetime()).check(z.describe('Up to this time, which is left out')),
  }),
  reply: data(pageOf(AuditEntry)),
  problems: [],
})
