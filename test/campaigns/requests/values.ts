/** Values for the schemas of the contract: valid ones from the schema, with samples for what a schema cannot express. */
import type { SeededRandom } from '../../bed/random.ts'

/** The parts of a JSON Schema (2020-12) that the contract uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: unknown
}

/** Makes a value for a field; undefined: the schema says enough. */
export type FindSample = (name: string, schema: JsonSchema) => unknown

/** How many entries a list gets at most. */
const maxEntries = 3

/** A value that the schema accepts; fields that may be absent are there in half of the cases. */
export function createValue(
  schema: JsonSchema,
  random: SeededRandom,
  findSample: FindSample,
  name = '',
): unknown {
  const sample = findSample(name, schema)
  if (sample !== undefined) return sample
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return createValue(random.pick(choices), random, findSample, name)
  const { type } = schema
  switch (typeof type === 'object' ? random.pick(type) : type) {
    case 'object':
      return createObject(schema, random, findSample)
    case 'array':
      return createList(schema, random, findSample, name)
    case 'integer':
    case 'number':
      return random.integer(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 2 ** 31))
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return createText(schema, random, name)
  }
}

function createObject(schema: JsonSchema, random: SeededRandom, findSample: FindSample) {
  const { properties = {}, required = [] } = schema
  const chosen = Object.entries(properties).filter(
    ([name, { default: fallback }]) =>
      (required.includes(name) && fallback === undefined) || random.chance(0.5),
  )
  return Object.fromEntries(
    chosen.map(([name, field]) => [name, createValue(field, random, findSample, name)]),
  )
}

function createList(
  { items = {}, maxItems = maxEntries }: JsonSchema,
  random: SeededRandom,
  findSample: FindSample,
  name: string,
) {
  const length = random.integer(1, Math.min(maxItems, maxEntries))
  return Array.from({ length }, () => createValue(items, random, findSample, name))
}

const words = ['card', 'reader', 'shop', 'bank', 'kiosk', 'Zürich', '東京', 'naïve', 'x']

function createText(
  { format, pattern, minLength = 0, maxLength = 40 }: JsonSchema,
  random: SeededRandom,
  name: string,
) {
  const day = `2026-${random.pick(['01', '06', '11'])}-${random.pick(['01', '15', '22'])}`
  if (format === 'uuid') return random.uuid()
  if (format === 'date') return day
  if (format === 'date-time') return `${day}T12:00:00Z`
  if (pattern !== undefined) throw new Error(`Cannot make "${name}": no sample has ${pattern}`)
  return random.pick(words).slice(0, maxLength).padEnd(minLength, 'x')
}
