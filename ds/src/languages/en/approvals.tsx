/** The texts of changes that need a second administrator. */
import type { Child } from 'hono/jsx'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('en-US')

export const approvals = {
  title: 'Approvals',
  about:
    'These changes affect so many devices that another administrator or publisher has to approve them. A request expires after 24 hours.',
  empty: 'No changes are pending approval.',
  requested: (who: string, time: Child) => (
    <>
      Requested by {who}, {time}.
    </>
  ),
  expires: (time: Child) => <>Expires {time}.</>,
  reach: (devices: number) =>
    `When it was requested, it would have affected ${count(devices, 'device', 'devices')}.`,
  reachNow: (devices: number) => `It would now affect ${count(devices, 'device', 'devices')}.`,
  changedSince:
    'Versions, rollouts, groups, configurations or installers have changed since. The change has to be requested again.',
  own: 'Another administrator or publisher has to approve it.',
  state: (state: string) => `New status: ${state}`,
  approve: 'Approve',
  decline: 'Decline',
  cancel: 'Cancel request',
  next: 'Review changes pending approval',
}
