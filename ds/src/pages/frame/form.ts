/** The form in a request to a page. */
import { Problem } from '@cardwire/protocol'
import { receiveBody } from '@cardwire/protocol/hono'
import type { Context } from 'hono'

/** Its fields; one that is not there is an empty text. */
export interface Form {
  text(name: string): string
  /** Exactly as it was typed, spaces at its ends included: a password. */
  secret(name: string): string
  /** Every value of a field that occurs several times. */
  texts(name: string): readonly string[]
  /** Whether a box was ticked. */
  has(name: string): boolean
}

/** Receives a form, of 1 MiB at most. Throws a problem when it is too large or comes too slowly. */
export const readForm = (context: Context): Promise<Form> => receiveForm(context, 'json')

/** The same for a form that anybody may send: of 16 KiB at most. */
export const readPublicForm = (context: Context): Promise<Form> => receiveForm(context, 'form')

async function receiveForm(context: Context, type: 'json' | 'form'): Promise<Form> {
  await receiveBody(context, type)
  return parseForm(await context.req.text())
}

/** The fields of a form as a browser sends it (application/x-www-form-urlencoded). */
export function parseForm(body: string): Form {
  const fields = readFields(body)
  return {
    secret: (name) => fields.get(name)?.[0] ?? '',
    // A browser sends line ends as CR LF (HTML, form submission).
    text: (name) => (fields.get(name)?.[0] ?? '').replaceAll('\r\n', '\n').trim(),
    texts: (name) => fields.get(name) ?? [],
    has: (name) => fields.has(name),
  }
}

/** No form of a page has as many: half a million take seconds to parse. */
const maxFields = 10_000

/** The values of each field; read once, because `URLSearchParams` looks for a name from its start each time. */
function readFields(text: string): ReadonlyMap<string, readonly string[]> {
  if (text.split('&', maxFields + 1).length > maxFields)
    throw new Problem(
      'body-too-large',
      `Cannot read the form: it has more than ${maxFields} fields`,
    )
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return fields
}
