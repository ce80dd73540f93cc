/** The settings of the connector: a file, the environment and flags, one schema for all three. */
import { isAbsolute } from 'node:path'
import { AllowedOrigin } from '@cardwire/client/protocol'
import * as z from 'zod'

z.config(z.locales.en())

const list = <S extends z.ZodType<unknown, string>>(schema: S) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(schema))

const expectedPort = 'expected a port number from 0 to 65535'
const portNumber = z.int().min(0).max(65_535, expectedPort)

const port = z
  .string()
  .regex(/^\d{1,5}$/, expectedPort)
  .transform(Number)
  .pipe(portNumber)

/** A range such as 25100-25199, both included. */
const ports = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'expected a range of ports such as 25100-25199')
  .transform((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number)
    return { first, last }
  })
  .pipe(z.object({ first: portNumber, last: portNumber }))
  .refine(({ first, last }) => first <= last, 'expected the first port before the last')

const onOff = z
  .enum(['on', 'off'], { error: 'expected on or off' })
  .transform((value) => value === 'on')

/** Where the distribution service is, without a slash at its end; without TLS only on this machine. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^https:/i.test(url) || isLoopback(URL.parse(url)?.hostname ?? ''))
  .transform((url) => url.replace(/\/+$/, ''))

/** What may be left out; `expected`: what else it has to be. */
const optional = (schema: z.ZodType<string, string>, expected: string) =>
  z.string().transform((text, context) => {
    if (text === '') return text
    const result = schema.safeParse(text)
    if (result.success) return result.data
    context.issues.push({ code: 'custom', message: `expected ${expected}`, input: text })
    return z.NEVER
  })

const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

// RFC 7638, SHA-256, base64url.
const fingerprint = z.string().regex(/^[\w-]{43}$/, 'expected fingerprints of 43 characters')

// A host name, or an address: what may stand in a certificate beside localhost.
const host = z
  .string()
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9-]+$|^[0-9a-f:.]+$/,
    'expected a host name or an address',
  )

const origin = z.string().pipe(AllowedOrigin)

/** Every setting by its name, with what it means and what it is when nobody sets it. */
const table = {
  CARDWIRE_REGISTRY_PORT: {
    schema: port,
    fallback: '51983',
    meaning: 'Port of the registry; deployed pages know 51983',
  },
  CARDWIRE_MACHINE_DIR: {
    schema: optional(
      z.string().refine((path) => isAbsolute(path)),
      'an absolute path',
    ),
    fallback: '',
    meaning: 'Folder of the registry service, instead of the one of the system',
  },
  CARDWIRE_API_PORTS: {
    schema: ports,
    fallback: '25100-25199',
    meaning: 'Ports the API chooses from; below 32768, where systems take none by themselves',
  },
  CARDWIRE_CORS: {
    schema: list(origin),
    fallback: '',
    meaning: 'Origins whose pages may ask, for a connector without a distribution service',
  },
  CARDWIRE_JWKS: {
    schema: z.string(),
    fallback: '',
    meaning:
      'Key set that tokens are verified with, as a file or an https address, without a distribution service',
  },
  CARDWIRE_JWT: {
    schema: onOff,
    fallback: 'on',
    meaning: 'off: pages need no token, consent alone counts',
  },
  CARDWIRE_HOSTS: {
    schema: list(host),
    fallback: '',
    meaning: 'More names for the local certificate, beside localhost, 127.0.0.1 and ::1',
  },
  CARDWIRE_LOCAL_CA: {
    schema: onOff,
    fallback: 'on',
    meaning: 'off: make no certificates of its own, serve with the keystore of the service alone',
  },
  CARDWIRE_DS_URL: {
    schema: optional(
      address,
      'an address that begins with https:// (http:// is for a service on this machine alone)',
    ),
    fallback: '',
    meaning: 'Address of the distribution service',
  },
  CARDWIRE_INSTALLATION_KEY: {
    schema: optional(z.uuid(), 'a UUID, 36 characters'),
    fallback: '',
    meaning:
      'Key that the connector registers with, once; looked at again only when the service has forgotten it',
  },
  CARDWIRE_DS_FINGERPRINTS: {
    schema: list(fingerprint),
    fallback: '',
    meaning:
      'Fingerprints of the keys that the service signs its replies with; without them those of the first registration are believed',
  },
  CARDWIRE_CA_FILE: {
    schema: z.string(),
    fallback: '',
    meaning:
      'File of roots, PEM, that the service may be certified by, beside the roots of the system',
  },
  CARDWIRE_PCSC_LIBRARY: {
    schema: z.string(),
    fallback: '',
    meaning: 'Library of the card service, instead of the one of the system',
  },
  CARDWIRE_VIRTUAL_READER: {
    schema: z.string(),
    fallback: '',
    meaning:
      'File that stands for a card: a reader of its own instead of the card service, with a card while the file holds an ATR',
  },
  CARDWIRE_LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warning', 'error'], {
      error: 'expected debug, info, warning or error',
    }),
    fallback: 'info',
    meaning: 'How much is logged: debug, info, warning, error',
  },
} as const satisfies Record<string, { schema: z.ZodType; fallback: string; meaning: string }>

export type SettingName = keyof typeof table

export interface Settings {
  readonly registryPort: number
  readonly machineDir: string | undefined
  readonly apiPorts: { readonly first: number; readonly last: number }
  readonly cors: readonly string[]
  readonly jwks: string | undefined
  readonly jwtRequired: boolean
  readonly hosts: readonly string[]
  readonly localCa: boolean
  readonly dsUrl: string | undefined
  readonly installationKey: string | undefined
  readonly dsFingerprints: readonly string[]
  readonly caFile: string | undefined
  readonly pcscLibrary: string | undefined
  readonly virtualReader: string | undefined
  readonly logLevel: 'debug' | 'info' | 'warning' | 'error'
}

/** Where a value was found, for the person who has to change it. */
export interface Source {
  readonly name: string
  readonly values: Readonly<Record<string, string | undefined>>
}

/** Settings that cannot be: every reason, a line each. */
export class SettingsError extends Error {
  constructor(reasons: readonly string[]) {
    super(['Cannot read the settings:', ...reasons.map((reason) => `  ${reason}`)].join('\n'))
  }
}

/** Reads the settings; a later source wins over an earlier one. Only names that begin with CARDWIRE_ count. */
export function readSettings(sources: readonly Source[]): Settings {
  const reasons: string[] = []
  const found = new Map<string, { value: string; source: string }>()
  for (const source of sources) {
    for (const [name, value] of Object.entries(source.values)) {
      if (!name.startsWith('CARDWIRE_') || value === undefined || value === '') continue
      if (Object.hasOwn(table, name)) found.set(name, { value, source: source.name })
      else
        reasons.push(
          `${name} (${source.name}): unknown setting; known are ${Object.keys(table).join(', ')}`,
        )
    }
  }
  const read = <N extends SettingName>(name: N): z.output<(typeof table)[N]['schema']> => {
    const { value, source } = found.get(name) ?? { value: table[name].fallback, source: 'default' }
    const result = table[name].schema.safeParse(value)
    if (result.success) return result.data as z.output<(typeof table)[N]['schema']>
    reasons.push(`${name} (${source}): ${result.error.issues.map(reasonOf).join('; ')}`)
    // Never used: the reasons are thrown below.
    return undefined as never
  }
  const settings: Settings = {
    registryPort: read('CARDWIRE_REGISTRY_PORT'),
    machineDir: read('CARDWIRE_MACHINE_DIR') || undefined,
    apiPorts: read('CARDWIRE_API_PORTS'),
    cors: read('CARDWIRE_CORS'),
    jwks: read('CARDWIRE_JWKS') || undefined,
    jwtRequired: read('CARDWIRE_JWT'),
    hosts: read('CARDWIRE_HOSTS'),
    localCa: read('CARDWIRE_LOCAL_CA'),
    dsUrl: read('CARDWIRE_DS_URL') || undefined,
    installationKey: read('CARDWIRE_INSTALLATION_KEY') || undefined,
    dsFingerprints: read('CARDWIRE_DS_FINGERPRINTS'),
    caFile: read('CARDWIRE_CA_FILE') || undefined,
    pcscLibrary: read('CARDWIRE_PCSC_LIBRARY') || undefined,
    virtualReader: read('CARDWIRE_VIRTUAL_READER') || undefined,
    logLevel: read('CARDWIRE_LOG_LEVEL'),
  }
  if (reasons.length > 0) throw new SettingsError(reasons)
  return settings
}

/** What was expected, of a list in which entry. Not what came: a secret may have come to the wrong place. */
function reasonOf({ message, path: [at] }: z.core.$ZodIssue): string {
  return typeof at === 'number' ? `entry ${at + 1}: ${message}` : message
}

/** Name, meaning and default of every setting, for help and documents. */
export const describeSettings = () =>
  Object.entries(table).map(([name, { meaning, fallback }]) => ({ name, meaning, fallback }))

/** The flag that stands for a setting: `--registry-port` for CARDWIRE_REGISTRY_PORT. */
export const flagOf = (name: string) =>
  `--${name.slice('CARDWIRE_'.length).toLowerCase().replaceAll('_', '-')}`
