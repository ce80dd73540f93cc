/** Rotates the reply keys of a real service, without waiting for days. */
import { Database } from 'bun:sqlite'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'

export const dayMs = 86_400_000

export const listReplyKeys = async (
  service: DistributionService,
): Promise<{ id: string; state: string }[]> =>
  (await service.admin('GET', '/v3/signing-keys')).filter(
    ({ use }: { use: string }) => use === 'reply',
  )

/** The id of the one in this state: the fingerprint. */
export const findKeyId = async (service: DistributionService, state: string): Promise<string> =>
  (await listReplyKeys(service)).find((key) => key.state === state)?.id ?? ''

export const announceKey = (service: DistributionService) =>
  service.admin('POST', '/v3/signing-keys', { use: 'reply' })

/** Lets time pass for the signing keys of the service: they begin, and end, that much earlier. */
export async function passTime(service: DistributionService, ms: number): Promise<void> {
  await service.pause()
  const database = new Database(service.database)
  // The ones that stand by have the last day there is.
  database.run('UPDATE signing_keys SET signs_from = signs_from - ? WHERE signs_from < ?', [
    ms,
    Date.UTC(9999, 0),
  ])
  database.close()
  await service.resume()
}

/** From the announcement until the key before is gone. */
export async function rotateKey(service: DistributionService): Promise<void> {
  await announceKey(service)
  await passTime(service, 2 * dayMs + 1000)
}
