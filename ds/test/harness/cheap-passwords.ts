/** Password hashes that take no time. A hash holds its cost, so a service with the real cost verifies them too. */
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { webRandom } from '../../src/assemble.ts'
import { createScryptPasswords } from '../../src/auth/identity/password.ts'
import { withDatabase } from './stored-data.ts'

export const cheapPasswords = createScryptPasswords(webRandom, { N: 2 ** 4, r: 8, p: 1 })

/** Gives the first administrator a cheap hash of the same password. A Worker creates its first one with its first request. */
export async function makeAdministratorCheap(
  service: Pick<DistributionService, 'database' | 'folder'>,
): Promise<void> {
  const hash = await cheapPasswords.hash(administrator.password)
  await withDatabase(service, ({ run }) =>
    run('update administrators set password_hash = ? where name = ?', hash, administrator.name),
  )
}
