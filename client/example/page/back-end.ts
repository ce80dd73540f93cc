/** The requests of the page to its own back end. */
import type { Configuration } from '@cardwire/client'

/** A request to the back end failed; the message is for the person. */
export class BackEndError extends Error {
  override readonly name = 'BackEndError'
}

export interface PageSettings {
  readonly configuration: Configuration
  /** Whether there is a virtual card, which the page inserts and removes. */
  readonly virtualCard: boolean
  /** Whether who looks at the page has started it from a checkout, and can use its commands. */
  readonly forDeveloper: boolean
}

export const fetchSettings = async (): Promise<PageSettings> =>
  (await request('/configuration')).json()

/** An application token; the key that it was exchanged for stays in the back end. */
export const fetchToken = async (): Promise<string> => (await request('/token')).text()

export async function moveVirtualCard(inserted: boolean): Promise<void> {
  await request('/demo/card', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inserted }),
  })
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, init).catch((cause) => {
    throw new BackEndError('Cannot reach this application: check your connection, and try again', {
      cause,
    })
  })
  if (response.ok) return response
  throw new BackEndError(await response.text())
}
