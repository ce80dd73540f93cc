/** Tells administrators whom a change reaches, before they make it. */
import {
  getConfigurationReach,
  getLabelReach,
  getOrganizationReach,
  getSigningKeyReach,
  getVersionConfigurationReach,
  getVersionReach,
  type Platform,
} from '@cardwire/protocol'
import { and, desc, eq } from 'drizzle-orm'
import { configurations, labels, organizations, revisions, versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import {
  createConfigurationUnknownProblem,
  createLabelUnknownProblem,
  createOrganizationUnknownProblem,
  createVersionUnknownProblem,
  requirePrecedence,
} from '../rules/problems.ts'
import type { PlannedInstaller } from '../rules/same-installer.ts'
import type { Services } from '../services.ts'
import {
  countUses,
  readConfigurationReach,
  readLabelIds,
  readVersionReach,
} from './count-affected.ts'
import { readSigningKeyReach } from './tokens.ts'

/** A version that is registered without a word about it. */
const unmarked = { recommended: false, mandatory: false, allowed: true, uris: [] } as const

export function bindAffectedRoutes(bind: Bind, services: Services): void {
  const { db } = services

  bind(getVersionReach, async ({ params: { id }, query }) => {
    requirePrecedence(id)
    const [known] = await db.select().from(versions).where(eq(versions.id, id))
    if (query.remove && !known) throw createVersionUnknownProblem(id)
    const { recommended, mandatory, allowed, uris } = known ?? unmarked
    const planned = {
      id,
      recommended: query.recommended ?? recommended,
      mandatory: query.mandatory ?? mandatory,
      allowed: query.allowed ?? allowed,
      uris: planInstallers(uris, query),
      copyFrom: query.copyFrom,
    }
    return { data: await readVersionReach(services, id, query.remove ? undefined : planned) }
  })

  bind(getConfigurationReach, async ({ params: { id } }) => {
    const [row] = await db.select().from(configurations).where(eq(configurations.id, id))
    // One that was removed can be restored.
    const found = row ?? (await findRemoved(services, id))
    if (!found) throw createConfigurationUnknownProblem(id)
    return {
      data: await readConfigurationReach(
        services,
        found.versionId,
        [found.type],
        found.groupId ?? '',
      ),
    }
  })

  bind(getVersionConfigurationReach, async ({ params: { id }, query: { type, groupId } }) => {
    if ((await db.$count(versions, eq(versions.id, id))) === 0)
      throw createVersionUnknownProblem(id)
    return { data: await readConfigurationReach(services, id, type ? [type] : [], groupId ?? '') }
  })

  bind(getOrganizationReach, async ({ params: { id } }) => {
    const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
    if (!row) throw createOrganizationUnknownProblem(id)
    const ids = await readLabelIds(services, id)
    return { data: { reach: ids.length, uses: await countUses(services, ids) } }
  })

  bind(getLabelReach, async ({ params: { id } }) => {
    const [row] = await db.select().from(labels).where(eq(labels.id, id))
    if (!row) throw createLabelUnknownProblem(id)
    const { keyUsedAt } = row
    const reach = await countUses(services, [id])
    return { data: { reach, ...(keyUsedAt !== null && { keyUsedAt }) } }
  })

  bind(getSigningKeyReach, async ({ params: { id } }) => ({
    data: await readSigningKeyReach(services, id),
  }))
}

/** The installers of a version: those of other systems stay as they are. */
function planInstallers(
  known: readonly PlannedInstaller[],
  {
    installers = known.map(({ os }) => os),
    otherInstallers = [],
  }: {
    readonly installers?: readonly Platform[] | undefined
    readonly otherInstallers?: readonly Platform[] | undefined
  },
): PlannedInstaller[] {
  const kept = known.filter(({ os }) => !otherInstallers.includes(os))
  return installers.map((os) => kept.find((one) => one.os === os) ?? { os })
}

/** Of a configuration that was removed: its type, and the version that it belonged to. */
async function findRemoved({ db }: Pick<Services, 'db'>, id: string) {
  const [row] = await db
    .select({
      versionId: revisions.versionId,
      type: revisions.type,
      groupId: revisions.groupId,
    })
    .from(revisions)
    .where(and(eq(revisions.kind, 'configuration'), eq(revisions.id, id)))
    .orderBy(desc(revisions.revision))
    .limit(1)
  const { versionId, type, groupId } = row ?? {}
  return versionId && type ? { versionId, type, groupId } : undefined
}
