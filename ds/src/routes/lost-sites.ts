/** Which sites devices lose when they update to a version with another allowlist. */
import {
  type LostSites,
  maxLostSites,
  prepareAllowlist,
  type VerdictChange,
} from '@cardwire/protocol'
import { and, eq, sql } from 'drizzle-orm'
import { configurations } from '../db/schema.ts'
import type { Services } from '../services.ts'

/** Of very many versions those that most devices have: each pair reads two allowlists. */
const maxPairs = 20

interface Pair {
  readonly from: string
  readonly to: string
  readonly count: number
}

/** `toAllowlist`: the version whose allowlist a version has, or gets with the change. */
export async function findLostSites(
  { reader }: Pick<Services, 'reader'>,
  changes: readonly VerdictChange[],
  toAllowlist: (version: string) => string | undefined,
): Promise<LostSites> {
  const devices = new Map<string, number>()
  for (const [to, pairs] of Map.groupBy(listPairs(changes, toAllowlist), (pair) => pair.to)) {
    const isAllowed = prepareAllowlist(await readOrigins(reader, to))
    for (const { from, count } of pairs) {
      for (const origin of await readOrigins(reader, from)) {
        // A wildcard, too, is allowed by one above it.
        if (isAllowed(origin)) continue
        devices.set(origin, (devices.get(origin) ?? 0) + count)
      }
    }
  }
  const sorted = [...devices].sort(
    ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
  )
  return {
    total: sorted.length,
    items: sorted.slice(0, maxLostSites).map(([origin, count]) => ({ origin, devices: count })),
  }
}

/** The devices of all systems that update from one allowlist to another, the most first. */
function listPairs(
  changes: readonly VerdictChange[],
  toAllowlist: (version: string) => string | undefined,
): readonly Pair[] {
  const pairs = new Map<string, Pair>()
  for (const { version, target, count } of changes) {
    const from = toAllowlist(version)
    const to = target === undefined ? undefined : toAllowlist(target)
    if (from === undefined || to === undefined || from === to) continue
    const key = JSON.stringify([from, to])
    pairs.set(key, { from, to, count: count + (pairs.get(key)?.count ?? 0) })
  }
  return [...pairs.values()].sort((one, other) => other.count - one.count).slice(0, maxPairs)
}

async function readOrigins(
  reader: Services['reader'],
  versionId: string,
): Promise<ReadonlySet<string>> {
  const rows = await reader
    .select({ value: sql<string>`entry.value` })
    .from(
      sql`${configurations}, ${reader.sqlDialect.eachText(configurations.config, 'cors')} as entry`,
    )
    .where(
      and(
        eq(configurations.versionId, versionId),
        eq(configurations.type, 'CONTEXT_CONFIG'),
        eq(configurations.groupId, ''),
      ),
    )
  return new Set(rows.map(({ value }) => value))
}
