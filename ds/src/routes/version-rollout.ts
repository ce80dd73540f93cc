/** A version cannot be changed in ways that its rollout decides about. */
import { Problem, type RolloutState } from '@cardwire/protocol'
import { and, eq, inArray, ne, not, type SQL } from 'drizzle-orm'
import { exists } from '../db/audit.ts'
import { readOpenRollouts } from '../db/rollouts.ts'
import { rollouts } from '../db/schema.ts'
import type { Services } from '../services.ts'

interface Deciding {
  /** Which rollouts of the version matter: those that are not finished, unless it says less. */
  readonly states?: readonly RolloutState[]
  readonly advice?: string
}

/** Those that offer the version now. */
export const offeringOnly: Deciding = { states: ['running', 'paused'], advice: 'halt' }

/** Throws `version-in-rollout` while a rollout decides which devices get a version. */
export async function requireNoRollout(
  { db }: Pick<Services, 'db'>,
  id: string,
  action: string,
  { states, advice }: Deciding = {},
): Promise<void> {
  const open = (await readOpenRollouts(db)).find(
    ({ versionId, state }) => versionId === id && (states === undefined || states.includes(state)),
  )
  if (open) throw createRolloutProblem(id, action, `rollout "${open.id}"`, advice)
}

/** The same, for the batch of a change: whether no rollout decides by then. */
export const isWithoutRollout = (id: string, { states }: Deciding = {}): SQL => {
  const isOpen = states ? inArray(rollouts.state, [...states]) : ne(rollouts.state, 'finished')
  return not(exists(rollouts, and(eq(rollouts.versionId, id), isOpen)))
}

export const createRolloutProblem = (
  id: string,
  action: string,
  rollout = 'a rollout',
  advice = 'finish or remove',
) =>
  new Problem(
    'version-in-rollout',
    `Cannot ${action} version "${id}": ${rollout} decides which devices get it, ${advice} that first`,
  )
