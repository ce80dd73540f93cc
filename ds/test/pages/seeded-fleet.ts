/** The past of a seeded service, which no request can make: devices of many days, their use, downloads. */
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { type StoredData, withDatabase } from '../harness/stored-data.ts'

const dayMs = 86_400_000
/** What the devices have, over and over. */
const versions = ['4.0.0', '4.1.0', '4.2.0', '4.2.0', '4.2.0', '4.1.0', '4.2.0', '4.2.0'] as const
const platforms = ['UNIX', 'WIN64', 'MACOSARM'] as const

/** Stores a month: copies of a device, what was seen on each day, what a label used. */
export const storeFleet = (
  service: Pick<DistributionService, 'database' | 'folder'>,
  device: string,
  label: string,
): Promise<void> =>
  withDatabase(service, async (data) => {
    for (let index = 0; index < 60; index++) await storeCopy(data, device, index)
    for (let age = 29; age >= 0; age--) await storeDay(data, age, label)
  })

async function storeCopy({ run }: StoredData, device: string, index: number): Promise<void> {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  const isSilent = index % 15 === 7
  await run(
    `insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
       registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, verdict, faults)
     select ?, ?, key, ?, ?, ?, "user", ?, ?, 1,
       registered_at, created_at - ?, asserted_at, last_seen_at - ?, last_seen_day - ?, revision, verdict, faults
     from devices where id = ?`,
    id,
    `seeded-${String(index).padStart(36, '0')}`,
    versions[index % versions.length] ?? '4.2.0',
    platforms[index % 3] ?? 'UNIX',
    JSON.stringify({ hostname: `branch-${String(index + 1).padStart(3, '0')}.bank.example` }),
    index % 20 === 3 ? 1 : 0,
    index % 12 === 5 ? 0 : 1,
    20 * dayMs,
    isSilent ? 12 * dayMs : (index % 5) * 3_600_000,
    isSilent ? 12 : 0,
    device,
  )
}

/** Of the day so many days ago. */
async function storeDay({ run }: StoredData, age: number, label: string): Promise<void> {
  const at = Date.now() - age * dayMs
  const day = new Date(at).toISOString().slice(0, 10)
  const moved = 29 - age
  if (age > 0) {
    const counts = {
      '4.0.0': 48 - Math.round(moved * 1.3),
      '4.1.0': 12 + (moved % 4),
      '4.2.0': 1 + Math.round(moved * 1.2),
    }
    for (const [version, count] of Object.entries(counts)) {
      await run(
        'insert into fleet_days (day, version, platform, count) values (?, ?, ?, ?)',
        ...[Math.floor(at / dayMs), version, 'UNIX', count],
      )
    }
  }
  for (const [module, useCase] of [
    ['beid', 'identity-read'],
    ['beid', 'authentication'],
    ['openpgp', 'signature'],
  ] as const) {
    const count = 120 + ((moved * 37) % 90) - (moved % 7 > 4 ? 100 : 0)
    await run(
      'insert into counters (day, label, module, use_case, tag, count) values (?, ?, ?, ?, ?, ?)',
      ...[day, label, module, useCase, 'till', useCase === 'signature' ? 20 + moved : count],
    )
  }
  await run(
    'insert into downloads (version_id, os, day, count) values (?, ?, ?, ?)',
    ...['4.2.0', platforms[age % 3] ?? 'UNIX', day, 3 + (moved % 6)],
  )
}
