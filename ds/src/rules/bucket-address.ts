/**
 * Where files are that all nodes share, as DS_BUCKET names it: `s3://bucket/prefix?region=…&endpoint=…`, a bucket of a service with
 * the API of Amazon S3.
 */
export interface BucketAddress {
  readonly bucket: string
  /** What the keys of all objects begin with: empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string
  /** The origin of the service. */
  readonly endpoint: string
  /** Whether the bucket is the first segment of the path, or the first label of the host. */
  readonly style: 'path' | 'host'
  /** Whether clients download installers from the bucket itself, where nothing is written into them. */
  readonly redirects: boolean
}

const parameters = ['region', 'endpoint', 'style', 'downloads']
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const form = 's3://bucket/prefix?region=…&endpoint=https://…'

/** Throws an Error whose message does not repeat the text: people write keys into it, where they do not belong. */
export function parseBucketAddress(text: string): BucketAddress {
  const url = /^s3:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw new Error(`expected ${form}`)
  if (url.username || url.password)
    throw new Error('expected no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const query = url.searchParams
  // Its name may be what follows a question mark in a key.
  if ([...query.keys()].some((name) => !parameters.includes(name)))
    throw new Error(`unknown parameter; known are ${parameters.join(', ')}`)
  if (url.port || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host))
    throw new Error('expected the name of a bucket: 3 to 63 of a-z, 0-9, dot and hyphen')
  const region = query.get('region') || 'us-east-1'
  if (!/^[a-z0-9-]{1,64}$/i.test(region))
    throw new Error('region: expected a name like eu-central-1')
  const given = query.get('endpoint')
  const style = readChoice(query, 'style', ['path', 'host'], given === null ? 'host' : 'path')
  if (style === 'host' && url.host.includes('.'))
    throw new Error('style: expected path, because the name of the bucket has a dot')
  return {
    bucket: url.host,
    prefix: readPrefix(url.pathname),
    region,
    endpoint: readEndpoint(given ?? `https://s3.${region}.amazonaws.com`),
    style,
    redirects: readChoice(query, 'downloads', ['stream', 'redirect'], 'stream') === 'redirect',
  }
}

/** The address for people and logs: where the bucket is. It never has keys. */
export const formatBucketAddress = ({ bucket, prefix, endpoint }: BucketAddress): string =>
  `s3://${bucket}/${prefix} at ${endpoint}`

function readPrefix(path: string): string {
  const segments = path.split('/').filter(Boolean)
  if (segments.some((segment) => !/^(?!\.+$)[\w.-]{1,100}$/.test(segment)) || path.length > 300)
    throw new Error('expected a prefix of letters, digits, dot, hyphen, underscore and slash')
  return segments.map((segment) => `${segment}/`).join('')
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.pathname !== '/' || url.search || url.hash || url.username || url.password)
    throw new Error('endpoint: expected an origin like https://storage.example')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname)))
    return url.origin
  throw new Error('endpoint: expected https, or http on this computer')
}

function readChoice<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
  fallback: T,
): T {
  const given = query.get(name) ?? fallback
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw new Error(`${name}: expected ${choices.join(' or ')}`)
  return found
}
