/** Bodies that are worst for an operation, made from its schema: too long, too deep, with too many fields, all wrong. */
import type { Operation } from '@cardwire/protocol'

/** A schema of zod, as far as bodies are made from it (zod.dev/packages/core). */
export interface Schema {
  readonly _zod: { readonly def: { readonly type: string } }
}

type Definition = { readonly checks?: readonly { readonly _zod: { readonly def: Check } }[] } & (
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, Schema>> }
  | { readonly type: 'array'; readonly element: Schema }
  | { readonly type: 'record'; readonly valueType: Schema }
  | { readonly type: 'union'; readonly options: readonly Schema[] }
  | { readonly type: 'optional' | 'nullable' | 'default' | 'readonly'; readonly innerType: Schema }
  | { readonly type: 'pipe'; readonly in: Schema }
  | { readonly type: 'literal'; readonly values: readonly unknown[] }
  | { readonly type: 'unknown' | 'string' | 'number' | 'boolean' | 'enum' | 'custom' }
)

interface Check {
  readonly check: string
  readonly maximum?: number
}

const defOf = ({ _zod }: Schema) => _zod.def as Definition

export interface HostileBody {
  /** What is wrong, and where. */
  readonly name: string
  readonly text: string
}

/** As large as a body may be, with room for what is around it; and a size that shows as much and takes less time. */
const bytes = { most: 1024 * 1024 - 4096, enough: 64 * 1024 } as const

const repeat = (item: string, bytes: number) =>
  Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join()

const nested = (open: string, close: string, depth: number) =>
  `${open.repeat(depth)}${close.repeat(depth)}`

/** What may stand in place of any value. */
const anywhere = {
  '350,000 empty objects': `[${repeat('{}', bytes.most)}]`,
  'many numbers': `[${repeat('0', bytes.enough)}]`,
  'many texts with control characters': `[${repeat('"\\u0000"', bytes.enough)}]`,
  'many fields': `{${Array.from({ length: 5000 }, (_, at) => `"\\u0001${at}":0`).join()}}`,
  'a field with a long name': `{"${'\\u0000'.repeat(10_000)}":0}`,
  'a long text': `"${'\\u0000'.repeat(10_000)}"`,
  'deep arrays': nested('[', ']', 30_000),
  'deep objects': nested('{"a":', '}', 10_000).replace(':}', ':0}'),
} as const

/** Lists, objects and what is in them, as a path of keys from the body. */
type Path = readonly (string | number)[]

interface Place {
  readonly path: Path
  /** JSON around a value at the path, with what is needed to get there. */
  readonly wrap: (value: string) => string
  readonly schema: Schema
  /** The schema, or the one that changes what this one has parsed. */
  readonly whole: Schema
}

export function createHostileBodies(schema: Schema): readonly HostileBody[] {
  const places = listPlaces(schema)
  const kinds = Object.entries(anywhere)
  return [
    ...places
      .filter(({ schema: { _zod } }) => isBranch(_zod.def.type))
      .flatMap(({ path, wrap }) =>
        kinds.map(([kind, text]) => ({ name: `${kind} at /${path.join('/')}`, text: wrap(text) })),
      ),
    ...['0', '{}', '"\\u0000"', '[]', 'null'].map((leaf) => ({
      name: `all that is allowed of ${leaf}`,
      text: fill(schema, leaf),
    })),
  ]
}

/** Every place of a text in a body; `write` makes JSON with this text there, and what is needed to get there. */
export const listTexts = (
  schema: Schema,
): readonly { readonly path: Path; write(text: string): string }[] =>
  listPlaces(schema)
    .filter(({ schema: { _zod } }) => !isBranch(_zod.def.type))
    .map(({ path, wrap }) => ({ path, write: (text) => wrap(JSON.stringify(text)) }))

const isBranch = (type: string) => ['array', 'object', 'record', 'union', 'unknown'].includes(type)

/** Every list and record of the operation's input without a largest length, as `name part.path`. */
export const listUnboundedLists = (operation: Operation): readonly string[] =>
  (['params', 'query', 'headers', 'body'] as const).flatMap((part) => {
    const found = part === 'body' ? getBodySchema(operation) : operation[part]
    return (found ? listPlaces(found) : [])
      .filter(({ schema }) => isUnbounded(schema))
      .map(({ path }) => `${operation.name} ${[part, ...path].join('.')}`)
  })

function isUnbounded(schema: Schema): boolean {
  const { type } = schema._zod.def
  if (type === 'array') return getMaxLength(schema) === undefined
  const members = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`a${at}`, null]))
  return (
    type === 'record' && (schema as NonNullable<Operation['params']>).safeParse(members).success
  )
}

/** Of a body that is JSON or a form. */
export const getBodySchema = ({ body }: Operation): Schema | undefined =>
  body && 'schema' in body && body.type !== 'bytes' ? body.schema : undefined

const getMaxLength = (schema: Schema): number | undefined =>
  defOf(schema)
    .checks?.map((check) => check._zod.def)
    .find(({ check }) => check === 'max_length')?.maximum

/** The schema and every one in it. A type of schema that is not known here is an error: nothing may be overlooked. */
export function listPlaces(
  schema: Schema,
  path: Path = [],
  wrap: Place['wrap'] = (value) => value,
  whole = schema,
): readonly Place[] {
  const def = defOf(schema)
  const place = { path, wrap, schema, whole }
  switch (def.type) {
    case 'object':
      return [
        place,
        ...Object.entries(def.shape).flatMap(([name, field]) =>
          listPlaces(field, [...path, name], (value) =>
            wrap(`{${[...writeLiterals(def.shape, name), `"${name}":${value}`].join()}}`),
          ),
        ),
      ]
    case 'array':
      return [place, ...listPlaces(def.element, [...path, 0], (value) => wrap(`[${value}]`))]
    case 'record':
      return [
        place,
        ...listPlaces(def.valueType, [...path, 'a'], (value) => wrap(`{"a":${value}}`)),
      ]
    case 'union':
      return [place, ...def.options.flatMap((option) => listPlaces(option, path, wrap))]
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return listPlaces(def.innerType, path, wrap, whole === schema ? def.innerType : whole)
    case 'pipe':
      return listPlaces(def.in, path, wrap, whole)
    case 'unknown':
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'custom':
      return [place]
    default:
      throw new Error(
        `Cannot look into a schema of the type "${schema._zod.def.type}": say here what is in it`,
      )
  }
}

/** The fields that say which alternative it is. */
const writeLiterals = (shape: Readonly<Record<string, Schema>>, except: string) =>
  Object.entries(shape).flatMap(([name, field]) => {
    const def = defOf(field)
    return name !== except && def.type === 'literal' ? [`"${name}":"${def.values[0]}"`] : []
  })

/** Every field, every list as long as allowed, and the same wrong value wherever there is one. */
function fill(schema: Schema, leaf: string): string {
  const def = defOf(schema)
  switch (def.type) {
    case 'object':
      return `{${Object.entries(def.shape)
        .map(([name, field]) => `"${name}":${fill(field, leaf)}`)
        .join()}}`
    case 'array': {
      const item = fill(def.element, leaf)
      return `[${Array.from({ length: getMaxLength(schema) ?? 1 }, () => item).join()}]`
    }
    case 'literal':
      return JSON.stringify(def.values[0])
    case 'union':
      return fill(def.options.at(-1) as Schema, leaf)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return fill(def.innerType, leaf)
    case 'pipe':
      return fill(def.in, leaf)
    default:
      return leaf
  }
}
