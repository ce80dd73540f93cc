/** A page with the consent of the person, as deployed clients call the operations of a card from it. */
import type { Display } from '../../../../test/bed/display.ts'
import type { HttpsResponse } from '../../../../test/bed/https-client.ts'
import { createHttpsFetch } from '../../../../test/bed/https-fetch.ts'
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

/** Has the person consent: the code word is on the clipboard of the display. */
export async function openPage(
  bed: CardReader,
  display: Display,
  origin: string,
): Promise<GrantedPage> {
  const headers = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
  const request = (body: object) => ({
    token: null,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json;charset=UTF-8' },
  })
  const findRawPath = async (path: string) =>
    `/v3/modules/remoteloading/apps/hsm/readers/${(await bed.find())?.id}/${path}`
  const codeWord = `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`
  await display.copy(codeWord)
  const { json } = await bed.connector.request('/v3/consent', request({ codeWord }))
  if (json.data?.consentState !== 'APPROVED') throw new Error(`no consent for ${origin}`)
  return {
    get: (path) => bed.connector.request(path, { token: null, headers }),
    raw: async (path, body) => bed.connector.request(await findRawPath(path), request(body)),
    leave(path, body) {
      const gone = new AbortController()
      const { port, ca } = bed.connector
      const send = createHttpsFetch(ca)
      const { method, headers: all } = request(body)
      const init = { method, headers: { ...all, 'x-csrf-token': 't1c-js' }, signal: gone.signal }
      void findRawPath(path)
        .then((found) =>
          send(`https://localhost:${port}${found}`, { ...init, body: JSON.stringify(body) }),
        )
        .catch(() => undefined)
      return () => gone.abort()
    },
    call: (path, body = {}) => bed.token(path, 'piv', request(body)),
    read: (path, module) => bed.token(path, module, { token: null, headers }),
    reset: (method) =>
      bed.connector.request('/v3/modules/piv/apps/token/reset-bulk-pin', {
        ...{ token: null, method, headers },
      }),
  }
}
