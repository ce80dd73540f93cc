/** An operation as the document of the contract describes it: the schemas of its parts, and the statuses it answers with. */
import type { Operation } from '@cardwire/protocol'
import { createOpenApiDocument } from '@cardwire/protocol/openapi'
import type { JsonSchema } from './values.ts'

export interface DescribedOperation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required: boolean
    readonly schema: JsonSchema
  }[]
  /** By media type; bytes have no schema. */
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: JsonSchema }>>
  }
  /** By status. */
  readonly responses: Readonly<Record<string, unknown>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

const known = new Map<Operation, DescribedOperation>()

export function describeOperation(operation: Operation): DescribedOperation {
  const info = { title: '', version: '', description: '', server: '' }
  const found = known.get(operation)
  if (found) return found
  const { paths } = createOpenApiDocument([operation], info) as Document
  const described = paths[operation.path]?.[operation.method.toLowerCase()]
  if (!described) throw new Error(`Cannot describe "${operation.name}": the document lacks it`)
  known.set(operation, described)
  return described
}
