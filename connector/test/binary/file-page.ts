/** A page with the consent of the user that exchanges files, in the form in which legacy clients send it. */
import type { Connector } from '../../../test/bed/connector.ts'
import type { Display } from '../../../test/bed/display.ts'
import type { HttpsResponse } from '../../../test/bed/https-client.ts'
import { asPage, giveConsent } from '../../../test/bed/page.ts'

export interface FilePage {
  /** Posts JSON to an operation. */
  call(operation: string, body: object): Promise<HttpsResponse>
  /** Posts a form with the file; `segments`: each a field `relPath`, as clients before 3.5.0 sent them. */
  download(
    fields: Readonly<Record<string, string>>,
    file: Uint8Array<ArrayBuffer> | string,
    segments?: readonly string[],
  ): Promise<HttpsResponse>
}

const json = 'application/json;charset=UTF-8'

/** What each request of the page carries. */
export interface PageCredentials {
  /** The application token; null: none. */
  readonly token?: string | null
  /** What the page bills a use to. */
  readonly tag?: string
}

/** Has the user consent: the code word is on the clipboard of the display. */
export async function createFilePage(
  connector: Pick<Connector, 'request'>,
  display: Pick<Display, 'copy'>,
  origin: string,
  credentials: PageCredentials = {},
): Promise<FilePage> {
  const post = createPost(connector, origin, credentials)
  await giveConsent(display.copy, (path, body) => post(path, json, JSON.stringify(body)))
  return openFilePage(connector, origin, credentials)
}

/** A page whose consent is kept. */
export function openFilePage(
  connector: Pick<Connector, 'request'>,
  origin: string,
  credentials: PageCredentials = {},
): FilePage {
  const post = createPost(connector, origin, credentials)
  const place = '/v3/modules/fileexchange/apps/file'
  return {
    call: (operation, body) => post(`${place}/${operation}`, json, JSON.stringify(body)),
    async download({ entity = '', type = '', ...fields }, file, segments = []) {
      const form = new FormData()
      form.append('entity', entity)
      form.append('type', type)
      form.append('file', new Blob([file]))
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      for (const segment of segments) form.append('relPath', segment)
      const encoded = new Response(form)
      const contentType = encoded.headers.get('content-type') ?? ''
      const body = new Uint8Array(await encoded.arrayBuffer())
      return post(`${place}/download`, contentType, body)
    },
  }
}

const createPost =
  (connector: Pick<Connector, 'request'>, origin: string, { token = null, tag }: PageCredentials) =>
  (path: string, type: string, body: string | Uint8Array) =>
    connector.request(
      path,
      asPage(origin, undefined, {
        ...{ token, method: 'POST', body },
        headers: { 'content-type': type, ...(tag !== undefined && { 'x-t1c-billing-tag': tag }) },
      }),
    )
