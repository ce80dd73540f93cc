/** What the service has stored, as the model compares it with what it was told. */
import type { Policy } from './connector-code.ts'
import type { Storage } from './service-database.ts'

/** Administrators number their policies: the only origin that a policy of the simulation allows has the number. */
export const originOf = (revision: number) => `https://r${revision}.example`
export const revisionOf = ({ cors }: Pick<Policy, 'cors'>): number =>
  Number(/r(\d+)\./.exec(cors[0] ?? '')?.[1] ?? 0)

export function readStored({ connection }: Storage) {
  const devices = connection
    .query<{ id: string; blocked: number }, []>('SELECT id, blocked FROM devices')
    .all()
  const policies = connection
    .query<{ version: string; config: string }, []>(
      `SELECT version_id AS version, config FROM configurations WHERE type = 'CONTEXT_CONFIG'`,
    )
    .all()
  const keys = connection.query<{ id: string }, []>('SELECT id FROM signing_keys').all()
  return {
    blocked: new Map(devices.map(({ id, blocked }) => [id, blocked === 1])),
    revisions: new Map(
      policies.map(({ version, config }) => [version, revisionOf(JSON.parse(config))]),
    ),
    keys: new Set(keys.map(({ id }) => id)),
  }
}

export const readCounters = ({ connection }: Storage): readonly (readonly [string, number])[] =>
  connection
    .query<{ tag: string; count: number }, []>(
      'SELECT tag, sum(count) AS count FROM counters GROUP BY tag',
    )
    .all()
    .map(({ tag, count }) => [tag, count])
