/** An administrator's own account: password, second factor, sessions. */
import * as z from 'zod/mini'
import { placeholders } from './identity.ts'
import { data, operation } from './operation.ts'
import { roles } from './role.ts'

const tag = 'Own account'
const base = '/v3/account' as const

/** A code of an authenticator app: six digits, valid for 30 s (RFC 6238). */
export const Code = z.string().check(z.regex(/^\d{6}$/, 'expected six digits'))

const RecoveryCodes = z
  .array(z.string())
  .check(z.describe('Each signs in once in place of a code; shown only in this response'))

const Password = z.string().check(z.maxLength(1024))

/** What an account may have to do first: until then, each of its other operations is refused with this problem. */
export const firstSteps = ['password-change-required', 'second-factor-setup-required'] as const
export type FirstStep = (typeof firstSteps)[number]

export const Account = z.object({
  subject: z.string(),
  issuer: z.optional(z.string()),
  name: z.string(),
  role: z.enum(roles),
  secondFactor: z
    .optional(z.boolean())
    .check(z.describe('Whether a sign-in needs a code; absent with an external provider')),
  recoveryCodes: z
    .optional(
      z.object({
        left: z.int(),
        used: z.array(z.object({ at: z.iso.datetime(), address: z.string() })),
      }),
    )
    .check(
      z.describe(
        'With a second factor: how many are left, and when and from which address the others were used',
      ),
    ),
  firstStep: z
    .optional(z.enum(firstSteps))
    .check(z.describe('What you have to do first: other operations are refused with this problem')),
})
export type Account = z.output<typeof Account>

const OwnSession = z.object({
  id: z.uuid(),
  kind: z.enum(['browser', 'program']),
  current: z.boolean().check(z.describe('Whether this request belongs to it')),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.optional(z.iso.datetime()).check(z.describe('For a browser, to the minute')),
  address: z
    .optional(z.string())
    .check(z.describe('For a browser: the address that it signed in from')),
  userAgent: z.optional(z.string()).check(z.describe('For a browser: its User-Agent')),
})
export type OwnSession = z.output<typeof OwnSession>

const Ended = z.object({ ended: z.int().check(z.describe('The number of sessions that ended')) })

const confirmation = { password: placeholders.password }

export const getAccount = operation({
  name: 'getAccount',
  method: 'GET',
  path: base,
  tag,
  programs: 'refused',
  summary: 'Get the account of the caller',
  access: 'viewer',
  reply: data(Account),
  problems: [],
})

export const changePassword = operation({
  name: 'changePassword',
  method: 'PUT',
  path: `${base}/password`,
  tag,
  programs: 'refused',
  summary: 'Change your password, and end your other sessions',
  description:
    'Only with the embedded provider. A wrong password counts as a failed sign-in. If someone else set the current password, the new one has to differ.',
  access: 'viewer',
  body: {
    type: 'json',
    schema: z.strictObject({
      password: Password.check(z.describe('The current password')),
      newPassword: z.string().check(z.minLength(12), z.maxLength(1024)),
    }),
  },
  examples: [
    {
      summary: 'A new password',
      body: { password: placeholders.password, newPassword: placeholders.newPassword },
    },
  ],
  reply: data(Ended),
  problems: ['changed-meanwhile', 'password-refused', 'too-many-requests'],
})

export const beginSecondFactor = operation({
  name: 'beginSecondFactor',
  method: 'PUT',
  path: `${base}/second-factor`,
  tag,
  programs: 'refused',
  summary: 'Start setting up a second factor: get a secret for an authenticator app (RFC 6238)',
  description:
    'You need no code to sign in until you have confirmed the first one. Each call creates a new secret. Only with the embedded provider. A wrong password counts as a failed sign-in.',
  access: 'viewer',
  body: { type: 'json', schema: z.strictObject({ password: Password }) },
  examples: [{ summary: 'A secret', body: confirmation }],
  reply: data(
    z.object({
      secret: z.string().check(z.describe('Base32; shown only in this response')),
      uri: z.string().check(z.describe('The same secret, for a QR code: `otpauth://totp/…`')),
    }),
  ),
  problems: ['changed-meanwhile', 'password-refused', 'second-factor-taken', 'too-many-requests'],
})

export const confirmSecondFactor = operation({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: `${base}/second-factor/confirm`,
  tag,
  programs: 'refused',
  summary: 'Turn on the second factor with its first code, and end your other sessions',
  description: 'The response has ten recovery codes, for sign-ins without the app.',
  access: 'viewer',
  body: { type: 'json', schema: z.strictObject({ code: Code }) },
  examples: [{ summary: 'The first code', body: { code: placeholders.code } }],
  reply: data(z.extend(Ended, { recoveryCodes: RecoveryCodes })),
  problems: [
    'changed-meanwhile',
    'code-refused',
    'second-factor-taken',
    'second-factor-unknown',
    'too-many-requests',
  ],
})

export const createRecoveryCodes = operation({
  name: 'createRecoveryCodes',
  method: 'POST',
  path: `${base}/recovery-codes`,
  tag,
  programs: 'refused',
  summary: 'Get ten new recovery codes, which replace the earlier ones',
  description: 'A wrong password or code counts as a failed sign-in.',
  access: 'viewer',
  body: { type: 'json', schema: z.strictObject({ password: Password, code: Code }) },
  examples: [
    { summary: 'With password and code', body: { ...confirmation, code: placeholders.nextCode } },
  ],
  reply: data(z.object({ recoveryCodes: RecoveryCodes })),
  problems: [
    'changed-meanwhile',
    'code-refused',
    'password-refused',
    'second-factor-unknown',
    'too-many-requests',
  ],
})

export const removeSecondFactor = operation({
  name: 'removeSecondFactor',
  method: 'POST',
  path: `${base}/second-factor/remove`,
  tag,
  programs: 'refused',
  summary: 'Remove your second factor',
  description: 'A wrong password counts as a failed sign-in.',
  access: 'viewer',
  body: { type: 'json', schema: z.strictObject({ password: Password }) },
  examples: [{ summary: 'With the password', body: confirmation }],
  reply: data(Account),
  problems: ['changed-meanwhile', 'password-refused', 'second-factor-unknown', 'too-many-requests'],
})

export const listSessions = operation({
  name: 'listSessions',
  method: 'GET',
  path: `${base}/sessions`,
  tag,
  programs: 'refused',
  summary: 'List your sessions, newest first, at most 100 of each kind',
  access: 'viewer',
  reply: data(z.array(OwnSession)),
  problems: [],
})

export const endOtherSessions = operation({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: `${base}/sessions`,
  tag,
  programs: 'refused',
  summary: 'End all of your sessions except this one',
  access: 'viewer',
  reply: data(Ended),
  problems: [],
})

export const endOwnSession = operation({
  name: 'endOwnSession',
  method: 'DELETE',
  path: `${base}/sessions/{id}`,
  tag,
  programs: 'refused',
  summary: 'End one of your sessions',
  access: 'viewer',
  params: z.object({ id: z.uuid() }),
  examples: [
    {
      summary: 'The session of a sign-in',
      params: { id: { operation: 'issueToken', pointer: '/session_state' } },
    },
  ],
  reply: data(Ended),
  problems: ['session-unknown'],
})
