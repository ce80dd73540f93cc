/** The texts of the screen of the signing keys. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('en-US')

export const signingKeys = {
  title: 'Signing keys',
  /** `overlap`: a duration, such as `24 hours`. */
  about: (overlap: string) =>
    `Rotating a key causes no downtime. The service publishes a new key first, and starts signing with it after an overlap period of ${overlap}. Revoke a key only if it may be compromised.`,
  empty: 'No keys yet. The first key is created when it’s needed.',
  columns: {
    id: 'ID',
    status: 'Status',
    algorithm: 'Algorithm',
    created: 'Created',
    signsFrom: 'Starts signing',
    actions: 'Actions',
  },
  states: {
    standby: 'Standby',
    announced: 'Announced',
    signing: 'Signing',
    retiring: 'Retiring',
  },
  stateMeanings: {
    standby: 'Published, but not used yet. It signs as soon as you revoke the key in use.',
    announced: 'Published. It starts signing at the time shown.',
    signing: 'Signs now.',
    retiring: 'No longer signs. What it signed is still accepted during the overlap period.',
  },
  /** What the keys of a use sign. `name`: what you type to confirm; `affected`: who verifies with them. */
  uses: {
    application: {
      name: 'application',
      title: 'Application tokens',
      about: 'Connectors verify the application tokens of web pages with these keys.',
      caption: 'Keys for application tokens',
      rotate: 'Rotate application key',
      rotateTitle: 'Rotate the key for application tokens',
      affected: (applications: number) =>
        applications === 0
          ? 'no applications (none requested tokens since yesterday)'
          : count(
              applications,
              'application that requested tokens since yesterday',
              'applications that requested tokens since yesterday',
            ),
      uses: (uses: number, mark: Wrap) => (
        <>
          Affected pages used card readers{' '}
          {mark(`${format(uses)} ${uses === 1 ? 'time' : 'times'}`)} in the last 30 days.
        </>
      ),
    },
    administrator: {
      name: 'administrator',
      title: 'Administrator access tokens',
      about:
        'The service verifies the access tokens of administrators and their programs with these keys.',
      caption: 'Keys for administrator access tokens',
      rotate: 'Rotate administrator key',
      rotateTitle: 'Rotate the key for administrator access tokens',
      affected: (sessions: number) => count(sessions, 'open session', 'open sessions'),
    },
    reply: {
      name: 'reply',
      title: 'Replies to connectors',
      about: 'Connectors follow a policy only if it is signed with one of these keys.',
      caption: 'Keys for replies to connectors',
      rotate: 'Rotate reply key',
      rotateTitle: 'Rotate the key for replies to connectors',
      affected: (devices: number) => count(devices, 'device', 'devices'),
    },
  },
  rotation: {
    button: 'Rotate key',
    about: (affected: Child, overlap: string) => (
      <>
        The new key is published now and starts signing in {overlap}. The old key stays published
        for another {overlap} after that, so the change causes no downtime. Affects {affected}.
      </>
    ),
    wayBack: 'To undo this, revoke the announced key before it starts signing.',
  },
  revocation: {
    /** `hide`: for what only screen readers say. */
    link: (hide: Wrap, id: string) => <>Revoke{hide(` key ${id}`)}</>,
    title: (id: string) => `Revoke key ${id}`,
    button: 'Revoke key',
    about: (use: string, state: string, created: Child) => (
      <>
        {use}. Status: {state}. Created {created}.
      </>
    ),
    effect: (affected: Child) => <>Everything it signed becomes invalid. Affects {affected}.</>,
    successor: 'The announced key, or a new one, starts signing immediately.',
    /** Of keys that devices verify with; `devices`: those that do not know the next one. */
    successorKnown: (created: Child, devices: number, setting: Child, mark: Wrap) => (
      <>
        The next key was created {created}.{' '}
        {devices === 0 ? (
          'All devices have synced since then and trust it.'
        ) : (
          <>
            {mark(count(devices, 'device hasn’t synced', 'devices haven’t synced'))} since then.{' '}
            {devices === 1 ? 'It won’t' : 'They won’t'} trust the service until you set {setting} on{' '}
            {devices === 1 ? 'it' : 'them'}.
          </>
        )}
      </>
    ),
    spare:
      'A new key takes its place, and devices learn about it at their next sync. Don’t revoke the key in use before then, or devices won’t trust the service.',
  },
}
