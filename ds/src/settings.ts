/** The settings of the service: environment variables on Node and Deno, variables and secrets on Workers. */
import { AllowedOrigin } from '@cardwire/client/protocol'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { nameLength, passwordLength } from './rules/account.ts'

z.config(z.locales.en())

/** The shortest overlap of signing keys: two sync cycles of a connector (8 h each), so that every one has heard of a key. */
const shortestOverlapS = 2 * 8 * 3600

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

// Not coerced: Number takes a space for 0, and 0x50 for 80.
const whole = (least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^\d+$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.number().min(least).max(most))

const choice = z.enum(['on', 'off'])

const Environment = z.strictObject({
  DS_HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  DS_PORT: whole(0, 65535).default(8080).describe('Port to listen on; 0 takes any'),
  DS_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/[?#]/.test(url), 'expected an address without query and fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public address of the service; default: where it listens'),
  DS_DATABASE: z.string().min(1).default('data/cardwire.sqlite').describe('Database file'),
  DS_PACKAGES_DIR: z
    .string()
    .min(1)
    .default('data/packages')
    .describe('Folder that file:/// addresses lie in'),
  DS_ADMIN_USER: z
    .string()
    .min(1)
    .max(nameLength.most)
    .default('admin')
    .describe('First administrator'),
  DS_ADMIN_PASSWORD: z
    .string()
    .min(passwordLength.least)
    .max(passwordLength.most)
    .optional()
    .describe('Password of the first administrator; made and printed once when absent'),
  DS_IDP_ISSUER: z.url().optional().describe('Issuer of an external OpenID provider'),
  DS_IDP_JWKS_URL: z
    .url()
    .optional()
    .describe('Its key set, when it is not to be discovered from the issuer'),
  DS_IDP_AUDIENCE: z.string().min(1).optional().describe('Audience its tokens must carry'),
  DS_IDP_ROLE: z.string().min(1).optional().describe('Role that makes an administrator'),
  DS_IDP_ROLE_CLAIM: z
    .string()
    .min(1)
    .default('realm_access.roles')
    .describe('Claim that lists the roles, with dots between its steps'),
  DS_TOKEN_ALG: z
    .enum(['ES256', 'RS256'])
    .default('ES256')
    .describe('Algorithm of application tokens'),
  DS_TOKEN_LIMIT: whole(1, 1_000_000)
    .default(600)
    .describe('Application tokens per key and minute'),
  DS_TRUST_PROXY: list
    .pipe(z.array(network))
    .default([])
    .describe('Proxies whose X-Forwarded-For counts'),
  DS_CORS: list
    .pipe(z.array(AllowedOrigin))
    .default([])
    .describe('Origins whose pages may ask for versions, status and downloads'),
  DS_SECRET: z
    .base64()
    .transform((text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
    .refine((bytes) => bytes.length === 32, 'expected 32 bytes in base64')
    .optional()
    .describe(
      'Wraps signing keys and keystore passwords: 32 bytes, base64; made beside the database when absent',
    ),
  DS_KEY_OVERLAP: whole(shortestOverlapS, 90 * 86_400)
    .default(86_400)
    .describe('Seconds a signing key is published before it signs, and after'),
  DS_CYCLE: whole(1, 7 * 86_400)
    .default(28_800)
    .describe('Seconds between two synchronisations of a connector'),
  DS_IMPLICIT_VERSIONS: choice
    .default('off')
    .describe('on: a version that a connector names and nobody registered is made'),
  DS_USER_NAMES: choice
    .default('off')
    .describe('on: the names of the people at the devices are kept'),
  DS_DEVICE_RETENTION_DAYS: whole(1, 3650)
    .default(400)
    .describe('Days after which a device that was not seen is forgotten'),
})

/** An administrator's token comes from here. */
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

/** Settings that cannot be: every reason, a line each. */
export class SettingsError extends Error {
  constructor(reasons: readonly string[]) {
    super(['Cannot read the settings:', ...reasons.map((reason) => `  ${reason}`)].join('\n'))
  }
}

/** Reads the settings; `environment` may hold anything, only names that begin with DS_ count. */
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
    throw new SettingsError(result.error.issues.flatMap(reasons))
  }
  const env = result.data
  if (env.DS_KEY_OVERLAP < 2 * env.DS_CYCLE) {
    throw new SettingsError([
      `DS_KEY_OVERLAP: expected two cycles (DS_CYCLE) or more, ${2 * env.DS_CYCLE} s, so that every connector hears of a key`,
    ])
  }
  return {
    host: env.DS_HOST,
    port: env.DS_PORT,
    /** Absent: known only when the service listens. */
    url: env.DS_URL,
    database: env.DS_DATABASE,
    packagesDir: env.DS_PACKAGES_DIR,
    adminUser: env.DS_ADMIN_USER,
    adminPassword: env.DS_ADMIN_PASSWORD,
    identity: identitySettings(env, Object.keys(text)),
    tokenAlgorithm: env.DS_TOKEN_ALG,
    tokenLimit: env.DS_TOKEN_LIMIT,
    trustProxy: env.DS_TRUST_PROXY,
    cors: env.DS_CORS,
    secret: env.DS_SECRET,
    keyOverlapS: env.DS_KEY_OVERLAP,
    cycleS: env.DS_CYCLE,
    implicitVersions: env.DS_IMPLICIT_VERSIONS === 'on',
    userNames: env.DS_USER_NAMES === 'on',
    deviceRetentionDays: env.DS_DEVICE_RETENTION_DAYS,
  } as const
}

/** Name, meaning and default of every setting, for help. */
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

function reasons(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(Environment.shape).join(', ')
    return issue.keys.map((name) => `${name}: unknown setting; known are ${known}`)
  }
  return [`${issue.path[0]?.toString() ?? 'DS_*'}: ${issue.message}`]
}

function identitySettings(
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
