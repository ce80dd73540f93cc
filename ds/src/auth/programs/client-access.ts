/** What an API client may do now, and the identity in its access tokens. */
import { type Role, tokenKinds } from '@cardwire/protocol'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { decodeProtectedHeader, errors } from 'jose'
import type { Database } from '../../db/database.ts'
import { apiClientCredentials, apiClients } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import type { IdentityProvider } from '../identity/provider.ts'
import type { Keyring } from '../keys/keyring.ts'

export interface ClientAccessServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly keyring: Keyring
}

/** The role of a client; undefined when the client or this credential of it was removed or has expired. */
export async function findClientRole(
  { db, clock }: Pick<ClientAccessServices, 'db' | 'clock'>,
  client: string,
  credential: string,
): Promise<Role | undefined> {
  const now = clock()
  const [row] = await db
    .select({ role: apiClients.role })
    .from(apiClients)
    .innerJoin(apiClientCredentials, eq(apiClientCredentials.client, apiClients.id))
    .where(
      and(
        ...[eq(apiClients.id, client), eq(apiClientCredentials.id, credential)],
        or(isNull(apiClients.expiresAt), gt(apiClients.expiresAt, now)),
        or(isNull(apiClientCredentials.expiresAt), gt(apiClientCredentials.expiresAt, now)),
      ),
    )
  return row?.role
}

/** Lets API clients call the service, with any identity provider of the administrators. */
export function addApiClients(
  services: ClientAccessServices,
  provider: IdentityProvider,
): IdentityProvider {
  const { url: issuer, keyring } = services
  const { typ, audience } = tokenKinds.apiClient
  return {
    ...provider,
    async identify(token) {
      if (readType(token) !== typ) return provider.identify(token)
      const claims = await keyring.verify('administrator', token, { typ, issuer, audience })
      const { sub = '' } = claims
      const credential = String(claims['credential'])
      // What ends its access, or changes its role, has effect on the tokens that are out.
      const role = await findClientRole(services, sub, credential)
      if (!role)
        throw new errors.JWTClaimValidationFailed('the client has no access', claims, 'sub')
      return { name: sub, subject: sub, issuer, session: undefined, credential, role }
    },
  }
}

/** Nothing is verified yet: it decides only who verifies the token. */
function readType(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).typ
  } catch {
    return undefined
  }
}
