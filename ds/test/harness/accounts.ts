/** Accounts of the embedded provider, each with a name of its own. */
import type { Role } from '@cardwire/protocol'
import { tokenPath } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { createAccount } from './account.ts'

let count = 0

/** The name of an account that no other test of the suite has. */
export const nextName = () => {
  count += 1
  return `account-${count}`
}

export interface LoggedIn {
  readonly name: string
  readonly password: string
  readonly token: string
  readonly refreshToken: string
}

export const logIn = (
  service: Pick<DistributionService, 'request'>,
  username: string,
  password: string,
) =>
  service.request('POST', tokenPath, {
    form: { client_id: 'cardwire', grant_type: 'password', username, password },
  })

/** A new account, with a session of a program. */
export async function addAccount(
  service: Pick<DistributionService, 'request' | 'login' | 'database' | 'folder'>,
  role: Role,
): Promise<LoggedIn> {
  const { name, password } = await createAccount(service, role)
  const { json } = await logIn(service, name, password)
  return { name, password, token: json.access_token, refreshToken: json.refresh_token }
}
