/** The form in a request to a page. */
import { receiveBody } from '@cardwire/client/protocol/hono'
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
  const fields = new URLSearchParams(await context.req.text())
  return {
    secret: (name) => fields.get(name) ?? '',
    // A browser sends line ends as CR LF (HTML, form submission).
    text: (name) => (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim(),
    texts: (name) => fields.getAll(name),
    has: (name) => fields.has(name),
  }
}
