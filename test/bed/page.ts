/** Requests to a connector as a page in a browser sends them, and the consent that a user gives to it. */
import type { HttpsRequestOptions, HttpsResponse } from './https-client.ts'

/** A code word as pages show it and put it on the clipboard. */
export const createCodeWord = (): string =>
  `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`

/** Of a page, without an application token: posts the body as JSON, or gets where there is none. */
export const asPage = (
  origin: string,
  body?: unknown,
  options: HttpsRequestOptions = {},
): HttpsRequestOptions => ({
  token: null,
  ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  ...options,
  headers: {
    ...{ origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    ...(body !== undefined && { 'content-type': 'application/json;charset=UTF-8' }),
    ...options.headers,
  },
})

export interface GivenConsent {
  readonly codeWord: string
  readonly consent: string
  readonly consents: readonly string[]
}

/** Has a user consent: `copy` puts the code word on the clipboard, `post` sends it as the page. */
export async function giveConsent(
  copy: (text: string) => Promise<unknown>,
  post: (path: string, body: object) => Promise<HttpsResponse>,
): Promise<GivenConsent> {
  const codeWord = createCodeWord()
  await copy(codeWord)
  const { text, json } = await post('/v3/consent', { codeWord })
  if (json?.data?.consentState !== 'APPROVED') throw new Error(`Cannot get a consent: ${text}`)
  const { consent, consents } = json.data
  return { codeWord, consent, consents }
}
