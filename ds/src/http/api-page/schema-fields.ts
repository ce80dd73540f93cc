/** The fields that a JSON Schema describes, as flat rows for a table. */
import type { JsonSchema } from '@cardwire/protocol/openapi'

export interface SchemaField {
  /** `uris[].os`; empty for the value itself. */
  readonly path: string
  /** `string`, `integer`, `array of objects`, or the values that are allowed. */
  readonly type: string
  readonly required: boolean
  readonly description: string
}

/** Parents before their fields; of a union the fields of every alternative, each of them once. */
export function listFields(schema: JsonSchema): readonly SchemaField[] {
  const fields = collectFields(schema, '', true)
  const known = new Map<string, SchemaField>()
  for (const field of fields) {
    const same = known.get(field.path)
    known.set(field.path, same ? mergeFields(same, field) : field)
  }
  return [...known.values()]
}

function collectFields(schema: JsonSchema, path: string, required: boolean): SchemaField[] {
  const own = { path, type: describeType(schema), required, description: readText(schema) }
  const item = readSchema(schema['items'])
  const children = [
    ...readAlternatives(schema).flatMap((one) => collectFields(one, path, required)),
    ...collectProperties(schema, path),
    ...(item ? collectFields(item, `${path}[]`, true) : []),
  ]
  // The whole value and the items of an array say nothing that their fields or the array do not.
  const isPlain = path !== '' && !path.endsWith('[]') && readAlternatives(schema).length === 0
  return isPlain || (children.length === 0 && path === '') ? [own, ...children] : children
}

function collectProperties(schema: JsonSchema, path: string): SchemaField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(readSchema(schema['properties']) ?? {}).flatMap(([name, property]) => {
    const child = path === '' ? name : `${path}.${name}`
    return collectFields(readSchema(property) ?? {}, child, required.includes(name))
  })
}

/** Of a field that alternatives share: every type that it may have. */
const mergeFields = (one: SchemaField, other: SchemaField): SchemaField => ({
  ...one,
  type: one.type.split(' or ').includes(other.type) ? one.type : `${one.type} or ${other.type}`,
  required: one.required && other.required,
})

export function describeType(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String).join(', ')
  const item = readSchema(schema['items'])
  if (schema['type'] === 'array') return item ? `array of ${describeType(item)}` : 'array'
  const format = typeof schema['format'] === 'string' ? ` (${schema['format']})` : ''
  return typeof schema['type'] === 'string' ? schema['type'] + format : 'any'
}

const readAlternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  [schema['oneOf'], schema['anyOf'], schema['allOf']]
    .flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    .map(readSchema)
    .filter((one) => one !== undefined)

const readText = ({ description }: JsonSchema): string =>
  typeof description === 'string' ? description : ''

const readSchema = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonSchema)
    : undefined
