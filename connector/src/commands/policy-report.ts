/** The end of the policy in words, for the doctor and for `cardwire sync`. */
import type { SyncState } from '@cardwire/protocol/connector-sync'
import type { Finding } from './doctor/finding.ts'

type PolicyStatus = NonNullable<SyncState['policy']>

/** undefined: there is nothing to do. */
export function toPolicyFinding({ state, until }: PolicyStatus): Required<Finding> | undefined {
  const day = `${until.slice(0, 10)} at ${until.slice(11, 16)} UTC`
  const remedy = 'connect this computer to the service, then run: cardwire sync'
  if (state === 'expired')
    return {
      level: 'bad',
      code: 'policy-expired',
      what: `the policy of the service ended on ${day}; pages are rejected until a sync succeeds`,
      remedy,
    }
  return state === 'ending'
    ? {
        level: 'note',
        code: 'policy-ending',
        what: `the policy of the service ends on ${day}; pages are then rejected, unless a sync succeeds before that`,
        remedy,
      }
    : undefined
}
