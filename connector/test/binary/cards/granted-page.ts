/** A page with the consent of the user, as legacy clients call the operations of a card from it. */
import type { Connector } from '../../../../test/bed/connector.ts'
import type { Display } from '../../../../test/bed/display.ts'
import type { HttpsResponse } from '../../../../test/bed/https-client.ts'
import { createHttpsFetch } from '../../../../test/bed/https-fetch.ts'
import { asPage, giveConsent } from '../../../../test/bed/page.ts'
import type { CardReader } from './card-reader.ts'

export interface GrantedPage {
  /** Posts to an operation of the token in the reader. */
  call(path: string, body?: object): Promise<HttpsResponse>
  /** Gets what the API answers at this path. */
  get(path: string): Promise<HttpsResponse>
  /** Gets what an operation of the token in the reader answers. */
  read(path: string, module: string): Promise<HttpsResponse>
  /** Posts to an operation of the module remoteloading for the reader. */
  raw(path: string, body: object): Promise<HttpsResponse>
  /** The same; the function that it returns gives the request up, as a page does that goes. */
  leave(path: string, body: object): () => void
  /** Ends what is kept for several signatures. */
  reset(method: string): Promise<HttpsResponse>
}

/** Has the user consent: the code word is on the clipboard of the display. */
export async function openPage(
  bed: CardReader,
  display: Display,
  origin: string,
): Promise<GrantedPage> {
  const findRawPath = async (path: string) =>
    `/v3/modules/remoteloading/apps/hsm/readers/${(await bed.find())?.id}/${path}`
  const request: Connector['request'] = (path, options) => bed.connector.request(path, options)
  await giveConsent(display.copy, (path, body) => request(path, asPage(origin, body)))
  return {
    get: (path) => request(path, asPage(origin)),
    raw: async (path, body) => request(await findRawPath(path), asPage(origin, body)),
    leave(path, body) {
      const gone = new AbortController()
      const { port, ca } = bed.connector
      const send = createHttpsFetch(ca)
      const { method = 'POST', headers, body: text } = asPage(origin, body)
      const init = {
        method,
        headers: { ...headers, 'x-csrf-token': 't1c-js' },
        signal: gone.signal,
      }
      void findRawPath(path)
        .then((found) => send(`https://localhost:${port}${found}`, { ...init, body: String(text) }))
        .catch(() => undefined)
      return () => gone.abort()
    },
    call: (path, body = {}) => bed.token(path, 'piv', asPage(origin, body)),
    read: (path, module) => bed.token(path, module, asPage(origin)),
    reset: (method) =>
      request('/v3/modules/piv/apps/token/reset-bulk-pin', asPage(origin, undefined, { method })),
  }
}
