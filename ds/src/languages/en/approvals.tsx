/** The texts of changes that need a second administrator. */
import type { Child } from 'hono/jsx'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('en-US')

export const approvals = {
  title: 'Approvals',
  about:
    'These changes affect so many devices that a second administrator or publisher has to approve them. A request expires after 24 hours.',
  empty: 'No changes are pending approval.',
  requested: (who: string, time: Child) => (
    <>
      Requested by {who}, {time}.
    </>
  ),
  expires: (time: Child) => <>Expires {time}.</>,
  reach: (devices: number) =>
    `When it was requested, ${count(devices, 'device was', 'devices were')} affected.`,
  reachNow: (devices: number) => `Now, ${count(devices, 'device is', 'devices are')} affected.`,
  changedSince:
    'Versions, rollouts, groups, configurations or installers have changed since. The change has to be requested again.',
  own: 'Another administrator or publisher has to approve it.',
  state: (state: string) => `New status: ${state}`,
  approve: 'Approve',
  decline: 'Decline',
  cancel: 'Cancel request',
  next: 'Review changes pending approval',
}
