/** The settings of the service: environment variables on Node and Deno, variables and secrets on Workers. */
import { AllowedOrigin, counterBounds } from '@cardwire/client/protocol'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { nameLength, passwordLength } from './rules/account-limits.ts'
import { type DatabaseAddress, parseDatabaseAddress } from './rules/database-address.ts'
import { base64ToBytes } from './rules/encoding.ts'

z.config(z.locales.en())

/** The shortest overlap of signing keys: two cycles of a connector (8 h each), so that every connector knows a key before it signs. */
const minOverlapS = 2 * 8 * 3600

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

const network = z.string().transform((text, context) => {
  try {
    return ipaddr.parseCIDR(
      text.includes('/') ? text : `${text}/${ipaddr.parse(text).kind() === 'ipv6' ? 128 : 32}`,
    )
  } catch {
    context.addIssue(`expected an address or a network, got "${text}"`)
    return z.NEVER
  }
})

// Not coerced: Number reads a space as 0, and 0x50 as 80.
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d+$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))

const choice = z.enum(['on', 'off'])

const Environment = z.strictObject({
  DS_HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  DS_PORT: wholeNumber(0, 65535).default(8080).describe('Port to listen on; 0 takes any'),
  DS_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/[?#]/.test(url), 'expected an address without query and fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public address of the service; default: where it listens'),
  DS_DATABASE: z
    .string()
    .min(1)
    .default('data/cardwire.sqlite')
    .describe('Database file, or postgres://user:password@host/database'),
  DS_DRAIN: wholeNumber(0, 60)
    .default(0)
    .describe('Seconds for which it still takes requests when it is told to stop'),
  DS_PACKAGES_DIR: z
    .string()
    .min(1)
    .default('data/packages')
    .describe('Folder of the files that file:/// addresses name'),
  DS_ADMIN_USER: z
    .string()
    .min(1)
    .max(nameLength.max)
    .default('admin')
    .describe('First administrator'),
  DS_ADMIN_PASSWORD: z
    .string()
    .min(passwordLength.min)
    .max(passwordLength.max)
    .optional()
    .describe('Password of the first administrator; generated and printed once when absent'),
  DS_IDP_ISSUER: z.url().optional().describe('Issuer of an external OpenID provider'),
  DS_IDP_JWKS_URL: z
    .url()
    .optional()
    .describe('Address of its key set; default: discovered from the issuer'),
  DS_IDP_AUDIENCE: z.string().min(1).optional().describe('Audience its tokens must carry'),
  DS_IDP_ROLE: z.string().min(1).optional().describe('Role that makes an administrator'),
  DS_IDP_ROLE_CLAIM: z
    .string()
    .min(1)
    .default('realm_access.roles')
    .describe('Claim that lists the roles; dots lead through objects'),
  DS_TOKEN_ALG: z
    .enum(['ES256', 'RS256'])
    .default('ES256')
    .describe('Algorithm of application tokens'),
  DS_TOKEN_LIMIT: wholeNumber(1, 1_000_000)
    .default(600)
    .describe('Application tokens per key and minute'),
  DS_DOWNLOAD_LIMIT: wholeNumber(1, 1_000_000)
    .default(64)
    .describe('Files that one address may download at once; not on Workers'),
  DS_TRUST_PROXY: list
    .pipe(z.array(network))
    .default([])
    .describe('Proxies whose X-Forwarded-For counts'),
  DS_CORS: list
    .pipe(z.array(AllowedOrigin))
    .default([])
    .describe('Origins whose pages may request versions, status and downloads'),
  DS_SECRET: z
    .base64()
    .transform(base64ToBytes)
    .refine((bytes) => bytes.length === 32, 'expected 32 bytes in base64')
    .optional()
    .describe(
      'Wraps signing keys and keystore passwords: 32 bytes, base64; created beside the database when absent',
    ),
  DS_KEY_OVERLAP: wholeNumber(minOverlapS, 90 * 86_400)
    .default(86_400)
    .describe('Seconds a signing key is published before it signs, and after'),
  DS_CYCLE: wholeNumber(1, 7 * 86_400)
    .default(28_800)
    .describe('Seconds between two synchronizations of a connector'),
  DS_POLICY_MAX_AGE: wholeNumber(1, 3650)
    .optional()
    .describe(
      'Days for which a connector follows its policy without a synchronization; default: no limit',
    ),
  DS_IMPLICIT_VERSIONS: choice
    .default('off')
    .describe('on: registers a version that a connector names and nobody has registered'),
  DS_USER_NAMES: choice
    .default('off')
    .describe('on: stores the user names of the people at the devices'),
  DS_DEVICE_RETENTION_DAYS: wholeNumber(1, 3650)
    .default(400)
    .describe('Days after which a device that was not seen is deleted'),
  DS_DEVICE_APPROVAL: choice
    .optional()
    .describe(
      'on: an administrator approves a new device before it gets a keystore; default: as DS_STAMP_INSTALLERS',
    ),
  DS_STAMP_INSTALLERS: choice
    .default('off')
    .describe(
      'on: writes address, installation key and fingerprints into the packages that are downloaded',
    ),
  DS_DEVICES_PER_KEY: wholeNumber(1, 1_000_000)
    .default(20_000)
    .describe('New devices that may register with an installation key on a day'),
  DS_DEVICES_PER_ADDRESS: wholeNumber(1, 1_000_000)
    .default(5_000)
    .describe('New devices that may register from an address on a day'),
  DS_COUNTER_LIMIT: wholeNumber(counterBounds.entries, 1_000_000)
    .default(counterBounds.batches * counterBounds.entries)
    .describe('Entries of counters that are taken from a device on a day'),
  DS_LOGS_KEPT: wholeNumber(1, 100_000)
    .default(1000)
    .describe('Devices whose uploaded logs are kept; beyond that the oldest logs go'),
})

/** The identity provider of the administrators. */
export type IdentitySettings =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'external'
      readonly issuer: string | undefined
      readonly jwksUrl: string | undefined
      readonly audience: string
      readonly role: string
      readonly roleClaim: string
    }

export type Settings = ReturnType<typeof readSettings>

/** Settings that are not valid: every reason on a line of its own. */
export class SettingsError extends Error {
  constructor(reasons: readonly string[]) {
    super(['Cannot read the settings:', ...reasons.map((reason) => `  ${reason}`)].join('\n'))
  }
}

/** Reads the settings. Only names in `environment` that begin with DS_ count. */
export function readSettings(environment: Readonly<Record<string, unknown>>) {
  const named = Object.entries(environment).filter(
    ([name, value]) => name.startsWith('DS_') && value !== '',
  )
  // Bindings of a Worker (its database, its bucket) are objects; its variables are text, or numbers.
  const text = Object.fromEntries(
    named
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value)]),
  )
  const result = Environment.safeParse(text)
  if (!result.success) {
    throw new SettingsError(result.error.issues.flatMap(describeIssue))
  }
  const env = result.data
  if (env.DS_KEY_OVERLAP < 2 * env.DS_CYCLE) {
    throw new SettingsError([
      `DS_KEY_OVERLAP: expected two cycles (DS_CYCLE) or more, ${2 * env.DS_CYCLE} s, so that every connector knows a key before it signs`,
    ])
  }
  const policyMaxAgeS = env.DS_POLICY_MAX_AGE && env.DS_POLICY_MAX_AGE * 86_400
  if (policyMaxAgeS !== undefined && policyMaxAgeS < 2 * env.DS_CYCLE) {
    throw new SettingsError([
      `DS_POLICY_MAX_AGE: expected two cycles (DS_CYCLE) or more, ${Math.ceil((2 * env.DS_CYCLE) / 86_400)} days, so that one synchronization may fail`,
    ])
  }
  const database = readDatabase(env)
  const stampInstallers = env.DS_STAMP_INSTALLERS === 'on'
  if (stampInstallers && env.DS_DEVICE_APPROVAL === 'off') {
    throw new SettingsError([
      'DS_DEVICE_APPROVAL: expected on with DS_STAMP_INSTALLERS=on, because everybody who downloads a package has its key',
    ])
  }
  return {
    host: env.DS_HOST,
    port: env.DS_PORT,
    /** Absent when the address is known only after the service listens. */
    url: env.DS_URL,
    database,
    drainMs: env.DS_DRAIN * 1000,
    packagesDir: env.DS_PACKAGES_DIR,
    adminUser: env.DS_ADMIN_USER,
    adminPassword: env.DS_ADMIN_PASSWORD,
    identity: readIdentitySettings(env, Object.keys(text)),
    tokenAlgorithm: env.DS_TOKEN_ALG,
    tokenLimit: env.DS_TOKEN_LIMIT,
    downloadLimit: env.DS_DOWNLOAD_LIMIT,
    trustProxy: env.DS_TRUST_PROXY,
    cors: env.DS_CORS,
    secret: env.DS_SECRET,
    keyOverlapS: env.DS_KEY_OVERLAP,
    cycleS: env.DS_CYCLE,
    /** undefined: a policy holds until the next synchronization, whenever that is. */
    policyMaxAgeS,
    implicitVersions: env.DS_IMPLICIT_VERSIONS === 'on',
    userNames: env.DS_USER_NAMES === 'on',
    deviceRetentionDays: env.DS_DEVICE_RETENTION_DAYS,
    deviceApproval: (env.DS_DEVICE_APPROVAL ?? env.DS_STAMP_INSTALLERS) === 'on',
    stampInstallers,
    devicesPerKey: env.DS_DEVICES_PER_KEY,
    devicesPerAddress: env.DS_DEVICES_PER_ADDRESS,
    counterLimit: env.DS_COUNTER_LIMIT,
    logsKept: env.DS_LOGS_KEPT,
  } as const
}

/** Name, meaning and default of every setting, for the help text and the documentation. */
export function describeSettings(): { name: string; meaning: string; fallback: string }[] {
  return Object.entries(Environment.shape).map(([name, type]) => {
    const fallback = type.safeParse(undefined)
    const value = fallback.success ? fallback.data : undefined
    return {
      name,
      meaning: type.description ?? '',
      fallback: value === undefined ? '' : String(value),
    }
  })
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(Environment.shape).join(', ')
    return issue.keys.map((name) => `${name}: unknown setting; known are ${known}`)
  }
  return [`${issue.path[0]?.toString() ?? 'DS_*'}: ${issue.message}`]
}

function readDatabase({ DS_DATABASE, DS_SECRET }: z.output<typeof Environment>): DatabaseAddress {
  try {
    const address = parseDatabaseAddress(DS_DATABASE)
    if (address.kind === 'file' || DS_SECRET !== undefined) return address
  } catch (error) {
    throw new SettingsError([`DS_DATABASE: ${error instanceof Error ? error.message : error}`])
  }
  throw new SettingsError([
    'DS_SECRET: needed with a PostgreSQL database, the same on every node; `openssl rand -base64 32` makes one',
  ])
}

function readIdentitySettings(
  env: z.output<typeof Environment>,
  given: readonly string[],
): IdentitySettings {
  if (!given.some((name) => name.startsWith('DS_IDP_'))) return { kind: 'embedded' }
  const missing = [
    ...(env.DS_IDP_ISSUER || env.DS_IDP_JWKS_URL ? [] : ['DS_IDP_ISSUER or DS_IDP_JWKS_URL']),
    ...(env.DS_IDP_AUDIENCE ? [] : ['DS_IDP_AUDIENCE']),
    ...(env.DS_IDP_ROLE ? [] : ['DS_IDP_ROLE']),
  ]
  if (missing.length > 0 || !env.DS_IDP_AUDIENCE || !env.DS_IDP_ROLE) {
    throw new SettingsError(
      missing.map((name) => `${name}: needed for an external identity provider`),
    )
  }
  return {
    kind: 'external',
    issuer: env.DS_IDP_ISSUER,
    jwksUrl: env.DS_IDP_JWKS_URL,
    audience: env.DS_IDP_AUDIENCE,
    role: env.DS_IDP_ROLE,
    roleClaim: env.DS_IDP_ROLE_CLAIM,
  }
}
