/**
 * Where the data is, as DS_DATABASE names it: the file of a SQLite database, or the address of a PostgreSQL database
 * (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
 */
export type DatabaseAddress =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'postgres'; readonly address: PostgresAddress }

export interface PostgresAddress {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string | undefined
  readonly tls: 'disable' | 'verify-full'
  /** The file with the certificate of the authority, where the system does not know it. */
  readonly rootCertificateFile: string | undefined
}

const defaultPort = 5432
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/
const parameters = ['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'sslrootcert']

/** Throws an Error whose message does not repeat the text, because it may hold a password. */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  if (/^postgres(ql)?:/i.test(text))
    return { kind: 'postgres', address: parsePostgresAddress(text) }
  // Misspelled, it would be a path with the password in it, and a service on a new SQLite database.
  if (text.includes('://')) throw new Error('expected a path, or an address with postgres://')
  return { kind: 'file', file: text }
}

function parsePostgresAddress(text: string): PostgresAddress {
  const url = parseUrl(text)
  const query = url.searchParams
  // Its name may be what follows a question mark in a password.
  if ([...query.keys()].some((name) => !parameters.includes(name)))
    throw new Error(`unknown parameter; known are ${parameters.join(', ')}`)
  const host = query.get('host') ?? decode(url.hostname).replace(/^\[(.*)\]$/, '$1')
  const database = query.get('dbname') ?? decode(url.pathname.slice(1))
  const user = query.get('user') ?? decode(url.username)
  const port = Number(query.get('port') ?? (url.port || defaultPort))
  if (host === '') throw new Error('expected a host')
  if (database === '') throw new Error('expected the name of a database as the path')
  if (user === '') throw new Error('expected a user')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('expected a port')
  return {
    host,
    port,
    database,
    user,
    password: (query.get('password') ?? decode(url.password)) || undefined,
    tls: readTlsMode(query, host),
    rootCertificateFile: query.get('sslrootcert') ?? undefined,
  }
}

/** The address for people and logs, without user and password. */
export const formatDatabaseAddress = (address: DatabaseAddress): string =>
  address.kind === 'file' ? address.file : formatPostgresAddress(address.address)

function formatPostgresAddress({ host, port, database }: PostgresAddress): string {
  if (host.startsWith('/')) return `postgres:///${database}?host=${host}&port=${port}`
  return `postgres://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('expected percent-encoded characters')
  }
}

function parseUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new Error('expected postgres://user:password@host/database')
  }
}

/**
 * `require` of most providers is read as verify-full: encrypted to whoever answers protects from nobody. A certificate of an
 * authority is given to be verified, also by a host that is this machine.
 */
function readTlsMode(query: URLSearchParams, host: string): PostgresAddress['tls'] {
  const isLocal = host.startsWith('/') || loopback.test(host)
  const mode =
    query.get('sslmode') ?? (isLocal && !query.has('sslrootcert') ? 'disable' : 'verify-full')
  if (mode === 'disable') return 'disable'
  if (mode === 'require' || mode === 'verify-full') return 'verify-full'
  throw new Error('unknown sslmode; known are disable, require and verify-full')
}
