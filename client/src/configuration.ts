/** Reads the configuration that a page gives, by the names of the specification. */

import { isLoopbackHostInBrowsers } from '@cardwire/protocol/loopback'
import { CardwireError } from './error.ts'

/** The address of a registry, or of a connector. */
export interface Connection {
  /** Scheme and host; default: `https://localhost`. */
  readonly t1cApiUrl?: string | undefined
  /** Default: `51983`. */
  readonly t1cApiPort?: string | undefined
}

/** What a page passes to `initialize`. Every field has a default. */
export interface Configuration extends Connection {
  /** The address of the registry, if it differs from the API's. */
  readonly t1cProxyUrl?: string | undefined
  /** The port of the registry, if it differs from the API's. */
  readonly t1cProxyPort?: string | undefined
  /** The distribution service, for download links. */
  readonly dsUrl?: string | undefined
  /** The application token, from the back end that has the API key. */
  readonly jwt?: string | undefined
  /** The name of the application. Consents are stored, and usage is counted, under this name. */
  readonly applicationDomain?: string | undefined
  /** Tried in this order, before the address in the other fields. */
  readonly t1cApiConnections?: readonly Connection[] | undefined
}

/** Where a program listens. `url` has scheme and host, as legacy clients write it into the key of stored consents. */
export interface Endpoint {
  readonly url: string
  readonly port: string
}

export interface Settings {
  readonly registries: readonly Endpoint[]
  readonly dsUrl: string | undefined
  readonly jwt: string | undefined
  readonly applicationDomain: string | undefined
}

export const toAddress = ({ url, port }: Endpoint): string => `${url}:${port}`

const defaultUrl = 'https://localhost'
const defaultPort = '51983'

/** Throws an error that names the first field that cannot be used. */
export function readConfiguration(configuration: Configuration): Settings {
  if (typeof configuration !== 'object' || configuration === null)
    throwInvalid('the configuration', 'an object')
  const api = {
    url: readUrl('t1cApiUrl', configuration.t1cApiUrl),
    port: readPort('t1cApiPort', configuration.t1cApiPort),
  }
  const proxy = {
    url: readUrl('t1cProxyUrl', configuration.t1cProxyUrl),
    port: readPort('t1cProxyPort', configuration.t1cProxyPort),
  }
  const registry = proxy.url || proxy.port ? { ...proxy, url: proxy.url ?? api.url } : api
  const connections = configuration.t1cApiConnections ?? []
  if (!Array.isArray(connections)) throwInvalid('t1cApiConnections', 'a list of connections')
  const endpoints = connections.map((connection: Connection, at) => ({
    url: readUrl(`t1cApiConnections[${at}].t1cApiUrl`, connection?.t1cApiUrl),
    port: readPort(`t1cApiConnections[${at}].t1cApiPort`, connection?.t1cApiPort),
  }))
  return {
    registries: toUniqueEndpoints([...endpoints, registry]),
    dsUrl: readServiceUrl('dsUrl', configuration.dsUrl),
    jwt: readToken('jwt', configuration.jwt),
    applicationDomain: readHeaderValue('applicationDomain', configuration.applicationDomain),
  }
}

function toUniqueEndpoints(
  fields: readonly { url: string | undefined; port: string | undefined }[],
): Endpoint[] {
  const endpoints = fields.map(({ url = defaultUrl, port = defaultPort }) => ({ url, port }))
  return [...new Map(endpoints.map((endpoint) => [toAddress(endpoint), endpoint])).values()]
}

/** The URL of the installer for this user's system. Undefined if the configuration has no `dsUrl`. */
export function installerUrl(configuration: Configuration): string | undefined {
  const { dsUrl } = readConfiguration(configuration)
  return dsUrl && `${dsUrl}/v3/downloads/installer`
}

/** Whether it has the form of a JSON web token (RFC 7515 §3.1); the connector verifies it. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)

export const isPort = (value: unknown): boolean =>
  /^[1-9]\d{0,4}$/.test(String(value)) && Number(value) <= 65_535

const readUrl = (name: string, value: unknown): string | undefined =>
  readAddress(
    name,
    value,
    /^https?:\/\/(\[[\da-f:]+\]|[^/:?#@\s]+)$/i,
    'a URL such as "https://localhost", with the port in a separate field',
  )

const readServiceUrl = (name: string, value: unknown): string | undefined =>
  readAddress(name, value, /^[^?#@]*$/, 'an https address')

/** Without the slashes at its end. */
function readAddress(
  name: string,
  value: unknown,
  form: RegExp,
  expected: string,
): string | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value.replace(/\/+$/, '') : ''
  if (!isSafeUrl(text) || !form.test(text)) throwInvalid(name, expected)
  return text
}

/** https, or http to this machine. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHostInBrowsers(hostname))
}

function readPort(name: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && isPort(value))) return value
  return throwInvalid(name, 'a port from 1 to 65535, as a string')
}

function readToken(name: string, value: unknown): string | undefined {
  if (value === undefined || isToken(value)) return value
  return throwInvalid(name, 'a JSON web token')
}

/** Printable ASCII, because it is sent in a header. */
function readHeaderValue(name: string, value: unknown): string | undefined {
  if (
    value === undefined ||
    (typeof value === 'string' && /^[!-~]([ -~]{0,62}[!-~])?$/.test(value))
  )
    return value
  return throwInvalid(name, '1 to 64 printable ASCII characters')
}

/** Does not repeat the value: it may be a token. */
function throwInvalid(name: string, expected: string): never {
  throw new CardwireError(
    { code: '199', reason: 'configuration-invalid' },
    `Cannot use ${name} of the configuration: expected ${expected}`,
  )
}
