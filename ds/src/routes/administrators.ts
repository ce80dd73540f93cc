/** The accounts of the embedded identity provider, for administrators. */
import {
  type Administrator,
  addAdministrator,
  changeRole,
  getAdministrator,
  listAdministrators,
  Problem,
  removeAdministrator,
  resetSecondFactor,
  setPassword,
} from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { type Caller, requireStillAllowed } from '../auth/authorize.ts'
import type { Account } from '../auth/identity/account-row.ts'
import { createAccounts } from '../auth/identity/accounts.ts'
import { generatePassword } from '../auth/identity/generate-password.ts'
import { administrators } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import type { Services } from '../services.ts'
import { countSessions } from './administrator-sessions.ts'

export function bindAdministratorRoutes(bind: Bind, services: Services): void {
  const { db, random } = services
  const accounts = createAccounts(services)
  const choosePassword = (given: string | undefined) => {
    const password = given ?? generatePassword(random)
    return { password, shown: given === undefined ? { generatedPassword: password } : {} }
  }
  const toAdministrator = (row: Account) => describeAdministrator(services, row)

  bind(listAdministrators, async ({ query: { role, ...paging } }) => {
    const where = role && eq(administrators.role, role)
    const list = await selectPage(db, administrators, paging, where, [administrators.name])
    return { data: { ...list, items: await describeAdministrators(services, list.items) } }
  })

  bind(addAdministrator, async ({ body: { name, role, password: given }, caller, audit }) => {
    const { password, shown } = choosePassword(given)
    const row = await createAccountsOf(services, caller).add(audit, { name, role, password })
    return { data: { ...(await toAdministrator(row)), ...shown } }
  })

  bind(getAdministrator, async ({ params: { name } }) => ({
    data: await toAdministrator(await accounts.find(name)),
  }))

  bind(changeRole, async ({ params: { name }, body: { role }, caller, audit }) => {
    refuseSelf(caller, name)
    return { data: await toAdministrator(await accounts.changeRole(audit, name, role)) }
  })

  bind(setPassword, async ({ params: { name }, body, caller, audit }) => {
    refuseSelf(caller, name)
    const { password, shown } = choosePassword(body.password)
    const row = await createAccountsOf(services, caller).changePassword(audit, name, password)
    return { data: { ...(await toAdministrator(row)), ...shown } }
  })

  bind(resetSecondFactor, async ({ params: { name }, caller, audit }) => {
    refuseSelf(caller, name)
    return { data: await toAdministrator(await accounts.resetSecondFactor(audit, name)) }
  })

  bind(removeAdministrator, async ({ params: { name }, caller, audit }) => {
    refuseSelf(caller, name)
    await accounts.remove(audit, name)
    return { data: { name } }
  })
}

/** For changes that hash a password. Hashing may wait for others, and the caller may be removed meanwhile. */
const createAccountsOf = (services: Services, caller: Caller) =>
  createAccounts({
    ...services,
    passwords: {
      ...services.passwords,
      async hash(password) {
        const hash = await services.passwords.hash(password)
        await requireStillAllowed(services, caller, 'administrator')
        return hash
      },
    },
  })

async function describeAdministrators(
  services: Services,
  rows: readonly Account[],
): Promise<Administrator[]> {
  const counts = await countSessions(services)
  return rows.map(({ name, role, totpStep, passwordDue, createdAt, updatedAt }) => ({
    name,
    role,
    secondFactor: totpStep !== null,
    passwordChangeRequired: passwordDue,
    sessions: counts.get(name) ?? 0,
    ...toTimestamps({ createdAt, updatedAt }),
  }))
}

async function describeAdministrator(services: Services, row: Account): Promise<Administrator> {
  const [administrator] = await describeAdministrators(services, [row])
  if (!administrator) throw new Error(`Cannot show administrator "${row.name}"`)
  return administrator
}

/** Nobody takes a right from themselves by mistake; one's own password changes where the present one is asked for. */
function refuseSelf(caller: Caller, name: string): void {
  if (caller.kind !== 'administrator' || caller.identity.subject !== name) return
  throw new Problem(
    'administrator-self',
    `Cannot change "${name}" here: it is your own account, ask another administrator`,
  )
}
