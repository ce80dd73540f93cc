/** What the certificate in a keystore says, as the service finds it with the password. */
import * as z from 'zod/mini'

/** They bound what a file from outside adds to a configuration. */
export const maxCertificate = { names: 100, nameBytes: 1000 } as const

export const KeystoreCertificate = z
  .object({
    subject: z.string(),
    names: z
      .array(z.string())
      .check(z.describe('The host names and addresses that it covers; the first 100')),
    issuer: z.string(),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime().check(z.describe('When it expires')),
    keyAlgorithm: z.enum(['RSA', 'EC']),
    keyBits: z.int(),
  })
  .check(
    z.describe(
      'The certificate, read when the keystore was saved. Absent for a keystore at another URL, and for one that an earlier version of the service saved',
    ),
  )
export type KeystoreCertificate = z.output<typeof KeystoreCertificate>

/** In a body: of no effect, so that what was read can be sent back. */
export const IgnoredCertificate = z
  .optional(z.unknown())
  .check(z.describe('No effect; the service reads it from the file'))

/** Why a keystore is refused. */
export const keystoreProblems = [
  'keystore-locked',
  'keystore-unreadable',
  'keystore-unusable',
  'keystore-expired',
] as const
