/** Rollouts of a seeded service: one of each state, and what is known of the devices of the running one; and a group, with which one begins. */
import { randomUUID } from 'node:crypto'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { withDatabase } from '../harness/stored-data.ts'

const hourMs = 3_600_000

type Stage = Readonly<Record<string, string | number>>

const stages: readonly Stage[] = [
  { share: 1, holdS: 172_800 },
  { share: 10, holdS: 172_800 },
  { share: 50, holdS: 86_400 },
  { share: 100, holdS: 86_400 },
]

/** The outcomes of the devices of each group, one after the other. */
const outcomes = {
  reached: ['success', 'success', 'success', 'success', 'fault', 'success', null, 'went-back'],
  control: ['success', 'success', null, 'success'],
} as const

/** How a rollout went that works, day by day. */
const createWeek = () =>
  [0, 2, 2, 6, 12, 18, 20].map((offered, day) => {
    const installed = Math.floor(offered * 0.9)
    const failures = Math.floor(installed * 0.12)
    const successes = Math.max(0, installed - failures - 1)
    const silent = day > 4 ? 1 : 0
    return {
      offered,
      installed,
      successes,
      failures,
      silent,
      ratio: [0, 0, -0.2, 0.4, 0.1, -0.6, -0.9][day],
    }
  })

/** How one went whose version fails, hour by hour. */
const createBadDay = () =>
  Array.from({ length: 12 }, (_, hour) => {
    const offered = Math.min(16, 2 * hour)
    const installed = Math.max(0, offered - 3)
    const failures = Math.floor(installed / 2)
    const successes = Math.floor((installed - failures) / 2)
    return {
      offered,
      installed,
      successes,
      failures,
      silent: 0,
      ratio: Math.round(hour * hour * 6) / 100,
    }
  })

/** Needs the devices of `storeFleet`. */
export async function createRollouts({
  admin,
  registerVersion,
  ...service
}: DistributionService): Promise<{
  readonly rollout: string
  readonly draftRollout: string
  readonly haltedRollout: string
  readonly group: string
  readonly unusedGroup: string
}> {
  const create = async (version: string, flag: string, first: readonly Stage[] = []) => {
    const id = randomUUID()
    await registerVersion(version)
    await admin('PUT', `/v3/rollouts/${id}`, { version, flag, stages: [...first, ...stages] })
    return id
  }
  const start = (id: string) =>
    admin('PUT', `/v3/rollouts/${id}/state?maxReach=999999&force=true`, { state: 'running' })
  const haltedRollout = await create('4.3.0', 'recommended')
  await start(haltedRollout)
  const rollout = await create('4.3.1', 'recommended')
  await start(rollout)
  const [group, unusedGroup] = [randomUUID(), randomUUID()]
  const rules = [
    { hostnames: ['front-desk-*', 'branch-00*'], platforms: ['UNIX'] },
    { tags: ['kiosk', 'berlin'] },
  ]
  await admin('PUT', `/v3/groups/${group}`, { name: 'Front desks', rules, priority: 10 })
  const unused = { name: 'Tills', rules: [{ tags: ['till'] }], priority: 0 }
  await admin('PUT', `/v3/groups/${unusedGroup}`, unused)
  const draftRollout = await create('4.4.0', 'mandatory', [
    { share: 50, holdS: 86_400, group },
    { share: 100, holdS: 86_400, group },
  ])
  // One that a rollout can be created for.
  await registerVersion('4.5.0')
  await storeEvidence(service, rollout, haltedRollout)
  return { rollout, draftRollout, haltedRollout, group, unusedGroup }
}

const storeEvidence = (
  service: Pick<DistributionService, 'database' | 'folder'>,
  rollout: string,
  haltedRollout: string,
): Promise<void> =>
  withDatabase(service, async ({ run }) => {
    const now = Date.now()
    await run('update rollouts set stage = 1, stage_at = ? where id = ?', now - hourMs, rollout)
    const halt = {
      ...{ at: now - hourMs, subject: 'local', issuer: null, name: 'Cardwire' },
      test: { ratio: 7.2, failures: 6, tested: 11 },
    }
    await run(
      "update rollouts set state = 'halted', halt = ? where id = ?",
      ...[JSON.stringify(halt), haltedRollout],
    )
    const hour = Math.floor(now / hourMs)
    for (const [id, step, counts] of [
      ...[[rollout, 24, createWeek()] as const],
      ...[[haltedRollout, 1, createBadDay()] as const],
    ])
      for (const [at, one] of counts.entries())
        await run(
          'insert into rollout_hours (rollout_id, hour, counts) values (?, ?, ?)',
          ...[id, hour - (counts.length - 1 - at) * step, JSON.stringify(one)],
        )
    for (let index = 0; index < 40; index += 1) {
      const arm = index < 20 ? 'reached' : 'control'
      const outcome = outcomes[arm][index % outcomes[arm].length]
      await run(
        `insert into rollout_devices (rollout_id, device_id, arm, stage, since, seen_at, faults, installed_at, outcome)
         values (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), nullif(?, ''))`,
        rollout,
        `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        ...[arm, arm === 'reached' ? index % 2 : 1, now - 140 * hourMs],
        ...[now - (index % 7 === 3 ? 130 : 2) * hourMs, '[]'],
        arm === 'reached' && index % 8 !== 6 ? now - 135 * hourMs : 0,
        outcome ?? '',
      )
    }
  })
