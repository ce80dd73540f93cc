/** What a program sends to the token endpoint, and how a job of GitHub Actions gets a token to exchange. */
import { grantTypes, subjectTokenTypes } from './client-token.ts'

/** What proves that a program is an API client. */
export type ClientProof =
  | { readonly kind: 'secret'; readonly secret: string }
  /** A token of an issuer that a credential of the client trusts. */
  | { readonly kind: 'federated'; readonly token: string }

/** The fields of the form. */
export const createClientGrant = (client: string, proof: ClientProof): Record<string, string> =>
  proof.kind === 'secret'
    ? { grant_type: grantTypes.credentials, client_id: client, client_secret: proof.secret }
    : {
        grant_type: grantTypes.exchange,
        client_id: client,
        subject_token: proof.token,
        subject_token_type: subjectTokenTypes[0],
      }

/**
 * The request for the token of a job of GitHub Actions, whose response has it as `value`; undefined elsewhere, and where the job lacks
 * the permission `id-token: write`. Source: GitHub's documentation of OpenID Connect.
 */
export function createJobTokenRequest(
  environment: Readonly<Record<string, string | undefined>>,
  audience: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined {
  const base = URL.parse(environment['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '')
  const token = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']
  if (!base || !token) return undefined
  base.searchParams.set('audience', audience)
  return { url: base.href, headers: { authorization: `Bearer ${token}` } }
}
