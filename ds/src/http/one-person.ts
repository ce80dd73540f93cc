/** Who may be one person where two administrators are needed. */
import { approverDays } from '@cardwire/protocol'
import { and, eq, gt, inArray, isNull, not, type SQL } from 'drizzle-orm'
import { audit } from '../db/schema.ts'
import type { Services } from '../services.ts'

/** An account, a user of an external provider, or an API client. */
export interface Actor {
  readonly subject: string
  readonly issuer: string | null
}

const dayMs = 86_400_000

export function createPersons({ db, clock, url }: Pick<Services, 'db' | 'clock' | 'url'>) {
  const isClient = ({ issuer }: Actor) => issuer === url
  // Whatever the realm was called.
  const isAccount = (issuer: string | null) => issuer?.startsWith(`${url}/auth/realms/`)

  /** An API client acts for those who made or changed it; all others act for themselves. */
  async function listBehind(actor: Actor, since = 0): Promise<readonly Actor[]> {
    if (!isClient(actor)) return [actor]
    const { subject, issuer } = audit
    return db
      .select({ subject, issuer })
      .from(audit)
      .where(and(isAboutClient(actor.subject), gt(audit.at, since)))
      .groupBy(subject, issuer)
  }

  /** Whether another account has added or changed this one lately: both may be one person. */
  async function isNewAccount(subject: string, since: number): Promise<boolean> {
    const byOthers = and(
      ...[eq(audit.kind, 'administrator'), eq(audit.id, subject)],
      not(isByServer),
      inArray(audit.operation, accountChanges),
      gt(audit.at, since),
    )
    return (await db.$count(audit, byOthers)) > 0
  }

  return {
    isClient,

    /** Whether it is an account that another one has lately added or changed, or an API client that such an account has. */
    async isNew(actor: Actor): Promise<boolean> {
      const since = clock() - approverDays * dayMs
      for (const { subject, issuer } of await listBehind(actor, since)) {
        // A user of an external provider can have the same name.
        if (isAccount(issuer) && (await isNewAccount(subject, since))) return true
      }
      return false
    },

    /** Whether one person has made both, or is one and has made the other. */
    async areOne(one: Actor, other: Actor): Promise<boolean> {
      if (isSameActor(one, other)) return true
      if (!isClient(one) && !isClient(other)) return false
      const [ofOne, ofOther] = await Promise.all([listBehind(one), listBehind(other)])
      return ofOne.some((actor) => ofOther.some((another) => isSameActor(actor, another)))
    },

    /** Whether an API client was changed, or got or lost a credential, behind an entry of the audit. */
    async isChangedSince({ subject }: Actor, sequence: number): Promise<boolean> {
      const later = and(isAboutClient(subject), gt(audit.sequence, sequence))
      return (await db.$count(audit, later)) > 0
    },
  }
}

export const isSameActor = (one: Actor, other: Actor): boolean =>
  one.subject === other.subject && one.issuer === other.issuer

const isAboutClient = (id: string) => and(eq(audit.kind, 'api-client'), eq(audit.id, id))

/** By the command on the server: an account can have that name, too, but its requests have IDs. */
const isByServer = and(eq(audit.subject, 'local'), isNull(audit.requestId)) as SQL

/** What gives an account to someone else: it cannot be done to your own. */
const accountChanges = ['addAdministrator', 'setPassword', 'changeRole', 'resetSecondFactor']
