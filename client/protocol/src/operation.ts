/** An HTTP operation as a value: servers bind a handler to it, clients call it, the OpenAPI document lists it. */
import * as z from 'zod/mini'
import type { ProblemName } from './problem.ts'
import type { Role } from './role.ts'

/** Who may call an operation. */
export type Access =
  | 'anyone'
  /** An administrator with this role or a later one of `roles`. */
  | Role
  /** A viewer, or the holder of an application token. */
  | 'application'
  /** Programs that hold a label's API key, sent in the header `apikey`. */
  | 'api-key'
  /** A connector that holds a version's installation key, in the header `apikey`. */
  | 'registration'
  /** A registered device, by an assertion over the request. */
  | 'device'
  /** A proxy of `DS_TRUST_PROXY`, with the API key of its client in the header `apikey`. */
  | 'gateway'
  /** This machine itself, or a viewer from anywhere. */
  | 'local'
  /** On the connector: a token, and from a page the user's consent for its origin. */
  | 'consented'
  /** On the connector: a program of this user that holds the management token. */
  | 'management'

/** Whether web pages may call an operation; without this they get no CORS headers. */
export type Pages =
  /** Pages of allowed origins, with credentials. */
  | 'allowed'
  /** Every request from a page is refused, whatever else it carries. */
  | 'refused'

type ObjectSchema = z.ZodMiniObject

/** A value that only the response of another operation shows. */
export interface ProducedValue {
  /** The name of that operation. */
  readonly operation: string
  /** Where in the response: a JSON Pointer (RFC 6901). */
  readonly pointer: `/${string}`
}

/** A request that succeeds as it is written, after the operations that its values come from. */
export interface Example {
  /** What makes it different from the other examples of its operation. */
  readonly summary: string
  /** Of the path. */
  readonly params?: Readonly<Record<string, string | ProducedValue>>
  /** What the request needs beside them. */
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The response of an operation that succeeds. */
export type Reply =
  /** `{ success: true, data }`. */
  | { readonly kind: 'data'; readonly schema: z.ZodMiniType; readonly status: 200 | 201 }
  /** The same; 201 when it was created, 200 when it was updated. */
  | { readonly kind: 'upsert'; readonly schema: z.ZodMiniType }
  /** A document whose form another standard defines. */
  | { readonly kind: 'document'; readonly schema: z.ZodMiniType; readonly media: string }
  /** Anything else: the handler makes the response. */
  | { readonly kind: 'response'; readonly media: string; readonly description: string }

export interface Operation {
  /** Unique; the `operationId` of the document. */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** With placeholders as OpenAPI writes them: `/v3/versions/{id}`. */
  readonly path: `/${string}`
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly access: Access
  readonly pages?: Pages
  /** `refused`: only for people. API clients must not manage what gives access to them or to anyone else. */
  readonly programs?: 'refused'
  readonly params?: ObjectSchema
  readonly query?: ObjectSchema
  readonly headers?: ObjectSchema
  readonly body?:
    | {
        /** `merge-patch`: JSON whose fields are changed, and no others (RFC 7396). */
        readonly type: 'json' | 'form' | 'merge-patch'
        readonly schema: z.ZodMiniType
        /** Whether no body, of whatever content type, counts as one without fields. */
        readonly optional?: true
      }
    /** Bytes of one of these media types. */
    | {
        readonly type: 'bytes'
        readonly media: readonly string[]
        readonly schema: z.ZodMiniType<Uint8Array>
      }
    /** Bytes of one of these media types, which the handler reads as they come. */
    | { readonly type: 'stream'; readonly media: readonly string[] }
  /** Needed where something is: a parameter of the path, or a body. */
  readonly examples?: readonly Example[]
  readonly reply: Reply
  /** Whether `data` has the revision of what it shows, which is sent as the ETag, too. */
  readonly entityTag?: true
  /** Its own problems; those of access, body and load follow from the other members. */
  readonly problems: readonly ProblemName[]
  /** `oauth`: failures have the form of RFC 6749 §5.2. `empty`: they have a status, and no body. */
  readonly failures?: 'oauth' | 'empty'
}

/** The media types of bodies that a schema describes; the first one is the usual. */
export const mediaTypes = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  'merge-patch': ['application/merge-patch+json', 'application/json'],
} as const

/** Declares an operation, keeping its exact type. */
export const operation = <const O extends Operation>(value: O): O => value

/** The success envelope around `schema`. */
export const data = <S extends z.ZodMiniType>(schema: S) =>
  ({ kind: 'data', schema, status: 200 }) as const

/** The envelope around something that was created. */
export const created = <S extends z.ZodMiniType>(schema: S) =>
  ({ kind: 'data', schema, status: 201 }) as const

/** The envelope around something that was created or updated. */
export const upserted = <S extends z.ZodMiniType>(schema: S) =>
  ({ kind: 'upsert', schema }) as const

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : Record<never, never>

/** The input of a handler: every part, parsed by its schema. */
export interface Input<O extends Operation> {
  readonly params: Parsed<O['params']>
  readonly query: Parsed<O['query']>
  readonly headers: Parsed<O['headers']>
  readonly body: O['body'] extends { readonly type: 'stream' }
    ? ReadableStream<Uint8Array>
    : O['body'] extends { readonly schema: infer S }
      ? Parsed<S>
      : undefined
}

/** The output of a handler. */
export type Output<O extends Operation> = O['reply'] extends {
  readonly schema: infer S extends z.ZodMiniType
}
  ? {
      /** A response has its envelope, and its items one after the other. */
      readonly data: { readonly data: z.input<S> } | Response
      readonly upsert: { readonly created: boolean; readonly data: z.input<S> }
      readonly document: z.input<S>
      readonly response: never
    }[O['reply']['kind']]
  : Response

// Not coerced: Number accepts 0x10, 1e1 and a space.
export const wholeNumber = (max: number, min = 1) =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, 'expected a whole number')),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z.int().check(z.minimum(min), z.maximum(max)),
    ),
  )

/** The query of a list: which page, and how many items on it. */
export const paging = {
  page: z.pipe(z._default(z.string(), '1'), wholeNumber(1_000_000)),
  size: z.pipe(z._default(z.string(), '20'), wholeNumber(100)),
}

/** One page of a list; `total` counts the items of all pages. */
export const pageOf = <S extends z.ZodMiniType>(schema: S) =>
  z.object({ items: z.array(schema), page: z.int(), size: z.int(), total: z.int() })

/** Counts by day: those of the newest 400 days that have one, oldest first, and the sum of them. */
export const CountsByDay = z.object({
  total: z.int(),
  days: z.array(z.object({ day: z.iso.date(), count: z.int() })),
})
