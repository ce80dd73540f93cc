/** The environment variables of the service as one table: what each means, which values it takes, and its default. */
import {
  AllowedOrigin,
  accountLimits,
  clientId,
  counterBounds,
  isLoopbackHost,
  realm,
  waitBounds,
} from '@cardwire/protocol'
import { describeIssue } from '@cardwire/protocol/issue-words'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { base64ToBytes } from './rules/encoding.ts'

z.config({ customError: describeIssue })

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

/** Values as they are used; absent ones have their defaults. */
export const Environment = z.strictObject({
  DS_HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  DS_PORT: wholeNumber(0, 65535).default(8080).describe('Port to listen on; 0: any free port'),
  DS_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/[?#]/.test(url), 'expected a URL without query and fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public URL of the service; default: where it listens'),
  DS_DATABASE: z
    .string()
    .min(1)
    .default('data/cardwire.sqlite')
    .describe('Database file, or postgres://user:password@host/database'),
  DS_DRAIN: wholeNumber(0, 60)
    .default(0)
    .describe('Seconds that a stopping service still takes requests'),
  DS_PACKAGES_DIR: z
    .string()
    .min(1)
    .default('data/packages')
    .describe('Folder of the installers that file:/// URLs name'),
  DS_KEYSTORES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of the keystores that file:/// URLs name; default: keystores next to DS_PACKAGES_DIR',
    ),
  DS_BUCKET: z
    .string()
    .optional()
    .describe(
      'Bucket for installers and keystores instead of the folders, s3://bucket/prefix?region=…&endpoint=…; keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; not on Workers',
    ),
  DS_ADMIN_USER: z
    .string()
    .min(1)
    .max(accountLimits.name.max)
    .default('admin')
    .describe('Name of the first administrator'),
  DS_ADMIN_PASSWORD: z
    .string()
    .min(accountLimits.password.min)
    .max(accountLimits.password.max)
    .optional()
    .describe(
      'Password of the first administrator; default: generated, and printed once on a terminal',
    ),
  DS_SECOND_FACTOR: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('required: every account must set up two-factor authentication before anything else'),
  DS_REALM: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'expected 1 to 64 letters, digits, hyphens or underscores')
    .default(realm)
    .describe('Realm of the embedded provider, in its URLs and its issuer'),
  DS_REALM_CLIENT: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 letters, digits, dots, hyphens or underscores')
    .default(clientId)
    .describe('client_id that programs send to the embedded provider'),
  DS_BREAK_GLASS_USER: z
    .string()
    .min(1)
    .max(accountLimits.name.max)
    .optional()
    .describe(
      'With an external OpenID provider: account of this service that can sign in if the provider is down',
    ),
  DS_IDP_ISSUER: z.url().optional().describe('Issuer of an external OpenID provider'),
  DS_IDP_JWKS_URL: z
    .url()
    .optional()
    .describe('URL of the external provider’s key set; default: discovered from the issuer'),
  DS_IDP_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe('Audience that the external provider’s tokens must have'),
  DS_IDP_ROLE: z.string().min(1).optional().describe('Role that makes a user an administrator'),
  DS_IDP_PUBLISHER_ROLE: z
    .string()
    .min(1)
    .optional()
    .describe('Role that makes a user a publisher'),
  DS_IDP_VIEWER_ROLE: z.string().min(1).optional().describe('Role that makes a user a viewer'),
  DS_IDP_ROLE_CLAIM: z
    .string()
    .min(1)
    .default('realm_access.roles')
    .describe('Claim that lists the roles of a token; dots separate the names of nested objects'),
  DS_IDP_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Client of the external provider for sign-in in the browser; redirect URL …/admin/login/callback',
    ),
  DS_IDP_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Secret of that client; omit for a public client'),
  DS_IDP_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, 'expected scopes separated by spaces, including "openid"')
    .default('openid profile')
    .describe('Scopes to request when a browser signs in'),
  DS_IDP_PARAMETERS: z
    .string()
    .default('')
    .describe(
      'Additional parameters of the sign-in request, in the form of a query, such as resource=… or audience=…',
    ),
  DS_TOKEN_ALG: z
    .enum(['ES256', 'RS256'])
    .default('ES256')
    .describe('Algorithm of application tokens'),
  DS_TOKEN_LIMIT: wholeNumber(1, 1_000_000)
    .default(600)
    .describe('Application tokens per key and minute'),
  DS_DOWNLOAD_LIMIT: wholeNumber(1, 1_000_000)
    .default(64)
    .describe('Files that one address may download at the same time; not on Workers'),
  DS_TRUST_PROXY: list
    .pipe(z.array(network))
    .default([])
    .describe('Proxies whose X-Forwarded-For the service trusts'),
  DS_GATEWAY: list
    .pipe(z.array(z.enum(['built-in', 'kong'])).min(1))
    .default(['built-in'])
    .describe('Who checks API keys: built-in, kong, or both, separated by a comma'),
  DS_GATEWAY_SECRET: z
    .string()
    .min(32)
    .max(256)
    .regex(/^[!-~]+$/, 'expected printable ASCII characters without spaces')
    .optional()
    .describe(
      'Secret by which the service recognizes requests of an API gateway that has checked the key',
    ),
  DS_KONG_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname),
      'expected https, unless the Admin API is on this computer',
    )
    .refine((url) => !/[?#@]/.test(url), 'expected a URL without user, query and fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('URL of Kong’s Admin API'),
  DS_KONG_TOKEN: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[!-~]+$/, 'expected printable ASCII characters without spaces')
    .optional()
    .describe('Token for the Admin API, sent as Kong-Admin-Token'),
  DS_GATEWAY_TAG: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'expected at most 32 lowercase letters, digits and hyphens')
    .optional()
    .describe('Name of this service at gateways, at the start of the IDs of its consumers'),
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
      '32 bytes in base64 that encrypt the secrets in the database; default: created in a file next to it',
    ),
  DS_KEY_OVERLAP: wholeNumber(minOverlapS, 90 * 86_400)
    .default(86_400)
    .describe('Seconds that a signing key is published before it signs, and afterward'),
  DS_CYCLE: wholeNumber(1, 7 * 86_400)
    .default(28_800)
    .describe('Seconds between two syncs of a connector'),
  DS_POLICY_MAX_AGE: wholeNumber(0, 3650)
    .default(30)
    .describe('Days that a connector follows its policy without a sync; 0: no limit'),
  DS_WAITS: wholeNumber(0, 1_000_000)
    .default(250)
    .describe(
      'Connectors that can wait for changes at this node, each with a connection; 0: none; not on Workers',
    ),
  DS_WAIT_S: wholeNumber(1, waitBounds.holdS)
    .default(50)
    .describe('Seconds that such a connection stays open if nothing changes'),
  DS_WAKE_RATE: wholeNumber(1, 1_000_000)
    .default(1000)
    .describe('Maximum syncs per second of the connectors that wait at this node'),
  DS_IMPLICIT_VERSIONS: choice
    .default('off')
    .describe('on: registers an unknown version when a connector names it'),
  DS_USER_NAMES: choice.default('off').describe('on: stores the user names that devices report'),
  DS_WEBHOOK_PRIVATE_ADDRESSES: choice
    .default('off')
    .describe('on: webhooks may have private and local addresses; not on Workers'),
  DS_WEBHOOK_FAULT_PERCENT: wholeNumber(1, 100)
    .default(5)
    .describe('Percentage of the devices of a version with faults at which webhooks are told'),
  DS_DEVICE_RETENTION_DAYS: wholeNumber(1, 3650)
    .default(400)
    .describe('Days after which a device that has not been seen is deleted'),
  DS_DEVICE_APPROVAL: choice
    .optional()
    .describe(
      'on: an administrator approves a new device before it gets a keystore; default: same as DS_STAMP_INSTALLERS',
    ),
  DS_STAMP_INSTALLERS: choice
    .default('off')
    .describe('on: downloaded packages contain the URL, the installation key and the fingerprints'),
  DS_DEVICES_PER_KEY: wholeNumber(1, 10_000_000)
    .default(20_000)
    .describe('New devices that may register with one installation key per day'),
  DS_DEVICES_PER_ADDRESS: wholeNumber(1, 10_000_000)
    .default(5_000)
    .describe('New devices that may register from one address per day'),
  DS_REGISTRATION_LIMIT: wholeNumber(1, 1_000_000)
    .default(600)
    .describe('Registrations per address and minute'),
  DS_COUNTER_LIMIT: wholeNumber(counterBounds.entries, 1_000_000)
    .default(counterBounds.batches * counterBounds.entries)
    .describe('Counter entries that the service takes from one device per day'),
  DS_LOGS_KEPT: wholeNumber(1, 100_000)
    .default(1000)
    .describe('Devices whose uploaded logs are kept; beyond that, the oldest logs are deleted'),
  DS_REVISIONS_KEPT: wholeNumber(2, 10_000)
    .default(50)
    .describe('Revisions kept of each configuration and each version'),
  DS_REVIEW_SHARE: wholeNumber(0, 100)
    .default(10)
    .describe(
      'Percentage of all devices; to save a change that affects more, you type a name or a number',
    ),
  DS_MAX_REACH: z
    .union([z.literal('any'), wholeNumber(0, 999_999_999)], 'expected a whole number, or any')
    .default(1)
    .describe('Devices that a request without maxReach may affect; any: no limit'),
  DS_TWO_ADMINISTRATORS: z
    .union([z.literal('off'), wholeNumber(0, 999_999_999)], 'expected a whole number, or off')
    .default('off')
    .describe(
      'Devices that one administrator may give another version; beyond that, a second one has to approve; off: any number',
    ),
  DS_LOG_FORMAT: z
    .enum(['json', 'ecs'])
    .default('json')
    .describe('ecs: log lines have the field names of the Elastic Common Schema'),
  DS_LOG_AUDIT: choice
    .default('off')
    .describe('on: entries of the audit log are log lines, too, at the node that made the change'),
})

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
