/** The examples of operations in the OpenAPI document, and the links by which one response gives values to other operations. */
import type { MediaTypeObject, ParameterObject } from './openapi-document.ts'
import type { Example, Operation, ProducedValue } from './operation.ts'

/** The links of each operation's response, by the operation's name (spec.openapis.org/oas/v3.1.1, §4.8.20). */
export function createLinks(
  operations: readonly Operation[],
): ReadonlyMap<string, Readonly<Record<string, object>>> {
  const links = new Map<string, Record<string, object>>()
  for (const operation of operations) {
    const [example] = operation.examples ?? []
    for (const [parameter, value] of Object.entries(example?.params ?? {})) {
      if (typeof value === 'string') continue
      const parameters = { [parameter]: `$response.body#${value.pointer}` }
      links.set(value.operation, {
        ...links.get(value.operation),
        [operation.name]: { operationId: operation.name, parameters },
      })
    }
  }
  return links
}

/** A value that another response produces has a link in place of an example. */
export function toParameterExample(
  { examples }: Operation,
  name: string,
): Pick<ParameterObject, 'example'> {
  const { params, query }: Partial<Example> = examples?.[0] ?? {}
  const value: string | ProducedValue | undefined = params?.[name] ?? query?.[name]
  return typeof value === 'string' ? { example: value } : {}
}

/** Text is no example of other bytes. */
export function toBodyExamples(
  { body, examples = [] }: Operation,
  media: string,
): Pick<MediaTypeObject, 'examples'> {
  const written = examples.filter((example) => example.body !== undefined)
  if (written.length === 0 || (body?.type === 'bytes' && media !== 'text/plain')) return {}
  return { examples: Object.fromEntries(written.map(toExampleObject)) }
}

const toExampleObject = ({ summary, body }: Example) => [
  summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  { summary, value: body },
]
