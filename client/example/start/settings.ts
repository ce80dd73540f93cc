/** The settings of `npm start`, from the environment; the service and the connector read their own. */
import { createServer } from 'node:net'
import { isAbsolute, join } from 'node:path'
import * as z from 'zod/mini'
import { root } from './paths.ts'
import { StartError } from './terminal.ts'

const Environment = z.object({
  EXAMPLE_PORT: z._default(z.string().check(z.regex(/^\d{1,5}$/, 'expected a port')), '8081'),
  EXAMPLE_URL: z.optional(z.url({ protocol: /^https?$/ })),
  EXAMPLE_DATA: z._default(z.string().check(z.minLength(1)), 'data/example'),
  EXAMPLE_READERS: z._default(z.enum(['any', 'machine', 'virtual']), 'any'),
  EXAMPLE_ROOTS: z.optional(z.string()),
  EXAMPLE_DEVELOPER: z._default(z.enum(['yes', 'no']), 'yes'),
  DS_HOST: z._default(z.string(), '127.0.0.1'),
  DS_PORT: z._default(z.string(), '8080'),
  CARDWIRE_REGISTRY_PORT: z.optional(
    z.string().check(z.regex(/^\d{1,5}$/, 'expected a port number')),
  ),
})

export interface Settings {
  readonly port: number
  /** The origin of the page. */
  readonly origin: string
  /** The folder of everything but the service's data. */
  readonly data: string
  /** `any`: the readers of the machine if it has some, else the virtual one. */
  readonly readers: 'any' | 'machine' | 'virtual'
  /** A PEM file with the authorities whose cards may sign in; default: that of the virtual card. */
  readonly roots: string | undefined
  /** `yes`: the page names the commands of the checkout; `no`: it is as users see it. */
  readonly developer: 'yes' | 'no'
  readonly registryPort: number
  /** The port of each program, with the setting that chooses it; 0: any free port. */
  readonly requiredPorts: readonly RequiredPort[]
}

interface RequiredPort {
  readonly setting: string
  readonly port: number
  readonly host: string
}

/** The port where pages look for a registry. */
export const defaultRegistryPort = 51_983

export async function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Settings> {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const { success, data, error } = z.safeParse(Environment, Object.fromEntries(given))
  if (!success) {
    const reasons = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new StartError(`Cannot read the settings: ${reasons.join('; ')}`)
  }
  const port = Number(data.EXAMPLE_PORT) || (await findFreePort(0))
  return {
    port,
    origin: new URL(data.EXAMPLE_URL ?? `http://localhost:${port}`).origin,
    data: isAbsolute(data.EXAMPLE_DATA) ? data.EXAMPLE_DATA : join(root, data.EXAMPLE_DATA),
    readers: data.EXAMPLE_READERS,
    roots: data.EXAMPLE_ROOTS,
    developer: data.EXAMPLE_DEVELOPER,
    registryPort: Number(data.CARDWIRE_REGISTRY_PORT ?? (await findFreePort(defaultRegistryPort))),
    requiredPorts: [
      { setting: 'DS_PORT', port: parsePort(data.DS_PORT), host: data.DS_HOST },
      { setting: 'EXAMPLE_PORT', port: parsePort(data.EXAMPLE_PORT), host: '127.0.0.1' },
      {
        setting: 'CARDWIRE_REGISTRY_PORT',
        port: parsePort(data.CARDWIRE_REGISTRY_PORT ?? '0'),
        host: '127.0.0.1',
      },
    ],
  }
}

/** 0 when it is no port: the program that has the setting reports that. */
const parsePort = (text: string) => (/^\d+$/.test(text) && Number(text) < 65_536 ? Number(text) : 0)

/** The port, or the next free one: where Cardwire is installed, a registry has it already. */
async function findFreePort(wanted: number): Promise<number> {
  const server = createServer()
  const port = await new Promise<number | undefined>((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' ? address?.port : undefined)
    })
  })
  await new Promise((closed) => server.close(closed))
  return port ?? findFreePort(wanted + 1)
}
