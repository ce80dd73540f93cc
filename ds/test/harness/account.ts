/** Accounts of their own for tests that change them, and the codes of their authenticator apps. */
import { TOTP } from 'otpauth'
import { tokenPath } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { webRandom } from '../../src/assemble.ts'
import { getData } from './arrange.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { withDatabase } from './stored-data.ts'

export interface TestAccount {
  readonly name: string
  readonly password: string
}

type Service = Pick<DistributionService, 'request' | 'login' | 'database' | 'folder'>

/** An account that no other test has. */
export async function createAccount(service: Service, role?: string): Promise<TestAccount> {
  const account = { name: `account-${webRandom.uuid()}`, password: 'a-password-of-an-account' }
  await storeAccounts(service, [account.name], account.password, role)
  return account
}

/** Stores accounts with the same password, whose hash is cheap. */
export async function storeAccounts(
  service: Pick<Service, 'login' | 'database' | 'folder'>,
  names: readonly string[],
  password: string,
  role = 'administrator',
): Promise<void> {
  // A service creates its first administrator where there is none: before these.
  await service.login()
  const hash = await cheapPasswords.hash(password)
  const rows = names.map(() => '(?, ?, ?, 1, 1)').join(', ')
  const values = names.flatMap((name) => [name, hash, role])
  await withDatabase(service, ({ run }) =>
    run(
      `insert into administrators (name, password_hash, role, created_at, updated_at) values ${rows}`,
      ...values,
    ),
  )
}

/** The response of the token endpoint; `totp`: the code, where one is sent. */
export const logIn = (
  service: Pick<DistributionService, 'request'>,
  { name: username, password }: TestAccount,
  { totp, from }: { readonly totp?: string; readonly from?: string } = {},
) =>
  service.request('POST', tokenPath, {
    form: {
      client_id: 'cardwire',
      grant_type: 'password',
      username,
      password,
      ...(totp !== undefined && { totp }),
    },
    ...(from !== undefined && { from }),
  })

export const getToken = async (service: Service, account: TestAccount): Promise<string> =>
  (await logIn(service, account)).json.access_token

/** The code that an app shows for a secret; `steps`: so many steps of 30 s later. */
export const createCode = (secret: string, steps = 0, now = Date.now()): string =>
  new TOTP({ secret }).generate({ timestamp: now + steps * 30_000 })

/** Begins a second factor; resolves with its secret. */
export const beginSecondFactor = async (
  service: Service,
  { password }: TestAccount,
  token: string,
): Promise<string> =>
  getData(await service.request('PUT', '/v3/account/second-factor', { token, body: { password } }))
    .secret

/** Gives an account a second factor whose first code is that of this step: the next login takes the one after; resolves with its secret. */
export async function addSecondFactor(
  service: Service,
  account: TestAccount,
  token: string,
): Promise<string> {
  const secret = await beginSecondFactor(service, account, token)
  const body = { code: createCode(secret) }
  getData(await service.request('POST', '/v3/account/second-factor/confirm', { token, body }))
  return secret
}
