/** The connector's certificates: what they are, whether a browser believes them, and what can be done about it. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

const text = z.string()
const list = <S extends z.ZodMiniType>(schema: S) => z.readonly(z.array(schema))
const reason = z.optional(text)

const StoreResult = z.object({
  store: text,
  scope: z.enum(['user', 'machine']),
  trusted: z.boolean().check(z.describe('Whether it believes the root now')),
  reason,
})
const Protection = z.object({
  path: text,
  access: text.check(z.describe('Octal mode, or who may read')),
  private: z.boolean(),
  before: reason,
  reason,
})
const Facts = z.object({
  subject: text,
  issuer: text,
  serial: text,
  fingerprint: text,
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  names: list(text),
})

export const CertificateStatus = z.object({
  folder: text,
  files: list(z.object({ name: text, present: z.boolean() })),
  root: z.object({
    state: text,
    reason,
    certificate: z.optional(Facts),
    constraints: z.optional(
      z.object({
        kind: z.enum(['full', 'dns', 'none']),
        dns: z.nullable(list(text)),
        ip: z.nullable(list(text)),
      }),
    ),
  }),
  leaf: z.object({
    state: z.enum(['good', 'stale', 'absent']),
    reason,
    certificate: z.optional(Facts),
  }),
  hosts: z.object({ wanted: list(text), needsRoot: list(text) }),
  protection: list(Protection),
  trust: list(StoreResult),
  packages: list(text),
})

export const CertificateDomainStatus = z.object({
  domain: text,
  covered: z.boolean(),
  permitted: z.boolean(),
  addresses: list(text),
  loopback: z.boolean(),
  trustedBy: list(text),
  served: z.nullable(z.boolean()),
  verified: z.boolean(),
  reasons: list(text),
})

const common = { tag: 'Certificates', problems: ['certificate-refused'] } as const
const manage = { ...common, access: 'management' } as const

export const certificateStatus = operation({
  ...common,
  name: 'certificateStatus',
  method: 'GET',
  path: '/v3/certmgr/status',
  access: 'consented',
  summary: 'The four files, the certificates in them, and which stores believe the root',
  reply: data(CertificateStatus),
})

export const certificateDomainStatus = operation({
  ...common,
  name: 'certificateDomainStatus',
  method: 'GET',
  path: '/v3/certmgr/status/{domain}',
  access: 'consented',
  summary: 'Whether a browser on this machine would open a name without a warning, and why not',
  params: z.object({ domain: text }),
  reply: data(CertificateDomainStatus),
})

export const installCertificates = operation({
  ...manage,
  name: 'installCertificates',
  method: 'POST',
  path: '/v3/certmgr/install',
  summary: 'Make each trust store believe the root',
  body: { type: 'json', schema: z.strictObject({}) },
  reply: data(list(StoreResult)),
})

export const renewCertificates = operation({
  ...manage,
  name: 'renewCertificates',
  method: 'POST',
  path: '/v3/certmgr/renew',
  summary: 'Make a new leaf, and a new root only when it is asked for',
  description:
    'A new root needs new trust. When nothing can be renewed the old files stay in force, and `reason` says why.',
  body: { type: 'json', schema: z.strictObject({ root: z._default(z.boolean(), false) }) },
  reply: data(
    z.object({
      renewed: z.boolean(),
      reason,
      rootReplaced: z.boolean(),
      leaf: z.optional(Facts),
      trust: list(StoreResult),
      warnings: list(text),
    }),
  ),
})

export const setCertificateHosts = operation({
  ...manage,
  name: 'setCertificateHosts',
  method: 'POST',
  path: '/v3/certmgr/hosts',
  summary: 'Set the names beside localhost, 127.0.0.1 and ::1',
  body: { type: 'json', schema: z.strictObject({ hosts: list(text).check(z.maxLength(100)) }) },
  reply: data(
    z.object({
      hosts: list(text),
      names: list(text),
      needsRoot: list(text),
      reason,
      warnings: list(text),
    }),
  ),
})

export const uninstallCertificates = operation({
  ...manage,
  name: 'uninstallCertificates',
  method: 'DELETE',
  path: '/v3/certmgr/uninstall',
  summary: 'Take the trust back, then remove the files, unless another package uses them',
  reply: data(
    z.object({ removed: z.boolean(), reason, trust: list(StoreResult), packages: list(text) }),
  ),
})
