/** The requests of the page to its own back end. */
import type { Configuration } from '@cardwire/client'

/** A request to the back end failed; the message is for the user. */
export class BackEndError extends Error {
  override readonly name = 'BackEndError'
}

export interface PageSettings {
  readonly configuration: Configuration
  /** The virtual card, which the page inserts and removes; absent where the readers are real. */
  readonly virtualCard?: { readonly pin: string }
  /** Whether who looks at the page has started it from a checkout, and can use its commands. */
  readonly forDeveloper: boolean
}

export const fetchSettings = async (): Promise<PageSettings> =>
  (await request('/configuration')).json()

/** An application token; the key that it was exchanged for stays in the back end. */
export const fetchToken = async (): Promise<string> => (await request('/token')).text()

/** Who a certificate is of; `number` is that of the user or card. */
export interface User {
  readonly name: string
  readonly number?: string
  readonly issuer: string
  /** ISO 8601. */
  readonly validUntil: string
}

/** What the back end has checked of a signature; `digest` is SHA-256 of what was signed, or of the signed PDF, hex. */
export interface CheckedSignature extends User {
  readonly digest: string
}

export interface CheckedText extends CheckedSignature {
  readonly text: string
}

/** What the card signs so that the order has a signature: `digest` is base64. */
export interface PreparedOrder {
  readonly hash: 'SHA-256' | 'SHA-384' | 'SHA-512'
  readonly digest: string
}

/** Who is signed in; null: nobody. */
export const fetchUser = async (): Promise<User | null> => (await request('/card/user')).json()

/** What the card signs to sign in, once. */
export const fetchNonce = async (): Promise<string> => (await post('/card/nonce')).text()

export const signIn = async (token: unknown): Promise<User> =>
  (await post('/card/sign-in', token)).json()

export const signOut = async (): Promise<unknown> => post('/card/sign-out')

/** Certificate and signature are base64. */
export const checkSignature = async (signed: {
  readonly text: string
  readonly certificate: string
  readonly signature: string
}): Promise<CheckedText> => (await post('/card/signatures', signed)).json()

/** `certificate` is base64. */
export const prepareOrder = async (certificate: string): Promise<PreparedOrder> =>
  (await post('/card/documents/prepare', { certificate })).json()

/** `signature` is base64. The back end then has the signed order. */
export const completeOrder = async (signature: string): Promise<CheckedSignature> =>
  (await post('/card/documents/complete', { signature })).json()

export const moveVirtualCard = async (inserted: boolean): Promise<unknown> =>
  post('/demo/card', { inserted })

const post = (path: string, body?: unknown): Promise<Response> =>
  request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { ...init, redirect: 'manual' }).catch((cause) => {
    throw new BackEndError(
      'This application can’t be reached. Check your connection, then try again',
      {
        cause,
      },
    )
  })
  if (response.ok) return response
  throw new BackEndError(await response.text())
}
