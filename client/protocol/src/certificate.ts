/** The connector's certificates: their state, which trust stores trust them, and the operations that change them. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

const text = z.string()
const list = <S extends z.ZodMiniType>(schema: S) => z.readonly(z.array(schema))
const reason = z.optional(text)

const StoreResult = z.object({
  store: text,
  scope: z.enum(['user', 'machine']),
  trusted: z.boolean().check(z.describe('Whether it trusts the root certificate now')),
  reason,
})
const Protection = z.object({
  path: text,
  access: text.check(z.describe('The octal mode, or the accounts that can read it')),
  private: z.boolean(),
  before: reason,
  reason,
})
const CertificateFacts = z.object({
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
    certificate: z.optional(CertificateFacts),
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
    certificate: z.optional(CertificateFacts),
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

const management = {
  tag: 'Certificates',
  problems: ['certificate-refused'],
  access: 'management',
} as const

export const certificateStatus = operation({
  ...management,
  name: 'certificateStatus',
  method: 'GET',
  path: '/v3/certmgr/status',
  summary:
    'Get the four files, their certificates, and which trust stores trust the root certificate',
  reply: data(CertificateStatus),
})

export const certificateDomainStatus = operation({
  ...management,
  name: 'certificateDomainStatus',
  method: 'GET',
  path: '/v3/certmgr/status/{domain}',
  summary:
    'Check whether a browser on this computer opens a name without a warning, and if not, why',
  params: z.object({ domain: text }),
  reply: data(CertificateDomainStatus),
})

export const installCertificates = operation({
  ...management,
  name: 'installCertificates',
  method: 'POST',
  path: '/v3/certmgr/install',
  summary: 'Install the root in each trust store',
  body: { type: 'json', schema: z.strictObject({}), optional: true },
  reply: data(list(StoreResult)),
})

export const renewCertificates = operation({
  ...management,
  name: 'renewCertificates',
  method: 'POST',
  path: '/v3/certmgr/renew',
  summary: 'Create a new leaf, and on request a new root',
  description:
    'Install a new root in the trust stores again. If a renewal is not possible, the old files stay in use, and `reason` says why.',
  body: {
    type: 'json',
    schema: z.strictObject({ root: z._default(z.boolean(), false) }),
    optional: true,
  },
  reply: data(
    z.object({
      renewed: z.boolean(),
      reason,
      rootReplaced: z.boolean(),
      leaf: z.optional(CertificateFacts),
      trust: list(StoreResult),
      warnings: list(text),
    }),
  ),
})

export const setCertificateHosts = operation({
  ...management,
  name: 'setCertificateHosts',
  method: 'POST',
  path: '/v3/certmgr/hosts',
  summary: 'Set the names of the leaf in addition to localhost, 127.0.0.1 and ::1',
  body: {
    type: 'json',
    schema: z.strictObject({ hosts: z.readonly(z.array(text).check(z.maxLength(100))) }),
    optional: true,
  },
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
  ...management,
  name: 'uninstallCertificates',
  method: 'DELETE',
  path: '/v3/certmgr/uninstall',
  summary: 'Remove the root from the trust stores, and the files unless another package uses them',
  reply: data(
    z.object({ removed: z.boolean(), reason, trust: list(StoreResult), packages: list(text) }),
  ),
})
