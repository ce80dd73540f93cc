/** Log lines in the field names of the Elastic Common Schema (elastic.co/docs/reference/ecs). */

type Fields = Readonly<Record<string, unknown>>
type Mapped = Record<string, unknown>

/** The version of the schema whose names these are. */
const schemaVersion = '8.11.0'

/** Where a field of the service's log goes; `labels.…` for all others. */
const names: Readonly<Record<string, string>> = {
  requestId: 'http.request.id',
  method: 'http.request.method',
  // The pattern, such as /v3/devices/{id}: what a stranger asks for may be anything.
  route: 'url.path',
  status: 'http.response.status_code',
  address: 'client.ip',
  reason: 'event.reason',
  operation: 'event.action',
  sequence: 'event.sequence',
  account: 'user.name',
}

/** Where the ID and the name of an actor go; an application or a key is no user. */
const actorNames: Readonly<Record<string, readonly [id: string, name: string]>> = {
  account: ['user.id', 'user.name'],
  'api-client': ['user.id', 'user.name'],
  device: ['device.id', 'device.name'],
}

interface LoggedError {
  readonly name?: unknown
  readonly message?: unknown
  readonly stack?: unknown
  readonly statement?: unknown
  readonly cause?: unknown
}

/** A line of the log, as one object without nested ones. */
export function toEcs(
  line: { readonly level: string; readonly event: string; readonly timestamp: number },
  { ms, error, at, actor, actorId, actorName, ...fields }: Fields,
  serviceVersion: string,
): Fields {
  const [idName, nameName] = actorNames[String(actor)] ?? ['labels.actor_id', 'labels.actor_name']
  const mapped: Mapped = {
    // The first ones stand in the order that people read.
    '@timestamp': typeof at === 'string' ? at : new Date(line.timestamp).toISOString(),
    'log.level': line.level,
    message: line.event,
    'ecs.version': schemaVersion,
    'service.name': 'cardwire-ds',
    'service.version': serviceVersion,
    'event.dataset': line.event === 'audit' ? 'cardwire-ds.audit' : 'cardwire-ds.log',
    'event.action': line.event.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase(),
    ...(typeof ms === 'number' && { 'event.duration': Math.round(ms * 1e6) }),
    ...(typeof fields['status'] === 'number' && {
      'event.outcome': fields['status'] < 400 ? 'success' : 'failure',
    }),
    ...(typeof actor === 'string' && { 'labels.actor': actor }),
    ...(actorId !== undefined && { [idName]: actorId }),
    ...(actorName !== undefined && { [nameName]: actorName }),
    ...mapError(error),
  }
  for (const [name, value] of Object.entries(fields)) {
    const known = names[name]
    if (value === undefined) continue
    if (known !== undefined) mapped[known] = value
    else mapped[`labels.${toSnakeCase(name)}`] = toLabel(value)
  }
  return mapped
}

function mapError(error: unknown): Mapped {
  if (error === undefined) return {}
  if (typeof error !== 'object' || error === null) return { 'error.message': String(error) }
  const { name, message, stack, statement, cause } = error as LoggedError
  return {
    'error.type': name,
    'error.message': message,
    ...(Array.isArray(stack) && stack.length > 0 && { 'error.stack_trace': stack.join('\n') }),
    ...(statement !== undefined && { 'labels.statement': statement }),
    ...(cause !== undefined && { 'labels.cause': toLabel(cause) }),
  }
}

/** Labels are texts, so that a field never has two types. */
const toLabel = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
