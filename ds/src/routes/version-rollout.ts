/** A version cannot be changed in ways that its rollout decides about. */
import { Problem } from '@cardwire/client/protocol'
import { readOpenRollouts } from '../db/rollouts.ts'
import type { Services } from '../services.ts'

/** Throws `version-in-rollout` while a rollout decides which devices get a version. */
export async function requireNoRollout(
  { db }: Pick<Services, 'db'>,
  id: string,
  action: string,
): Promise<void> {
  const open = (await readOpenRollouts(db)).find(({ versionId }) => versionId === id)
  if (open)
    throw new Problem(
      'version-in-rollout',
      `Cannot ${action} version "${id}": rollout "${open.id}" decides which devices get it, finish or remove that first`,
    )
}
