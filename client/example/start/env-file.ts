/** `.env` in the data folder: what a back end of the integrator needs, for `node --env-file`. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

export interface BackEndFacts {
  readonly dsUrl: string
  readonly apiKey: string
  readonly registryPort: number
  /** The port of the connector's API. */
  readonly port: number
  readonly origins: readonly string[]
  /** The root certificate of the connector. */
  readonly rootFile: string
  /** The authorities of cards that may sign in. */
  readonly cardRoots: string | undefined
  /** Their revocation lists, where none of their servers has them. */
  readonly cardRevocations: string | undefined
}

export const getEnvFile = (data: string): string => join(data, '.env')

const names = {
  dsUrl: 'CARDWIRE_DS_URL',
  apiKey: 'CARDWIRE_API_KEY',
  registryPort: 'CARDWIRE_REGISTRY_PORT',
  connectorUrl: 'CARDWIRE_CONNECTOR_URL',
  connectorCa: 'CARDWIRE_CONNECTOR_CA',
  origins: 'CARDWIRE_ORIGINS',
  cardRoots: 'CARDWIRE_CARD_ROOTS',
  cardRevocations: 'CARDWIRE_CARD_REVOCATIONS',
} as const

/** For a connector, which refuses settings that it does not know, where a shell has read the file. */
export const noBackEndVariables: Readonly<Record<string, undefined>> = {
  [names.apiKey]: undefined,
  [names.connectorUrl]: undefined,
  [names.connectorCa]: undefined,
  [names.origins]: undefined,
  [names.cardRoots]: undefined,
  [names.cardRevocations]: undefined,
}

/** Only its owner can read the file: the API key is in it. */
export async function writeEnvFile(data: string, facts: BackEndFacts): Promise<void> {
  const file = getEnvFile(data)
  const next = `${file}.${process.pid}`
  await rm(next, { force: true })
  await writeFile(next, formatEnvFile(facts), { mode: 0o600, flag: 'wx' })
  await rename(next, file)
}

function formatEnvFile(facts: BackEndFacts): string {
  return [
    '# npm start writes this file each time. The API key is a secret: keep it out of pages and repositories.',
    '# Where the service is, and the key that your back end exchanges for page tokens:',
    `${names.dsUrl}=${facts.dsUrl}`,
    `${names.apiKey}=${facts.apiKey}`,
    '# Where your page finds the connector (t1cApiPort in the configuration of the client), and its API:',
    `${names.registryPort}=${facts.registryPort}`,
    `${names.connectorUrl}=https://localhost:${facts.port}`,
    '# The sites that can use it:',
    `${names.origins}=${facts.origins.join(',')}`,
    '# The CA of the connector. Node reads it earlier than this file, from NODE_EXTRA_CA_CERTS. Browsers need npm run trust:',
    `${names.connectorCa}=${quote(facts.rootFile)}`,
    ...(facts.cardRoots === undefined
      ? []
      : [
          '# The CAs of the cards that can sign in:',
          `${names.cardRoots}=${quote(facts.cardRoots)}`,
        ]),
    ...(facts.cardRevocations === undefined
      ? []
      : [
          '# The revocation list of the virtual card’s CA, which has no server:',
          `${names.cardRevocations}=${quote(facts.cardRevocations)}`,
        ]),
    '',
  ].join('\n')
}

/** In single quotes, where Node and shells take every character as it is. */
const quote = (path: string) => (path.includes("'") ? JSON.stringify(path) : `'${path}'`)

/** The URL of the service that was started last with this data. */
export async function readServiceUrl(data: string): Promise<string | undefined> {
  const text = await readFile(getEnvFile(data), 'utf8').catch(() => '')
  return parseEnv(text)[names.dsUrl]
}
