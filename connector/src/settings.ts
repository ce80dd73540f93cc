/** The settings of the connector: one schema for the file, the environment and flags. */
import * as z from 'zod'
import {
  absolutePath,
  count,
  fingerprint,
  host,
  list,
  onOff,
  optional,
  origin,
  port,
  portRange,
  serviceUrl,
  tags,
  updateOffers,
  urlOrPath,
} from './setting-values.ts'

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
    meaning: 'Port of the registry; existing pages expect 51983',
  },
  CARDWIRE_MACHINE_DIR: {
    schema: optional(absolutePath, 'an absolute path'),
    fallback: '',
    meaning: "Folder of the registry service, if not the system's default",
  },
  CARDWIRE_API_PORTS: {
    schema: portRange,
    fallback: '25100-25199',
    meaning:
      'Range of ports for the API. If none of them is free, the API takes any other port. Systems do not assign ports below 32768 automatically',
  },
  CARDWIRE_CORS: {
    schema: list(origin),
    fallback: '',
    meaning: 'Origins whose pages may use the API, until a distribution service sends its own list',
  },
  CARDWIRE_JWKS: {
    schema: optional(
      urlOrPath,
      'an https URL or an absolute path (http:// only for a URL on this computer)',
    ),
    fallback: '',
    meaning:
      'Key set that verifies application tokens: a file or an https URL (http only on this computer). Overrides the keys of a distribution service',
  },
  CARDWIRE_JWT: {
    schema: onOff,
    fallback: 'on',
    meaning: 'off: pages need consent, but no application token',
  },
  CARDWIRE_HOSTS: {
    schema: list(host),
    fallback: '',
    meaning: 'Names in the local certificate, in addition to localhost, 127.0.0.1 and ::1',
  },
  CARDWIRE_LOCAL_CA: {
    schema: onOff,
    fallback: 'on',
    meaning:
      'off: the connector creates no local certificates, and serves only the keystore of the distribution service',
  },
  CARDWIRE_BROWSER_POLICIES: {
    schema: onOff,
    fallback: 'off',
    meaning:
      "on: cardwire registry trust, which packages also run, adds the registry's root certificate to the managed policies of Chromium, Chrome and Edge (Linux)",
  },
  CARDWIRE_DS_URL: {
    schema: optional(
      serviceUrl,
      'a URL that begins with https:// (http:// only for a service on this computer)',
    ),
    fallback: '',
    meaning: 'URL of the distribution service',
  },
  CARDWIRE_INSTALLATION_KEY: {
    schema: optional(z.uuid(), 'a UUID, 36 characters'),
    fallback: '',
    isSecret: true,
    meaning:
      'Key for the first registration of this connector. The connector uses it again only if the service no longer knows the device',
  },
  CARDWIRE_DS_FINGERPRINTS: {
    schema: list(fingerprint),
    fallback: '',
    meaning:
      "Fingerprints of the keys that sign the service's replies. Without them, the connector trusts the keys of the first registration",
  },
  CARDWIRE_CA_FILE: {
    schema: optional(absolutePath, 'an absolute path'),
    fallback: '',
    meaning: "PEM file of root certificates to trust for the service, in addition to the system's",
  },
  CARDWIRE_TAGS: {
    schema: tags,
    fallback: '',
    meaning:
      'Tags that the device reports to the distribution service, separated by commas, such as berlin,floor:2. At most 16',
  },
  CARDWIRE_PCSC_LIBRARY: {
    schema: optional(absolutePath, 'an absolute path'),
    fallback: '',
    meaning: "PC/SC library to use instead of the system's",
  },
  CARDWIRE_VIRTUAL_READER: {
    schema: optional(absolutePath, 'an absolute path'),
    fallback: '',
    meaning:
      'File for a virtual reader that replaces the smart card service. The reader has a card while the file contains an ATR. With the ATR of a PIV card, the card can sign, and its PIN is 123456',
  },
  CARDWIRE_CARDS: {
    schema: optional(absolutePath, 'an absolute path'),
    fallback: '',
    meaning: `JSON file with additional card permissions (docs/card-settings.md), such as {"grants": [{"origin": "https://shop.example", "allow": ["raw-authenticate"]}]}. This account or root must own it, and no one else may have write access. A managed connector doesn't read it`,
  },
  CARDWIRE_READER_PADS: {
    schema: onOff,
    fallback: 'on',
    meaning:
      'off: users type PINs in a window even if the reader has a keypad. Use it for PINs with letters, which OpenPGP cards may have',
  },
  CARDWIRE_CONSENT_REQUESTS: {
    schema: count(1000),
    fallback: '5',
    meaning: 'Consent requests that one origin may make per minute and user',
  },
  CARDWIRE_SHARED_CONSENT_REQUESTS: {
    schema: count(100_000),
    fallback: '300',
    meaning:
      'Consent requests that one origin may make per minute for all users together, on systems that do not show which user a connection belongs to. It also limits how many requests one user’s connector compares with the clipboard',
  },
  CARDWIRE_MAX_AGENTS: {
    schema: count(1000),
    fallback: '200',
    meaning:
      'Connectors that the registry of a computer can serve at the same time. On systems that show which user a connection belongs to, one user can have at most half of them',
  },
  CARDWIRE_UPDATE: {
    schema: updateOffers,
    fallback: 'offer',
    meaning:
      'off: no window offers an update. Use it on computers that are updated in another way. cardwire update still works, and a blocked version still stops',
  },
  CARDWIRE_LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warning', 'error'], {
      error: 'expected debug, info, warning or error',
    }),
    fallback: 'info',
    meaning: 'Lowest level to log: debug, info, warning, error',
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
  readonly browserPolicies: boolean
  readonly dsUrl: string | undefined
  readonly installationKey: string | undefined
  readonly dsFingerprints: readonly string[]
  readonly caFile: string | undefined
  /** What the device reports about itself, each once. */
  readonly tags: readonly string[]
  readonly pcscLibrary: string | undefined
  readonly virtualReader: string | undefined
  /** File with the grants for cards. */
  readonly cards: string | undefined
  /** Whether PINs are typed at the readers' own pads. */
  readonly usesReaderPads: boolean
  /** In a minute. */
  readonly consentRequests: { readonly perUser: number; readonly shared: number }
  readonly maxAgents: number
  /** Whether a window offers an update. */
  readonly offersUpdates: boolean
  readonly logLevel: 'debug' | 'info' | 'warning' | 'error'
}

/** Where values come from; errors name the source. */
export interface Source {
  readonly name: string
  readonly values: Readonly<Record<string, string | undefined>>
}

/** Invalid settings: one line for each. */
export class SettingsError extends Error {
  readonly lines: readonly string[]

  constructor(reasons: readonly string[]) {
    const lines = ['Cannot read the settings:', ...reasons.map((reason) => `  ${reason}`)]
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** The value of a setting, and the name of the source that it comes from. */
interface Found {
  readonly value: string
  readonly source: string
}

/** A later source wins over an earlier one. Only names that begin with CARDWIRE_ count; `reasons` gets those that are unknown. */
function findValues(sources: readonly Source[], reasons: string[]): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
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
  return found
}

/** Each setting with its value as text, and where that comes from; `default`: from no source. */
export function listSettingValues(sources: readonly Source[]) {
  const found = findValues(sources, [])
  return Object.entries<SettingEntry>(settingsTable).map(
    ([name, { fallback, isSecret = false }]) => ({
      name,
      isSecret,
      ...(found.get(name) ?? { value: fallback, source: 'default' }),
    }),
  )
}

/** Reads the settings. Throws a SettingsError with every value that is not valid, and every unknown name. */
export function readSettings(sources: readonly Source[]): Settings {
  const reasons: string[] = []
  const found = findValues(sources, reasons)
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
    browserPolicies: read('CARDWIRE_BROWSER_POLICIES'),
    dsUrl: read('CARDWIRE_DS_URL') || undefined,
    installationKey: read('CARDWIRE_INSTALLATION_KEY') || undefined,
    dsFingerprints: read('CARDWIRE_DS_FINGERPRINTS'),
    caFile: read('CARDWIRE_CA_FILE') || undefined,
    tags: read('CARDWIRE_TAGS'),
    pcscLibrary: read('CARDWIRE_PCSC_LIBRARY') || undefined,
    virtualReader: read('CARDWIRE_VIRTUAL_READER') || undefined,
    cards: read('CARDWIRE_CARDS') || undefined,
    usesReaderPads: read('CARDWIRE_READER_PADS'),
    consentRequests: {
      perUser: read('CARDWIRE_CONSENT_REQUESTS'),
      shared: read('CARDWIRE_SHARED_CONSENT_REQUESTS'),
    },
    maxAgents: read('CARDWIRE_MAX_AGENTS'),
    offersUpdates: read('CARDWIRE_UPDATE'),
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
