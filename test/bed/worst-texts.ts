/** The texts that a field takes of those that are worst: long, with characters of six bytes in JSON, in every format. */
import type { Operation } from '@cardwire/protocol'
import { getBodySchema, listPlaces, type Schema } from './hostile-bodies.ts'

/** A text that no field should take whole. */
const tooMany = 20_000

/** For fields of any text, by what a character weighs in JSON. */
const anyText = ['\u0000', '\u001b', '\ud800', '\u{1f600}', '€', '\u2028', '"', '\n', '\u009b', 'a']

/** For fields of one format: what may be long in it. */
const formats = [
  (filler: string) => `2026-01-01T00:00:00.${filler}Z`,
  (filler: string) => `a-${filler}`,
  (filler: string) => `1.0.0-${filler}`,
  (filler: string) => `https://a.example/${filler}`,
  (filler: string) => `/${filler}`,
] as const

/** How long a format may be: to find the longest that is taken. */
const lengths = [16, 64, 128, 200, 250, 255, 256, 1000, 1024, 4096, tooMany]

const candidates: readonly string[] = lengths.flatMap((length) => [
  ...anyText.map((character) => character.repeat(length)),
  ...['0', 'a', '€', '\u0001'].flatMap((character) =>
    formats.map((write) => write(character.repeat(length))),
  ),
])

interface TakenText {
  /** Of the field, in the body. */
  readonly path: string
  /** As the schema returned it. */
  readonly text: string
}

/** Of every text in the operation's body: what is taken of what was tried. */
export function listTakenTexts(operation: Operation): readonly TakenText[] {
  const body = getBodySchema(operation)
  return (body ? listPlaces(body) : [])
    .filter(({ schema }) => schema._zod.def.type === 'string')
    .flatMap(({ path, whole }) => listTaken(whole).map((text) => ({ path: path.join('.'), text })))
}

function listTaken(schema: Schema): readonly string[] {
  const parsed = candidates.flatMap((text) => {
    const result: { readonly data?: unknown } = (
      schema as NonNullable<Operation['params']>
    ).safeParse(text)
    return typeof result.data === 'string' ? [result.data] : []
  })
  return [...new Set(parsed)]
}
