/** The configuration, in the specification's names, and what is made of it. */
import { CardwireError } from './error.ts'

/** One place where a registry, or a connector, may be. */
export interface Connection {
  readonly t1cApiUrl?: string | undefined
  readonly t1cApiPort?: string | undefined
}

export interface Configuration extends Connection {
  /** Where the registry is, when it is not where the API is. */
  readonly t1cProxyUrl?: string | undefined
  readonly t1cProxyPort?: string | undefined
  /** The distribution service, for download links. */
  readonly dsUrl?: string | undefined
  /** The application token, from a back end that holds the label's API key. */
  readonly jwt?: string | undefined
  /** Names the application: consents are kept by it, and use is counted by it. */
  readonly applicationDomain?: string | undefined
  /** Tried in this order, before the place that the other fields name. */
  readonly t1cApiConnections?: readonly Connection[] | undefined
}

/** A host and the port in force: `url` as deployed clients write it into the key of stored consents. */
export interface Place {
  readonly url: string
  readonly port: string
}

export interface Settings {
  readonly registries: readonly Place[]
  readonly dsUrl: string | undefined
  readonly jwt: string | undefined
  readonly applicationDomain: string | undefined
}

export const addressOf = ({ url, port }: Place): string => `${url}:${port}`

const defaultUrl = 'https://localhost'
const defaultPort = '51983'

/** Throws for the first field that cannot be used, by name. */
export function readConfiguration(given: Configuration): Settings {
  if (typeof given !== 'object' || given === null) refuse('the configuration', 'an object')
  const api = {
    url: url('t1cApiUrl', given.t1cApiUrl),
    port: port('t1cApiPort', given.t1cApiPort),
  }
  const proxy = {
    url: url('t1cProxyUrl', given.t1cProxyUrl),
    port: port('t1cProxyPort', given.t1cProxyPort),
  }
  const registry = proxy.url || proxy.port ? { ...proxy, url: proxy.url ?? api.url } : api
  const connections = given.t1cApiConnections ?? []
  if (!Array.isArray(connections)) refuse('t1cApiConnections', 'a list of connections')
  const places = connections.map((connection: Connection, at) => ({
    url: url(`t1cApiConnections[${at}].t1cApiUrl`, connection?.t1cApiUrl),
    port: port(`t1cApiConnections[${at}].t1cApiPort`, connection?.t1cApiPort),
  }))
  return {
    registries: unique([...places, registry]),
    dsUrl: serviceUrl('dsUrl', given.dsUrl),
    jwt: token('jwt', given.jwt),
    applicationDomain: printable('applicationDomain', given.applicationDomain),
  }
}

function unique(places: readonly { url: string | undefined; port: string | undefined }[]): Place[] {
  const whole = places.map(({ url = defaultUrl, port = defaultPort }) => ({ url, port }))
  return [...new Map(whole.map((place) => [addressOf(place), place])).values()]
}

/** Where this person's system gets its installer; undefined when the configuration names no `dsUrl`. */
export function installerUrl(configuration: Configuration): string | undefined {
  const { dsUrl } = readConfiguration(configuration)
  return dsUrl && `${dsUrl}/v3/downloads/installer`
}

export const loopbackHost = (host: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(host)

/** A token in the form that RFC 7515 §3.1 gives it; what it says is for the connector to judge. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)

export const isPort = (value: unknown): boolean =>
  /^[1-9]\d{0,4}$/.test(String(value)) && Number(value) <= 65_535

function url(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value.replace(/\/$/, '') : ''
  if (!isSafe(text) || !/^https?:\/\/(\[[\da-f:]+\]|[^/:?#@\s]+)$/i.test(text)) {
    refuse(name, 'an address such as "https://localhost", the port in its own field')
  }
  return text
}

function serviceUrl(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value.replace(/\/+$/, '') : ''
  if (!isSafe(text) || /[?#@]/.test(text)) refuse(name, 'an https address')
  return text
}

/** Plain http is for this machine alone. */
function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && loopbackHost(hostname))
}

function port(name: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && isPort(value))) return value
  return refuse(name, 'a port from 1 to 65535, as text')
}

function token(name: string, value: unknown): string | undefined {
  if (value === undefined || isToken(value)) return value
  return refuse(name, 'a JSON web token')
}

/** It goes out as a header: nothing but printable ASCII gets through. */
function printable(name: string, value: unknown): string | undefined {
  if (
    value === undefined ||
    (typeof value === 'string' && /^[!-~]([ -~]{0,62}[!-~])?$/.test(value))
  )
    return value
  return refuse(name, '1 to 64 characters of ASCII, none of them a control character')
}

/** The value is not repeated: it may be a token. */
function refuse(name: string, expected: string): never {
  throw new CardwireError(
    { code: '199', reason: 'configuration-invalid' },
    `Cannot use ${name} of the configuration: expected ${expected}`,
  )
}
