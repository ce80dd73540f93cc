/** The accounts of the embedded identity provider, and how administrators manage those of others. */
import * as z from 'zod/mini'
import { created, data, operation, pageOf, paging } from './operation.ts'
import { roles } from './role.ts'

/** The lengths of names and passwords, in UTF-16 code units. */
export const accountLimits = {
  name: { max: 200 },
  /** NIST SP 800-63B-4 §3.1.1.2 asks for 15 characters where a password stands alone, and 8 at least; and for 64 to fit. */
  password: { min: 12, max: 1024 },
} as const

export const RoleName = z
  .enum(roles)
  .check(z.describe('viewer reads; publisher also changes versions, installers, configurations'))

const AdministratorName = z.string().check(
  z.maxLength(accountLimits.name.max),
  z.regex(/\S/, 'expected a name'),
  // Nor a segment that addresses leave out (RFC 3986 §5.2.4), nor letters that nobody sees.
  z.regex(/^(?!\.{1,2}$)[^\p{Cf}]*$/u, 'expected no invisible letters, and neither . nor ..'),
  z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'expected no control characters'),
)

const { min, max } = accountLimits.password
const GivenPassword = z
  .optional(z.string().check(z.minLength(min), z.maxLength(max)))
  .check(z.describe('If absent, the service generates one, and the response shows it'))

const GeneratedPassword = z
  .optional(z.string())
  .check(z.describe('The generated password; no other response shows it'))

export const Administrator = z.object({
  name: z.string().check(z.describe('With an external provider: the subject of its tokens')),
  displayName: z
    .optional(z.string())
    .check(z.describe('With an external provider: the user name there')),
  role: RoleName.check(z.describe('With an external provider: at the last sign-in')),
  secondFactor: z
    .optional(z.boolean())
    .check(z.describe('Whether a sign-in needs a code; absent with an external provider')),
  passwordChangeRequired: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether someone else set the password, and the owner has not changed it; absent with an external provider',
      ),
    ),
  sessions: z.int().check(z.describe('The number of open sessions, of browsers and programs')),
  createdAt: z.iso.datetime().check(z.describe('With an external provider: the first sign-in')),
  updatedAt: z.iso.datetime().check(z.describe('With an external provider: the last sign-in')),
})
export type Administrator = z.output<typeof Administrator>

export const AdministratorSession = z.object({
  id: z.uuid(),
  kind: z.enum(['browser', 'program']),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.optional(z.iso.datetime()).check(z.describe('For a browser, to the minute')),
  address: z
    .optional(z.string())
    .check(z.describe('For a browser: the address that it signed in from')),
  userAgent: z.optional(z.string()).check(z.describe('For a browser: its User-Agent')),
})
export type AdministratorSession = z.output<typeof AdministratorSession>

const Ended = z.object({ ended: z.int().check(z.describe('The number of sessions that ended')) })

const params = z.object({ name: z.string() })
const base = '/v3/administrators' as const
const administratorOperation = {
  tag: 'Administrators',
  access: 'administrator',
  programs: 'refused',
} as const
const example = { name: 'example' }

export const listAdministrators = operation({
  ...administratorOperation,
  name: 'listAdministrators',
  method: 'GET',
  path: base,
  summary: 'List the accounts, by name',
  description:
    'With an external provider: the last 1,000 users who signed in with a browser, most recent first. The operations that add or change accounts do not exist there.',
  query: z.strictObject({ ...paging, role: z.optional(RoleName) }),
  reply: data(pageOf(Administrator)),
  problems: [],
})

export const addAdministrator = operation({
  ...administratorOperation,
  name: 'addAdministrator',
  method: 'POST',
  path: base,
  summary: 'Add an account with a role',
  description: 'Its owner has to change the password before anything else.',
  body: {
    type: 'json',
    schema: z.strictObject({ name: AdministratorName, role: RoleName, password: GivenPassword }),
  },
  examples: [{ summary: 'A publisher', body: { ...example, role: 'publisher' } }],
  reply: created(z.extend(Administrator, { generatedPassword: GeneratedPassword })),
  problems: ['administrator-taken'],
})

export const getAdministrator = operation({
  ...administratorOperation,
  name: 'getAdministrator',
  method: 'GET',
  path: `${base}/{name}`,
  summary: 'Get an account',
  params,
  examples: [{ summary: 'One account', params: example }],
  reply: data(Administrator),
  problems: ['administrator-unknown'],
})

export const changeRole = operation({
  ...administratorOperation,
  name: 'changeRole',
  method: 'PUT',
  path: `${base}/{name}/role`,
  summary: 'Change the role of another account immediately',
  description: 'At least one account always keeps the role administrator.',
  params,
  body: { type: 'json', schema: z.strictObject({ role: RoleName }) },
  examples: [{ summary: 'Read-only', params: example, body: { role: 'viewer' } }],
  reply: data(Administrator),
  problems: ['administrator-unknown', 'administrator-last', 'administrator-self'],
})

export const setPassword = operation({
  ...administratorOperation,
  name: 'setPassword',
  method: 'PUT',
  path: `${base}/{name}/password`,
  summary: 'Set a new password for another account, and end its sessions',
  description: 'Its owner has to change the password before anything else.',
  params,
  body: { type: 'json', schema: z.strictObject({ password: GivenPassword }) },
  examples: [{ summary: 'A generated password', params: example, body: {} }],
  reply: data(z.extend(Administrator, { generatedPassword: GeneratedPassword })),
  problems: ['administrator-unknown', 'administrator-self'],
})

export const resetSecondFactor = operation({
  ...administratorOperation,
  name: 'resetSecondFactor',
  method: 'DELETE',
  path: `${base}/{name}/second-factor`,
  summary:
    'Remove the second factor of another account, such as after the loss of a phone, and end its sessions',
  params,
  examples: [{ summary: 'One account', params: example }],
  reply: data(Administrator),
  problems: ['administrator-unknown', 'administrator-self'],
})

export const removeAdministrator = operation({
  ...administratorOperation,
  name: 'removeAdministrator',
  method: 'DELETE',
  path: `${base}/{name}`,
  summary: 'Remove another account and its sessions',
  description: 'At least one account always keeps the role administrator.',
  params,
  examples: [{ summary: 'One account', params: example }],
  reply: data(z.object({ name: z.string() })),
  problems: ['administrator-unknown', 'administrator-last', 'administrator-self'],
})

export const listAdministratorSessions = operation({
  ...administratorOperation,
  name: 'listAdministratorSessions',
  method: 'GET',
  path: `${base}/{name}/sessions`,
  summary: 'List the sessions of an account, newest first, at most 100 of each kind',
  params,
  examples: [{ summary: 'One account', params: example }],
  reply: data(z.array(AdministratorSession)),
  problems: ['administrator-unknown'],
})

export const endAdministratorSessions = operation({
  ...administratorOperation,
  name: 'endAdministratorSessions',
  method: 'DELETE',
  path: `${base}/{name}/sessions`,
  summary: 'End one or all sessions of an account',
  params,
  query: z.strictObject({
    id: z.optional(z.uuid()).check(z.describe('The session to end; default: all')),
  }),
  examples: [{ summary: 'All sessions of an account', params: example }],
  reply: data(Ended),
  problems: ['administrator-unknown'],
})
