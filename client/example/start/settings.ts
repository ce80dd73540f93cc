/** The settings of `npm start`, from the environment; the service and the connector read their own. */
import { isAbsolute, join } from 'node:path'
import * as z from 'zod/mini'
import { root } from './paths.ts'
import type { PortSetting } from './ports.ts'
import { StartError } from './terminal.ts'

const portNumber = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,5}$/, 'expected a port from 0 to 65535')),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z.int().check(z.maximum(65_535, 'expected a port from 0 to 65535')),
    ),
  ),
)

const Environment = z.object({
  EXAMPLE_PORT: portNumber,
  EXAMPLE_URL: z.optional(z.url({ protocol: /^https?$/, error: 'expected an http or https URL' })),
  EXAMPLE_DATA: z._default(z.string().check(z.minLength(1)), 'data/example'),
  EXAMPLE_READERS: z._default(
    z.enum(['any', 'machine', 'virtual'], { error: 'expected any, machine or virtual' }),
    'any',
  ),
  EXAMPLE_ROOTS: z.optional(z.string()),
  EXAMPLE_REVOCATIONS: z.optional(z.string()),
  EXAMPLE_DEVELOPER: z._default(z.enum(['yes', 'no'], { error: 'expected yes or no' }), 'yes'),
  DS_HOST: z._default(z.string(), '127.0.0.1'),
  DS_PORT: portNumber,
  CARDWIRE_REGISTRY_PORT: portNumber,
})

export interface Settings {
  /** The public URL of the page, where a proxy in front of it has another one. */
  readonly url: string | undefined
  /** The folder of everything but the service's data. */
  readonly data: string
  /** `any`: the readers of the machine if it has some, else the virtual one. */
  readonly readers: 'any' | 'machine' | 'virtual'
  /** A PEM file with the authorities whose cards may sign in; default: that of the virtual card. */
  readonly roots: string | undefined
  /** A PEM file with revocation lists of these; default: that of the virtual card. Other authorities are asked. */
  readonly revocations: string | undefined
  /** `yes`: the page names the commands of the checkout; `no`: it is as users see it. */
  readonly developer: 'yes' | 'no'
  readonly ports: {
    readonly service: PortSetting
    readonly page: PortSetting
    readonly registry: PortSetting
  }
}

/** Throws a StartError that names each setting that is wrong. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const { success, data, error } = z.safeParse(Environment, Object.fromEntries(given))
  if (!success) {
    const reasons = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new StartError(`Cannot read the settings: ${reasons.join('; ')}`)
  }
  const { DS_PORT, EXAMPLE_PORT, CARDWIRE_REGISTRY_PORT } = data
  const ports = {
    service: { setting: 'DS_PORT', given: DS_PORT, usual: 8080, host: data.DS_HOST },
    page: { setting: 'EXAMPLE_PORT', given: EXAMPLE_PORT, usual: 8081, host: '127.0.0.1' },
    registry: {
      setting: 'CARDWIRE_REGISTRY_PORT',
      given: CARDWIRE_REGISTRY_PORT,
      usual: 51_983,
      host: '127.0.0.1',
    },
  }
  refuseSharedPort(Object.values(ports))
  return {
    url: data.EXAMPLE_URL,
    data: isAbsolute(data.EXAMPLE_DATA) ? data.EXAMPLE_DATA : join(root, data.EXAMPLE_DATA),
    readers: data.EXAMPLE_READERS,
    roots: data.EXAMPLE_ROOTS,
    revocations: data.EXAMPLE_REVOCATIONS,
    developer: data.EXAMPLE_DEVELOPER,
    ports,
  }
}

/** Two programs cannot have one port. */
function refuseSharedPort(ports: readonly PortSetting[]): void {
  for (const [at, { given, setting }] of ports.entries()) {
    const other = ports.slice(at + 1).find((each) => given && each.given === given)
    if (other === undefined) continue
    throw new StartError(
      `Cannot start: ${setting} and ${other.setting} are both ${given}. Give each its own port`,
    )
  }
}
