/** The texts of the overview. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count } = createNumbers('en-US')

export const overview = {
  title: 'Overview',
  updatedAt: (time: Child) => <>Updated {time}.</>,
  firstSteps: (link: Wrap) => (
    <>
      No connectors have registered yet. Follow the {link('first steps')}: add an organization, an
      application and a version, then install a connector.
    </>
  ),
  whereItAppears: (devices: Wrap, rejections: Wrap) => (
    <>
      Each connector that registers appears under {devices('Devices')}. If one is missing, see{' '}
      {rejections('Rejected registrations')} for the reason.
    </>
  ),
  /** What is counted, without the number. */
  figures: {
    devices: (count: number) => choose(count, 'device', 'devices'),
    faulty: (_count: number) => 'with errors',
    silent: (_count: number) => 'inactive',
    unserved: (_count: number) => 'with a version that isn’t registered',
    waiting: (_count: number) => 'pending approval',
    blocked: (_count: number) => 'blocked',
  },
  nextTitle: 'Next steps',
  next: {
    withoutInstaller: 'Add installers for devices whose connector has stopped',
    unserved: 'Review devices that can’t sync because their version isn’t registered',
    approve: 'Review pending devices',
    faulty: 'Review devices with errors',
    refused: 'Review rejected registrations',
    silent: 'Review inactive devices',
  },
  keystores: {
    link: (version: string) => `Replace the keystore for version ${version}`,
    expires: (time: Child) => <>(expires {time})</>,
    expired: (time: Child) => <>(expired {time})</>,
    more: (others: number) => count(others, 'more keystore', 'more keystores'),
  },
  /** What is wrong with the files that versions and keystore configurations name. */
  files: {
    missing: 'A file that a version or a keystore refers to is missing. The server log names it.',
    unreachable: 'Installers and keystores can’t be read right now. The server log has the reason.',
  },
  allClear: 'All clear. No errors, rejected registrations or pending approvals.',
  /** How far a rollout is. */
  rolloutShare: (share: string) => `${share} of devices`,
  refusedTitle: 'Recent rejections',
  refusal: (time: Child, device: string, reason: string) => (
    <>
      {time}, {device}: {reason}
    </>
  ),
  allRefused: 'All rejected registrations',
  fleet: {
    title: 'Installed versions',
    about: 'Devices by version, per day. Today’s figures are partial.',
    chart: 'Devices seen each day, by version',
    description: (days: number, today: string) =>
      `${count(days, 'day', 'days')}. Today so far: ${today}.`,
    asTable: 'Show as table',
    caption: 'Devices seen, by day and version',
    day: 'Day',
    others: 'Other versions',
  },
}
