/** The settings of the back end, from the environment. */
import * as z from 'zod/mini'
import type { TrustFiles } from './authorities.ts'

const port = z.pipe(
  z.string().check(z.regex(/^\d{1,5}$/, 'expected a port number')),
  z.pipe(
    z.transform((text: string) => Number(text)),
    z.int().check(z.minimum(1), z.maximum(65_535)),
  ),
)

const Environment = z.object({
  EXAMPLE_PORT: z._default(port, 8081),
  /** The public address, when a proxy in front of it has another one. */
  EXAMPLE_URL: z.optional(z.url({ protocol: /^https?$/ })),
  EXAMPLE_DS_URL: z.url({ protocol: /^https?$/ }),
  /** The key of the label. A secret: it never reaches a page. */
  EXAMPLE_API_KEY: z.uuid(),
  EXAMPLE_REGISTRY_PORT: z._default(z.string(), '51983'),
  /** The file that stands for the virtual card; absent where the readers are real. */
  EXAMPLE_CARD_FILE: z.optional(z.string()),
  /** A PEM file with the authorities whose cards may sign in; absent: nobody can. */
  EXAMPLE_ROOTS: z.optional(z.string()),
  /** A PEM file with revocation lists of these authorities; absent: the authorities are asked. */
  EXAMPLE_REVOCATIONS: z.optional(z.string()),
  /** `yes`: who looks at the page has a checkout, and the page names its commands. */
  EXAMPLE_DEVELOPER: z._default(z.enum(['yes', 'no']), 'no'),
})

export interface Settings {
  readonly port: number
  /** The origin of the page. */
  readonly origin: string
  readonly dsUrl: string
  readonly apiKey: string
  readonly registryPort: string
  readonly cardFile: string | undefined
  readonly trustFiles: TrustFiles
  readonly forDeveloper: boolean
}

/** Throws an error that names each setting that is missing or wrong, and repeats no value. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const { success, data, error } = z.safeParse(Environment, environment)
  if (!success) {
    const reasons = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(`Cannot read the settings: ${reasons.join('; ')}`)
  }
  return {
    port: data.EXAMPLE_PORT,
    origin: new URL(data.EXAMPLE_URL ?? `http://localhost:${data.EXAMPLE_PORT}`).origin,
    dsUrl: data.EXAMPLE_DS_URL,
    apiKey: data.EXAMPLE_API_KEY,
    registryPort: data.EXAMPLE_REGISTRY_PORT,
    cardFile: data.EXAMPLE_CARD_FILE,
    trustFiles: { roots: data.EXAMPLE_ROOTS, revocations: data.EXAMPLE_REVOCATIONS },
    forDeveloper: data.EXAMPLE_DEVELOPER === 'yes',
  }
}
