/** The settings of the connector: one schema for the file, the environment and flags. */
import { isAbsolute } from 'node:path'
import { AllowedOrigin, isLoopbackHost } from '@cardwire/client/protocol'
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

// Not 0, with which the system chooses: everybody has to know where the registry is.
const expectedPort = 'expected a port number from 1 to 65535'
const portNumber = z.int().min(1, expectedPort).max(65_535, expectedPort)

const port = z
  .string()
  .regex(/^\d{1,5}$/, expectedPort)
  .transform(Number)
  .pipe(portNumber)

/** A range such as 25100-25199, both included. */
const portRange = z
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

/** The address of the distribution service, without a final slash; without TLS only on this machine. */
const serviceUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^https:/i.test(url) || isLoopbackHost(URL.parse(url)?.hostname ?? ''))
  .transform((url) => url.replace(/\/+$/, ''))

/** A value that may be empty; `expected` describes any other value. */
const optional = (schema: z.ZodType<string, string>, expected: string) =>
  z.string().transform((text, context) => {
    if (text === '') return text
    const result = schema.safeParse(text)
    if (result.success) return result.data
    context.issues.push({ code: 'custom', message: `expected ${expected}`, input: text })
    return z.NEVER
  })

// RFC 7638, SHA-256, base64url.
const fingerprint = z.string().regex(/^[\w-]{43}$/, 'expected fingerprints of 43 characters')

// A host name or an address, for the local certificate.
const host = z
  .string()
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9-]+$|^[0-9a-f:.]+$/,
    'expected a host name or an address',
  )

const origin = z.string().pipe(AllowedOrigin)

interface SettingEntry {
  readonly schema: z.ZodType
  readonly fallback: string
  readonly meaning: string
  /** It has no flag: every account of a machine reads the arguments of programs. */
  readonly isSecret?: boolean
}

/** Every setting by its name, with its schema, its default and its meaning. */
const settingsTable = {
  CARDWIRE_REGISTRY_PORT: {
    schema: port,
    fallback: '51983',
    meaning: 'Port of the registry; deployed pages expect 51983',
  },
  CARDWIRE_MACHINE_DIR: {
    schema: optional(
      z.string().refine((path) => isAbsolute(path)),
      'an absolute path',
    ),
    fallback: '',
    meaning: 'Folder of the registry service, in place of the default of the system',
  },
  CARDWIRE_API_PORTS: {
    schema: portRange,
    fallback: '25100-25199',
    meaning:
      'Range of ports that the API chooses one from, any other when none is free; below 32768 systems assign none themselves',
  },
  CARDWIRE_CORS: {
    schema: list(origin),
    fallback: '',
    meaning: 'Origins whose pages may use the API, until a distribution service sends its own list',
  },
  CARDWIRE_JWKS: {
    schema: z.string(),
    fallback: '',
    meaning:
      'Key set that application tokens are verified with, a file or an https address; wins over the keys of a distribution service',
  },
  CARDWIRE_JWT: {
    schema: onOff,
    fallback: 'on',
    meaning: 'off: pages need no application token, only a consent',
  },
  CARDWIRE_HOSTS: {
    schema: list(host),
    fallback: '',
    meaning: 'Further names in the local certificate, beside localhost, 127.0.0.1 and ::1',
  },
  CARDWIRE_LOCAL_CA: {
    schema: onOff,
    fallback: 'on',
    meaning:
      'off: create no local certificates, serve only the keystore of the distribution service',
  },
  CARDWIRE_DS_URL: {
    schema: optional(
      serviceUrl,
      'an address that begins with https:// (http:// is for a service on this machine alone)',
    ),
    fallback: '',
    meaning: 'Address of the distribution service',
  },
  CARDWIRE_INSTALLATION_KEY: {
    schema: optional(z.uuid(), 'a UUID, 36 characters'),
    fallback: '',
    isSecret: true,
    meaning:
      'Key for the first registration of this connector; used again only when the service does not know the connector any more',
  },
  CARDWIRE_DS_FINGERPRINTS: {
    schema: list(fingerprint),
    fallback: '',
    meaning:
      'Fingerprints of the keys that sign the replies of the service; without them the keys of the first registration are trusted',
  },
  CARDWIRE_CA_FILE: {
    schema: z.string(),
    fallback: '',
    meaning:
      'PEM file of root certificates that are trusted for the service, beside those of the system',
  },
  CARDWIRE_PCSC_LIBRARY: {
    schema: z.string(),
    fallback: '',
    meaning: 'PC/SC library, in place of the one of the system',
  },
  CARDWIRE_VIRTUAL_READER: {
    schema: z.string(),
    fallback: '',
    meaning:
      'File for a virtual reader in place of the card service; it has a card while the file contains an ATR, and with that of a PIV card one that can be used, whose PIN is 123456',
  },
  CARDWIRE_CARDS: {
    schema: optional(
      z.string().refine((path) => isAbsolute(path)),
      'an absolute path',
    ),
    fallback: '',
    meaning:
      'JSON file of this account or of root, which nobody else may write, with what pages of an origin may do with cards beyond the usual (docs/card-settings.md), such as {"grants": [{"origin": "https://shop.example", "allow": ["raw-authenticate"]}]}; not read when a distribution service manages the connector',
  },
  CARDWIRE_LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warning', 'error'], {
      error: 'expected debug, info, warning or error',
    }),
    fallback: 'info',
    meaning: 'Lowest level that is logged: debug, info, warning, error',
  },
} as const satisfies Record<string, SettingEntry>

export type SettingName = keyof typeof settingsTable

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
  /** File with the grants for cards. */
  readonly cards: string | undefined
  readonly logLevel: 'debug' | 'info' | 'warning' | 'error'
}

/** Where values come from; errors name the source. */
export interface Source {
  readonly name: string
  readonly values: Readonly<Record<string, string | undefined>>
}

/** Invalid settings: one line for each. */
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
      if (Object.hasOwn(settingsTable, name)) found.set(name, { value, source: source.name })
      else
        reasons.push(
          `${name} (${source.name}): unknown setting; known are ${Object.keys(settingsTable).join(', ')}`,
        )
    }
  }
  const read = <N extends SettingName>(name: N): z.output<(typeof settingsTable)[N]['schema']> => {
    const { value, source } = found.get(name) ?? {
      value: settingsTable[name].fallback,
      source: 'default',
    }
    const result = settingsTable[name].schema.safeParse(value)
    if (result.success) return result.data as z.output<(typeof settingsTable)[N]['schema']>
    reasons.push(`${name} (${source}): ${result.error.issues.map(describeIssue).join('; ')}`)
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
    cards: read('CARDWIRE_CARDS') || undefined,
    logLevel: read('CARDWIRE_LOG_LEVEL'),
  }
  if (reasons.length > 0) throw new SettingsError(reasons)
  return settings
}

/** The expected value, and the entry of a list. Never the actual value: it may be a secret in the wrong setting. */
function describeIssue({ message, path: [at] }: z.core.$ZodIssue): string {
  return typeof at === 'number' ? `entry ${at + 1}: ${message}` : message
}

/** Name, meaning and default of every setting, for help and documents. */
export const describeSettings = () =>
  Object.entries<SettingEntry>(settingsTable).map(
    ([name, { meaning, fallback, isSecret = false }]) => ({ name, meaning, fallback, isSecret }),
  )

/** The flag of a setting: `--registry-port` for CARDWIRE_REGISTRY_PORT. */
export const toFlag = (name: string) =>
  `--${name.slice('CARDWIRE_'.length).toLowerCase().replaceAll('_', '-')}`
