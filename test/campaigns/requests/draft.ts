/** A request in the parts that the contract names, and how it becomes one that is sent. */
import type { Operation } from '@cardwire/protocol'
import type { SeededRandom } from '../../bed/random.ts'
import { describeOperation } from './described-operation.ts'
import type { Credential, Frame, Header } from './planned-request.ts'
import { createValue, type FindSample } from './values.ts'

export interface Draft {
  readonly kind: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: readonly Header[]
  /** A value that is written as JSON or as a form, or what is sent as it is. */
  readonly body: unknown
  readonly bodyText?: string | Uint8Array
  readonly media: string | undefined
  readonly credential: Credential
  readonly frame: Frame
}

const formMedia = 'application/x-www-form-urlencoded'

/** A request that the operation accepts, as far as its schemas say. */
export function draftValid(
  operation: Operation,
  random: SeededRandom,
  findSample: FindSample,
): Draft {
  const { parameters, requestBody } = describeOperation(operation)
  const create = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place && (one.required || random.chance(0.5)))
        .map(({ name, schema }) => [name, createValue(schema, random, findSample, name)]),
    )
  const [media, content] = random.pick(Object.entries(requestBody?.content ?? { '': undefined }))
  const createBody = () =>
    content?.schema
      ? createValue(content.schema, random, findSample)
      : random.bytes(random.integer(1, 2000))
  return {
    kind: 'valid',
    method: operation.method,
    params: create('path'),
    query: create('query'),
    headers: [],
    body: content && createBody(),
    media: content && media,
    credential: 'right',
    frame: 'whole',
  }
}

/** Path and query, where `{{…}}` stays as it is. */
export function writePath(operation: Operation, { params, query }: Draft): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeText(String(params[name])),
  )
  const fields = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (one) => `${encodeText(name)}=${encodeText(toText(one))}`,
    ),
  )
  return fields.length === 0 ? path : `${path}?${fields.join('&')}`
}

/** The bytes of the body before `{{…}}` is replaced. */
export function writeBody({ body, bodyText, media }: Draft): string | Uint8Array | undefined {
  if (bodyText !== undefined) return bodyText
  if (body === undefined || body instanceof Uint8Array) return body
  if (media !== formMedia) return JSON.stringify(body)
  if (typeof body !== 'object' || body === null) return String(body)
  return Object.entries(body)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(toText(value))}`)
    .join('&')
}

const toText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

const encodeText = (text: string): string =>
  text
    .split(/(\{\{[^}]*\}\})/)
    .map((part, at) => (at % 2 === 1 ? part : encodeURIComponent(part.toWellFormed())))
    .join('')
