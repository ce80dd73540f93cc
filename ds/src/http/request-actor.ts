/** Who sent a request, for the log: nothing where the sender has proven no identity. */
import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Identity } from '../auth/identity/provider.ts'
import type { AppEnv } from './bind.ts'

export type ActorFields = Readonly<Partial<Record<'actor' | 'actorId' | 'actorName', string>>>

/** `identity` is that of a page's session. */
type LoggedContext = Context<AppEnv & { Variables: { identity?: Identity } }>

export function describeActor(context: Context<AppEnv>): ActorFields {
  const { caller, identity } = (context as LoggedContext).var
  switch (caller?.kind) {
    case 'administrator':
      return describeIdentity(caller.identity)
    case 'label':
      return { actor: 'application', actorId: caller.id }
    case 'installer':
      return { actor: 'installation-key', actorId: caller.version }
    case 'device':
      return { actor: 'device', actorId: caller.assertion.device.id }
    default:
      return identity ? describeIdentity(identity) : {}
  }
}

const describeIdentity = ({ subject, name, credential }: Identity): ActorFields => ({
  actor: credential === undefined ? 'account' : 'api-client',
  actorId: subject,
  // An external provider says how long it is.
  actorName: name.slice(0, 200),
})

/** The pattern of a page, such as `/admin/devices/:id`; undefined: there is none. */
export const findPageRoute = (context: Context<AppEnv>): string | undefined =>
  matchedRoutes(context).findLast(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    ?.path
