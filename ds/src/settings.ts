/** The settings of the service: environment variables on Node and Deno, variables and secrets on Workers. */
import { findSkippedChecks, type Role } from '@cardwire/protocol'
import type * as z from 'zod'
import { Environment } from './environment.ts'
import { type BucketAddress, parseBucketAddress } from './rules/bucket-address.ts'
import { type DatabaseAddress, parseDatabaseAddress } from './rules/database-address.ts'

/** The identity provider of the administrators. */
export type IdentitySettings =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'external'
      readonly issuer: string | undefined
      readonly jwksUrl: string | undefined
      readonly audience: string
      readonly roleNames: Readonly<Record<Role, string | undefined>>
      readonly roleClaim: string
      /** How browsers log in; undefined: they cannot. */
      readonly login: ExternalLoginSettings | undefined
    }

export interface ExternalLoginSettings {
  readonly issuer: string
  readonly clientId: string
  /** undefined: a public client. */
  readonly clientSecret: string | undefined
  readonly scope: string
  /** More parameters of the authorization request, by their names. */
  readonly parameters: Readonly<Record<string, string>>
}

/** The keys of a bucket, by the names that every program has for them. */
export interface BucketCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface BucketSettings {
  readonly address: BucketAddress
  readonly credentials: BucketCredentials
}

export type Settings = ReturnType<typeof readSettings>

/** Settings that are not valid: every reason on a line of its own. */
export class SettingsError extends Error {
  constructor(reasons: readonly string[]) {
    super(['Cannot read the settings:', ...reasons.map((reason) => `  ${reason}`)].join('\n'))
  }
}

/**
 * Reads the settings. Only names in `environment` that begin with DS_ count, the one that turns off the checks of certificates, and
 * the keys of a bucket.
 */
export function readSettings(environment: Readonly<Record<string, unknown>>) {
  const fault = findSkippedChecks(environment)
  if (fault !== undefined) throw new SettingsError([fault])
  const text = selectVariables(environment)
  const result = Environment.safeParse(text)
  if (!result.success) {
    throw new SettingsError(result.error.issues.flatMap(describeIssue))
  }
  const env = result.data
  const policyMaxAgeS = env.DS_POLICY_MAX_AGE === 0 ? undefined : env.DS_POLICY_MAX_AGE * 86_400
  requireConsistency(env, policyMaxAgeS)
  return {
    host: env.DS_HOST,
    port: env.DS_PORT,
    /** Absent when the address is known only after the service listens. */
    url: env.DS_URL,
    database: readDatabase(env),
    drainMs: env.DS_DRAIN * 1000,
    packagesDir: env.DS_PACKAGES_DIR,
    keystoresDir: env.DS_KEYSTORES_DIR,
    /** undefined: files are in the folders. */
    bucket: readBucket(env, environment),
    adminUser: env.DS_ADMIN_USER,
    adminPassword: env.DS_ADMIN_PASSWORD,
    /** Whether accounts of this service need a second factor; that of an emergency always does. */
    secondFactorRequired:
      env.DS_SECOND_FACTOR === 'required' || env.DS_BREAK_GLASS_USER !== undefined,
    /** The names of the embedded provider: its realm, and the client in it. */
    realm: { name: env.DS_REALM, client: env.DS_REALM_CLIENT },
    /** The account that signs in when the external provider does not work. */
    breakGlassUser: env.DS_BREAK_GLASS_USER,
    identity: readIdentitySettings(env, Object.keys(text)),
    tokenAlgorithm: env.DS_TOKEN_ALG,
    tokenLimit: env.DS_TOKEN_LIMIT,
    downloadLimit: env.DS_DOWNLOAD_LIMIT,
    trustProxy: env.DS_TRUST_PROXY,
    /** Whether the service checks keys itself, and not only a gateway before it. */
    acceptsKeys: env.DS_GATEWAY.includes('built-in'),
    gatewaySecret: env.DS_GATEWAY_SECRET,
    kong: readKong(env),
    gatewayTag: env.DS_GATEWAY_TAG ?? 'cardwire',
    cors: env.DS_CORS,
    secret: env.DS_SECRET,
    keyOverlapS: env.DS_KEY_OVERLAP,
    cycleS: env.DS_CYCLE,
    /** undefined: a policy holds until the next synchronization, whenever that is. */
    policyMaxAgeS,
    waits: env.DS_WAITS,
    waitS: env.DS_WAIT_S,
    wakeRate: env.DS_WAKE_RATE,
    implicitVersions: env.DS_IMPLICIT_VERSIONS === 'on',
    userNames: env.DS_USER_NAMES === 'on',
    webhookPrivateAddresses: env.DS_WEBHOOK_PRIVATE_ADDRESSES === 'on',
    webhookFaultRate: env.DS_WEBHOOK_FAULT_PERCENT / 100,
    deviceRetentionDays: env.DS_DEVICE_RETENTION_DAYS,
    deviceApproval: (env.DS_DEVICE_APPROVAL ?? env.DS_STAMP_INSTALLERS) === 'on',
    embedSettings: env.DS_STAMP_INSTALLERS === 'on',
    devicesPerKey: env.DS_DEVICES_PER_KEY,
    devicesPerAddress: env.DS_DEVICES_PER_ADDRESS,
    registrationLimit: env.DS_REGISTRATION_LIMIT,
    counterLimit: env.DS_COUNTER_LIMIT,
    logsKept: env.DS_LOGS_KEPT,
    revisionsKept: env.DS_REVISIONS_KEPT,
    reviewShare: env.DS_REVIEW_SHARE / 100,
    /** What a change may reach whose request has no limit; undefined: as much as it does. */
    maxReach: env.DS_MAX_REACH === 'any' ? undefined : env.DS_MAX_REACH,
    /** How many devices a change of versions may reach without a second administrator; undefined: any number. */
    twoAdministrators: env.DS_TWO_ADMINISTRATORS === 'off' ? undefined : env.DS_TWO_ADMINISTRATORS,
    logFormat: env.DS_LOG_FORMAT,
    /** Whether entries of the audit are in the log, too. */
    logAudit: env.DS_LOG_AUDIT === 'on',
  } as const
}

/** The variables that may be settings, as text. */
function selectVariables(environment: Readonly<Record<string, unknown>>): Record<string, string> {
  const named = Object.entries(environment).filter(
    ([name, value]) => name.startsWith('DS_') && value !== '',
  )
  // Bindings of a Worker (its database, its bucket) are objects; its variables are text, or numbers.
  return Object.fromEntries(
    named
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value)]),
  )
}

/** Throws when settings that are valid one by one contradict each other. */
function requireConsistency(
  env: z.output<typeof Environment>,
  policyMaxAgeS: number | undefined,
): void {
  if (env.DS_KEY_OVERLAP < 2 * env.DS_CYCLE) {
    throw new SettingsError([
      `DS_KEY_OVERLAP: expected two cycles (DS_CYCLE) or more, ${2 * env.DS_CYCLE} s, so that every connector knows a key before it signs`,
    ])
  }
  if (policyMaxAgeS !== undefined && policyMaxAgeS < 2 * env.DS_CYCLE) {
    throw new SettingsError([
      `DS_POLICY_MAX_AGE: expected two cycles (DS_CYCLE) or more, ${Math.ceil((2 * env.DS_CYCLE) / 86_400)} days, so that one sync may fail`,
    ])
  }
  if (env.DS_STAMP_INSTALLERS === 'on' && env.DS_DEVICE_APPROVAL === 'off') {
    throw new SettingsError([
      'DS_DEVICE_APPROVAL: expected on with DS_STAMP_INSTALLERS=on, because everyone who downloads a package has its key',
    ])
  }
}

function readKong({
  DS_GATEWAY,
  DS_GATEWAY_TAG,
  DS_GATEWAY_SECRET,
  DS_KONG_URL: url,
  DS_KONG_TOKEN: token,
}: z.output<typeof Environment>): { url: string; token: string | undefined } | undefined {
  if (!DS_GATEWAY.includes('built-in') && DS_GATEWAY_SECRET === undefined)
    throw new SettingsError(['DS_GATEWAY_SECRET: needed, because DS_GATEWAY has no built-in'])
  if (!DS_GATEWAY.includes('kong')) return undefined
  if (url === undefined) throw new SettingsError(['DS_KONG_URL: needed with DS_GATEWAY=kong'])
  // Two services with one name would remove each other's keys.
  if (DS_GATEWAY_TAG === undefined)
    throw new SettingsError([
      'DS_GATEWAY_TAG: needed with DS_GATEWAY=kong, a name that no other service at this Kong has',
    ])
  return { url, token }
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

function readBucket(
  { DS_BUCKET }: z.output<typeof Environment>,
  environment: Readonly<Record<string, unknown>>,
): BucketSettings | undefined {
  if (DS_BUCKET === undefined) return undefined
  const accessKeyId = readKey(environment, 'AWS_ACCESS_KEY_ID')
  const secretAccessKey = readKey(environment, 'AWS_SECRET_ACCESS_KEY')
  const sessionToken = environment['AWS_SESSION_TOKEN']
    ? readKey(environment, 'AWS_SESSION_TOKEN')
    : undefined
  try {
    return {
      address: parseBucketAddress(DS_BUCKET),
      credentials: {
        accessKeyId,
        secretAccessKey,
        ...(sessionToken !== undefined && { sessionToken }),
      },
    }
  } catch (error) {
    throw new SettingsError([`DS_BUCKET: ${error instanceof Error ? error.message : error}`])
  }
}

/** A header has it, so it is one word. */
function readKey(environment: Readonly<Record<string, unknown>>, name: string): string {
  const value = environment[name]
  if (typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value)) return value
  throw new SettingsError([`${name}: needed with DS_BUCKET, in ASCII and without spaces`])
}

function readIdentitySettings(
  env: z.output<typeof Environment>,
  given: readonly string[],
): IdentitySettings {
  if (!given.some((name) => name.startsWith('DS_IDP_'))) {
    if (env.DS_BREAK_GLASS_USER === undefined) return { kind: 'embedded' }
    throw new SettingsError(['DS_BREAK_GLASS_USER: only with an external identity provider'])
  }
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
    roleNames: {
      administrator: env.DS_IDP_ROLE,
      publisher: env.DS_IDP_PUBLISHER_ROLE,
      viewer: env.DS_IDP_VIEWER_ROLE,
    },
    roleClaim: env.DS_IDP_ROLE_CLAIM,
    login: readLoginSettings(env),
  }
}

function readLoginSettings(env: z.output<typeof Environment>): ExternalLoginSettings | undefined {
  if (env.DS_IDP_CLIENT_ID === undefined) return undefined
  if (env.DS_IDP_ISSUER === undefined)
    throw new SettingsError(['DS_IDP_ISSUER: needed with DS_IDP_CLIENT_ID'])
  return {
    issuer: env.DS_IDP_ISSUER,
    clientId: env.DS_IDP_CLIENT_ID,
    clientSecret: env.DS_IDP_CLIENT_SECRET,
    scope: env.DS_IDP_SCOPE,
    parameters: Object.fromEntries(new URLSearchParams(env.DS_IDP_PARAMETERS)),
  }
}
