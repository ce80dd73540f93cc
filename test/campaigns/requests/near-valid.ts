/** Changes that make a valid request wrong in one place. */
import type { SeededRandom } from '../../bed/random.ts'
import { type Draft, writeBody } from './draft.ts'
import { oddHeaders, oddTexts } from './odd-values.ts'
import { type Frame, wrongCredentials } from './planned-request.ts'

/** undefined: the request has no such place. */
type Change = (draft: Draft, random: SeededRandom) => Draft | undefined

const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}${close.repeat(depth)}`

export const changes: Readonly<Record<string, Change>> = {
  'field of another type': changeField((value, random) =>
    random.pick([null, true, 0, -1, 1.5, '7', [], {}, [value], { value }]),
  ),
  'field without a value': changeField(() => ''),
  'field that is too long': changeField((_, random) =>
    'x'.repeat(random.pick([65, 201, 257, 513, 4097, 100_001])),
  ),
  'field at its limit': changeField((value, random) =>
    typeof value === 'number'
      ? random.pick([0, 1, -1, value - 1, value + 1, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63)])
      : 'x'.repeat(random.pick([1, 63, 64, 199, 200, 255, 256, 512, 1024])),
  ),
  'odd text': changeField((_, random) => random.pick(oddTexts)),
  'field in another case': changeField((value) =>
    typeof value === 'string' && !value.includes('{{') ? value.toUpperCase() : undefined,
  ),
  'long list': changeField((value) =>
    Array.isArray(value) ? Array.from({ length: 2500 }, () => value[0]) : undefined,
  ),
  'field is missing': (draft, random) => {
    const body = draft.body
    if (!isRecord(body) || Object.keys(body).length === 0) return undefined
    const { [random.pick(Object.keys(body))]: _, ...rest } = body
    return { ...draft, body: rest }
  },
  'unknown field': (draft, random) =>
    isRecord(draft.body)
      ? {
          ...draft,
          body: {
            ...draft.body,
            [random.pick(['nmae', 'ID', 'constructor', '', 'x'.repeat(300)])]: 1,
          },
        }
      : { ...draft, query: { ...draft.query, nmae: '1' } },
  'query twice': (draft) => {
    const [name, value] = Object.entries(draft.query)[0] ?? ['page', '1']
    return { ...draft, query: { ...draft.query, [name]: [value, value] } }
  },
  'odd page': (draft, random) => ({
    ...draft,
    query: {
      ...draft.query,
      [random.pick(['page', 'size'])]: random.pick([
        '0',
        '-1',
        '1000000',
        '1000001',
        '101',
        '1e1',
        '0x10',
        ' 1',
        '١',
      ]),
    },
  }),
  'number that no computer holds': changeJson((text, random) =>
    text.replace(
      /:("[^"]*"|\d+|true|false)/,
      () => `:${random.pick(['1e400', '-1e400', '9'.repeat(1000), '1E-400', '-0'])}`,
    ),
  ),
  'key twice': changeJson((text) => text.replace(/^\{("[^"]*":)/, '{$1"first",$1')),
  'key of the prototype': changeJson((text, random) =>
    text.replace(
      /^\{/,
      `{"${random.pick(['__proto__', 'constructor', 'prototype'])}":{"isAdministrator":true,"blocked":true,"toString":1},`,
    ),
  ),
  'deep JSON': changeJson((text, random) => {
    const deep = random.pick([
      nested(500, '[', ']'),
      nested(20_000, '[', ']'),
      nested(200_000, '[', ']'),
      `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
      '['.repeat(100_000),
    ])
    return text.replace(/:("[^"]*"|\d+|true|false)/, () => `:${deep}`)
  }),
  'JSON cut off': changeJson((text, random) => text.slice(0, random.integer(0, text.length - 1))),
  'JSON of another kind': changeJson((_, random) =>
    random.pick([
      '',
      ' ',
      'null',
      '[]',
      '""',
      '0',
      'true',
      '{}',
      '[{}]',
      'NaN',
      "{'a':1}",
      '{"a":1,}',
      '{} {}',
      '\u0000',
    ]),
  ),
  'another encoding': (draft, random) => {
    const text = writeBody(draft)
    if (typeof text !== 'string') return undefined
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    return {
      ...draft,
      bodyText: random.pick([
        utf16,
        Buffer.from(utf16).swap16(),
        Buffer.from(`\ufeff${text}`),
        Buffer.from(text.replace('"', '"\u00ff'), 'latin1'),
      ]),
    }
  },
  'UTF-8 that is invalid': (draft, random) => {
    const text = writeBody(draft)
    if (typeof text !== 'string' || text.includes('{{')) return undefined
    const bytes = Buffer.from(text)
    const at = random.integer(0, bytes.length)
    const wrong = random.pick([
      [0xff],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x28, 0xa1],
    ])
    return {
      ...draft,
      bodyText: Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)]),
    }
  },
  'another content type': (draft, random) =>
    draft.media === undefined
      ? undefined
      : {
          ...draft,
          media: random.pick([
            'text/plain',
            'application/x-www-form-urlencoded',
            'application/json; charset=utf-16',
            'APPLICATION/JSON',
            'application/jsonx',
            'multipart/form-data; boundary=x',
            '',
            ';',
            'application/json, text/plain',
            'application/vnd.api+json',
          ]),
          bodyText: writeBody(draft) ?? '',
        },
  'no content type': (draft) =>
    draft.media === undefined
      ? undefined
      : { ...draft, media: undefined, bodyText: writeBody(draft) ?? '' },
  'another method': (draft, random) => ({
    ...draft,
    method: random.pick(
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
        (method) => method !== draft.method,
      ),
    ),
    credential: 'missing',
  }),
  'a body where none is': (draft) =>
    draft.body === undefined
      ? { ...draft, bodyText: '{"a":1}', media: 'application/json' }
      : undefined,
  'odd header': (draft, random) => ({ ...draft, headers: [random.pick(oddHeaders)] }),
  'wrong credential': (draft, random) => ({ ...draft, credential: random.pick(wrongCredentials) }),
  'another framing': (draft, random) => ({
    ...draft,
    frame: random.pick<Frame>(
      // A change that is made while nobody waits for its answer is neither accepted nor refused.
      draft.method === 'GET'
        ? ['in-pieces', 'half-closed', 'one-time']
        : ['chunked', 'in-pieces', 'one-time'],
    ),
  }),
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array)

function changeJson(change: (text: string, random: SeededRandom) => string): Change {
  return (draft, random) => {
    if (draft.media !== 'application/json') return undefined
    const text = JSON.stringify(draft.body)
    const bodyText = change(text, random)
    return bodyText === text ? undefined : { ...draft, bodyText }
  }
}

/** One field of path, query or body, however deep. */
function changeField(change: (value: unknown, random: SeededRandom) => unknown): Change {
  return (draft, random) => {
    const parts = { params: draft.params, query: draft.query, body: draft.body }
    const places = findPlaces(parts).filter((place) => place.length > 1)
    if (places.length === 0) return undefined
    const place = random.pick(places)
    const changed = change(readPlace(parts, place), random)
    return changed === undefined ? undefined : { ...draft, ...replacePlace(parts, place, changed) }
  }
}

type Place = readonly string[]

function findPlaces(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [at]
  const inside = Object.entries(value).flatMap(([name, one]) => findPlaces(one, [...at, name]))
  return [at, ...inside]
}

const readPlace = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], value)

function replacePlace<T>(value: T, [name, ...rest]: Place, changed: unknown): T {
  if (name === undefined) return changed as T
  const inside = (value as Record<string, unknown>)[name]
  const replaced = replacePlace(inside, rest, changed)
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === name ? replaced : one)) as T
  return { ...value, [name]: replaced }
}
