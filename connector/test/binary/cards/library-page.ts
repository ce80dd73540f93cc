/** The library of a page that has the consent of the user, against a compiled connector. */
import { type CardwireClient, CardwireError, initialize, newCodeWord } from '@cardwire/client'
import { vi } from 'vitest'
import type { Display } from '../../../../test/bed/display.ts'
import { createHttpsFetch } from '../../../../test/bed/https-fetch.ts'

/** Replaces `fetch` by that of the user's browser, until the end of the test file. */
export async function connectLibrary(
  { ca, origin }: { readonly ca: string; readonly origin: string },
  display: Display,
  configuration: { readonly t1cApiPort: string; readonly jwt: string },
): Promise<CardwireClient> {
  const send = createHttpsFetch(ca)
  // As the browser of a user who trusts the connector's certificate.
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('origin', origin)
    return send(url, { ...init, headers })
  })
  const asking = await failureOf(initialize(configuration))
  const codeWord = newCodeWord()
  await display.copy(codeWord)
  if (!asking.client) throw asking
  return asking.client.getConsent(codeWord)
}

export async function failureOf(promise: Promise<unknown>): Promise<CardwireError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (CardwireError.is(error)) return error
  throw new Error('Expected an error of the library', { cause: error })
}
