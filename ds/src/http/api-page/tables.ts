/** Tables of fields, and text in which code stands between backticks. */
import type { JsonSchema } from '@cardwire/protocol/openapi'
import { html } from 'hono/html'
import { describeType, listFields } from './schema-fields.ts'

interface ParameterRow {
  readonly path: string
  readonly place: string
  readonly schema: JsonSchema
  readonly required: boolean
  readonly description: string
}

/** The fields of a schema, or parameters. */
export function renderFieldTable(caption: string, fields: JsonSchema | readonly ParameterRow[]) {
  const rows = isParameters(fields)
    ? fields.map((row) => ({ ...row, type: `${describeType(row.schema)}, in the ${row.place}` }))
    : listFields(fields)
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(
    ({ path, type, required, description }) =>
      html`<tr><th scope="row"><code>${path || 'the whole'}</code></th><td>${type}${required ? '' : ' (optional)'}</td><td>${renderText(description)}</td></tr>`,
  )}</tbody></table>`
}

const isParameters = (
  fields: JsonSchema | readonly ParameterRow[],
): fields is readonly ParameterRow[] => Array.isArray(fields)

export const renderText = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
