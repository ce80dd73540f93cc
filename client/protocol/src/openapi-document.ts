/** The parts of an OpenAPI 3.1 document that ours have. */

/** JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: string
}

export interface MediaTypeObject {
  /** Absent for bytes. */
  readonly schema?: JsonSchema
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: unknown }>
  >
}

export interface ResponseObject {
  readonly description: string
  readonly content?: Readonly<Record<string, MediaTypeObject>>
  readonly headers?: Readonly<Record<string, object>>
  /** By the name of the operation that takes values of this response. */
  readonly links?: Readonly<Record<string, object>>
}

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly ParameterObject[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, MediaTypeObject>>
  }
  /** By status. */
  readonly responses: Readonly<Record<string, ResponseObject>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: object
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: object
}
