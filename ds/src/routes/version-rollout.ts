/** A version cannot be changed in ways that its rollout decides about. */
import { Problem } from '@cardwire/client/protocol'
import { type RolloutRow, readOpenRollouts } from '../db/rollouts.ts'
import { isOffering } from '../rules/rollout.ts'
import type { Services } from '../services.ts'

interface Deciding {
  /** Which rollouts of the version matter. */
  readonly decides?: (rollout: RolloutRow) => boolean
  readonly advice?: string
}

/** Those that offer the version now. */
export const offeringOnly: Deciding = { decides: isOffering, advice: 'halt' }

/** Throws `version-in-rollout` while a rollout decides which devices get a version. */
export async function requireNoRollout(
  { db }: Pick<Services, 'db'>,
  id: string,
  action: string,
  { decides = () => true, advice = 'finish or remove' }: Deciding = {},
): Promise<void> {
  const open = (await readOpenRollouts(db)).find(
    (rollout) => rollout.versionId === id && decides(rollout),
  )
  if (open)
    throw new Problem(
      'version-in-rollout',
      `Cannot ${action} version "${id}": rollout "${open.id}" decides which devices get it, ${advice} that first`,
    )
}
