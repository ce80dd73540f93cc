/** The account of the caller. */
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  createRecoveryCodes,
  endOtherSessions,
  endOwnSession,
  getAccount,
  listSessions,
  Problem,
  removeSecondFactor,
} from '@cardwire/protocol'
import type { Context } from 'hono'
import { type Caller, readClientAddress, requireStillAllowed } from '../auth/authorize.ts'
import { changeOwnPassword } from '../auth/identity/own-password.ts'
import { createOwnSecondFactor } from '../auth/identity/own-second-factor.ts'
import { createOwnSessions } from '../auth/identity/own-sessions.ts'
import type { EmbeddedProvider, Identity } from '../auth/identity/provider.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'

export function bindAccountRoutes(bind: Bind, services: Services): void {
  const { embedded, breakGlass } = services.identity
  const own = createOwnSessions(services)

  const local = embedded ?? breakGlass
  if (local) bindCredentialRoutes(bind, services, local)
  else
    bind(getAccount, async ({ caller }, context) => ({
      data: toAccount(readIdentity(caller, context)),
    }))

  bind(listSessions, async ({ caller }, context) => ({
    data: [...(await own.list(readIdentity(caller, context)))],
  }))

  bind(endOtherSessions, async ({ caller, audit }, context) => ({
    data: { ended: await own.endOthers(readIdentity(caller, context), audit) },
  }))

  bind(endOwnSession, async ({ caller, audit, params: { id } }, context) => {
    const ended = await own.end(readIdentity(caller, context), audit, id)
    if (ended > 0) return { data: { ended } }
    throw new Problem('session-unknown', `Cannot end session "${id}": it is not one of yours`)
  })
}

/** Where the service keeps the passwords. */
function bindCredentialRoutes(
  bind: Bind,
  services: Services,
  { attempts }: Pick<EmbeddedProvider, 'attempts'>,
) {
  const factor = createOwnSecondFactor(services, attempts)
  const read = async (identity: Identity) => ({
    ...toAccount(identity),
    ...(identity.isLocal && (await factor.describe(identity))),
  })
  const readRequest = (caller: Caller, context: Context) => ({
    identity: requireLocal(readIdentity(caller, context)),
    from: {
      address: readClientAddress(services, context),
      requestId: context.get('requestId'),
    },
  })

  bind(getAccount, async ({ caller }, context) => ({
    data: await read(readIdentity(caller, context)),
  }))

  bind(changePassword, async ({ caller, audit, body: { password, newPassword } }, context) => {
    const request = { ...readRequest(caller, context), audit }
    const checked = { ...services, passwords: createPasswordsOf(services, caller) }
    return {
      data: { ended: await changeOwnPassword(checked, attempts, request, password, newPassword) },
    }
  })

  bind(beginSecondFactor, async ({ caller, audit, body: { password } }, context) => {
    return { data: await factor.begin({ ...readRequest(caller, context), audit }, password) }
  })

  bind(confirmSecondFactor, async ({ caller, audit, body: { code } }, context) => ({
    data: await factor.confirm({ ...readRequest(caller, context), audit }, code),
  }))

  bind(createRecoveryCodes, async ({ caller, audit, body: { password, code } }, context) => ({
    data: await factor.renewCodes({ ...readRequest(caller, context), audit }, password, code),
  }))

  bind(removeSecondFactor, async ({ caller, audit, body: { password } }, context) => {
    const request = { ...readRequest(caller, context), audit }
    await factor.remove(request, password)
    return { data: await read(request.identity) }
  })
}

/** The tokens of an external provider name no session of this service: a page says which one it acts for. */
function readIdentity(caller: Caller, { env }: Context): Identity {
  if (caller.kind === 'administrator')
    return { ...caller.identity, session: caller.identity.session ?? env?.browserSession }
  throw new Error('Cannot find the account of this caller: it is not an administrator')
}

/** A user of an external provider may have the name of an account of this service. */
function requireLocal(identity: Identity): Identity {
  if (identity.isLocal) return identity
  throw new Problem('role-missing', 'Cannot change this account: the identity provider manages it')
}

function toAccount({ subject, issuer, name, role }: Identity) {
  if (role === undefined) throw new Error('Cannot show this account: it has no role')
  return {
    subject,
    ...(issuer !== null && { issuer }),
    name,
    role,
  }
}

/** Hashing may wait for others, and the session of the caller may end meanwhile. */
const createPasswordsOf = (services: Services, caller: Caller): Services['passwords'] => ({
  ...services.passwords,
  async hash(password) {
    const hash = await services.passwords.hash(password)
    await requireStillAllowed(services, caller, 'viewer', { isFirstStep: true })
    return hash
  },
})
