/** An administrator's own account: password, second factor, sessions. */
import * as z from 'zod/mini'
import { placeholders } from './identity.ts'
import { data, operation } from './operation.ts'
import { roles } from './role.ts'

const tag = 'Own account'
const base = '/v3/account' as const

/** A code of an authenticator app: six digits, valid for 30 s (RFC 6238). */
export const Code = z.string().check(z.regex(/^\d{6}$/, 'expected six digits'))

const Password = z.string().check(z.maxLength(1024))

export const Account = z.object({
  subject: z.string(),
  issuer: z.optional(z.string()),
  name: z.string(),
  role: z.enum(roles),
  secondFactor: z
    .optional(z.boolean())
    .check(z.describe('Whether logins need a code; absent where an external provider asks')),
})
export type Account = z.output<typeof Account>

const OwnSession = z.object({
  id: z.uuid(),
  kind: z.enum(['browser', 'program']),
  current: z.boolean().check(z.describe('Whether it is the session of this request')),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.optional(z.iso.datetime()).check(z.describe('Of a browser, to the minute')),
  address: z.optional(z.string()).check(z.describe('Of a browser: where it signed in')),
  userAgent: z.optional(z.string()).check(z.describe('Of a browser: what it calls itself')),
})
export type OwnSession = z.output<typeof OwnSession>

const Ended = z.object({ ended: z.int().check(z.describe('How many sessions were ended')) })

const confirmation = { password: placeholders.password }

export const getAccount = operation({
  name: 'getAccount',
  method: 'GET',
  path: base,
  tag,
  summary: 'Who the caller is',
  access: 'viewer',
  reply: data(Account),
  problems: [],
})

export const changePassword = operation({
  name: 'changePassword',
  method: 'PUT',
  path: `${base}/password`,
  tag,
  summary: 'Change the own password, and end the other sessions',
  description: 'Of an account of the embedded provider. A wrong password counts as a failed login.',
  access: 'viewer',
  body: {
    type: 'json',
    schema: z.strictObject({
      password: Password.check(z.describe('The one so far')),
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
  summary: 'Begin a second factor: a secret for an authenticator app (RFC 6238)',
  description:
    'Logins need no code before the first one was confirmed; begun again, the secret is another one. Of an account of the embedded provider. A wrong password counts as a failed login.',
  access: 'viewer',
  body: { type: 'json', schema: z.strictObject({ password: Password }) },
  examples: [{ summary: 'A secret', body: confirmation }],
  reply: data(
    z.object({
      secret: z.string().check(z.describe('Base32; shown in this response alone')),
      uri: z.string().check(z.describe('The same for a QR code: `otpauth://totp/…`')),
    }),
  ),
  problems: ['changed-meanwhile', 'password-refused', 'second-factor-taken', 'too-many-requests'],
})

export const confirmSecondFactor = operation({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: `${base}/second-factor/confirm`,
  tag,
  summary: 'Confirm the begun second factor with its first code, and end the other sessions',
  access: 'viewer',
  body: { type: 'json', schema: z.strictObject({ code: Code }) },
  examples: [{ summary: 'The first code', body: { code: placeholders.code } }],
  reply: data(Ended),
  problems: [
    'changed-meanwhile',
    'code-refused',
    'second-factor-taken',
    'second-factor-unknown',
    'too-many-requests',
  ],
})

export const removeSecondFactor = operation({
  name: 'removeSecondFactor',
  method: 'POST',
  path: `${base}/second-factor/remove`,
  tag,
  summary: 'Remove the own second factor',
  description: 'A wrong password counts as a failed login.',
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
  summary: 'List the own sessions, newest first, 100 of each kind at most',
  access: 'viewer',
  reply: data(z.array(OwnSession)),
  problems: [],
})

export const endOtherSessions = operation({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: `${base}/sessions`,
  tag,
  summary: 'End the own sessions but the one of this request',
  access: 'viewer',
  reply: data(Ended),
  problems: [],
})

export const endOwnSession = operation({
  name: 'endOwnSession',
  method: 'DELETE',
  path: `${base}/sessions/{id}`,
  tag,
  summary: 'End one of the own sessions',
  access: 'viewer',
  params: z.object({ id: z.uuid() }),
  examples: [
    {
      summary: 'That of a login',
      params: { id: { operation: 'issueToken', pointer: '/session_state' } },
    },
  ],
  reply: data(Ended),
  problems: ['session-unknown'],
})
