/** Counts the devices that use a label in a month, each once: by a hash with a key of the month. */
import type { CounterBatch } from '@cardwire/protocol'
import { eq, type SQL, sql } from 'drizzle-orm'
import { sealed } from '../auth/keys/sealed.ts'
import type { Database } from '../db/database.ts'
import { useDevices, useKeys } from '../db/schema.ts'
import { base64ToBytes, bytesToBase64, bytesToBase64url } from '../rules/encoding.ts'
import { toFirstOpenMonth } from '../rules/months.ts'
import type { Services } from '../services.ts'

/** That a device has used a label in a month. */
export interface UsedLabel {
  readonly month: string
  readonly hash: string
  readonly label: string
}

/** A device counts for so many labels a month; what it reports at once may be as many more. */
const maxLabels = 100

/** Of SHA-256: as good as never the same for two devices. */
const hashBytes = 16

/** The current month, the one before, and the next one of a clock that is ahead. */
const maxKeys = 3

/** Lists what a device has used in the months whose devices are counted, once each. `toCountedDay`: the day that an entry counts for. */
type ListUsedLabels = (
  fingerprint: string,
  batches: readonly CounterBatch[],
  now: number,
  toCountedDay: (day: string) => string,
) => Promise<readonly UsedLabel[]>

/** The hash is of the device's key, which stays when the device is deleted and registers again. */
export function createUseListing(
  services: Pick<Services, 'db' | 'vault' | 'random'>,
): ListUsedLabels {
  const readKey = createKeyReader(services)

  return async (fingerprint, batches, now, toCountedDay) => {
    const months = listLabels(batches, toFirstOpenMonth(now), toCountedDay)
    const used = [...months].map(async ([month, names]) => {
      const hash = await hashDevice(await readKey(month), fingerprint)
      return [...names].slice(0, maxLabels).map((label) => ({ month, hash, label }))
    })
    return (await Promise.all(used)).flat()
  }
}

/** The labels of each month. */
function listLabels(
  batches: readonly CounterBatch[],
  firstMonth: string,
  toCountedDay: (day: string) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const months = new Map<string, Set<string>>()
  for (const { day, label } of batches.flatMap(({ entries }) => entries)) {
    const month = toCountedDay(day).slice(0, 7)
    if (month < firstMonth) continue
    const names = months.get(month) ?? new Set()
    months.set(month, names.add(label))
  }
  return months
}

/** Several processes that need the key of a new month at once get the same. */
function createKeyReader({ db, vault, random }: Pick<Services, 'db' | 'vault' | 'random'>) {
  const keys = new Map<string, CryptoKey>()

  return async (month: string): Promise<CryptoKey> => {
    const known = keys.get(month)
    if (known) return known
    const row = sealed.monthKey.toRow(month)
    const find = () => db.select().from(useKeys).where(eq(useKeys.month, month))
    let [found] = await find()
    if (!found) {
      const key = await vault.wrap(bytesToBase64(random.bytes(32)), row)
      await db.insert(useKeys).values({ month, key }).onConflictDoNothing()
      ;[found] = await find()
    }
    if (!found) throw new Error(`Cannot read the key of ${month}`)
    const bytes = base64ToBytes(await vault.unwrap(found.key, row))
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
    keys.set(month, key)
    for (const old of [...keys.keys()].toSorted().slice(0, -maxKeys)) keys.delete(old)
    return key
  }
}

async function hashDevice(key: CryptoKey, fingerprint: string): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(fingerprint))
  return bytesToBase64url(new Uint8Array(signature).subarray(0, hashBytes))
}

/** The statement that stores what is not stored yet, of labels that are registered. */
export function createUseStatement(
  db: Database,
  used: readonly UsedLabel[],
  { isCounted, isKnownLabel }: { isCounted: SQL; isKnownLabel: (label: SQL) => SQL },
) {
  const field = (name: keyof UsedLabel) => sql.raw(`used.value ->> '${name}'`)
  const { month, hash } = useDevices
  const ofDevice = sql`${month} = ${field('month')} and ${hash} = ${field('hash')}`
  return db
    .insert(useDevices)
    .select(sql`
      select ${field('month')}, ${field('hash')}, ${field('label')}
      from ${db.sqlDialect.eachObject(JSON.stringify(used))} as used
      where ${isCounted} and ${isKnownLabel(field('label'))}
        and (select count(*) from ${useDevices} where ${ofDevice}) < ${maxLabels}`)
    .onConflictDoNothing()
}
