/** The screens that the side of every page leads to, in groups. */

import type { Role } from '@cardwire/client/protocol'

export interface NavigationLink {
  /** Below `/admin/`; empty for the overview. */
  readonly to: string
  readonly text: string
  /** The least role that its screen is for; every role when absent. */
  readonly role?: Role
  /** Of the accounts that the service itself keeps: an external provider has others. */
  readonly isOfAccounts?: true
}

export const navigation: readonly {
  readonly title: string
  readonly links: readonly NavigationLink[]
}[] = [
  {
    title: 'Fleet',
    links: [
      { to: '', text: 'Overview' },
      { to: 'devices', text: 'Devices' },
      { to: 'refusals', text: 'Refused registrations' },
    ],
  },
  {
    title: 'Releases',
    links: [
      { to: 'versions', text: 'Versions' },
      { to: 'configurations', text: 'Configurations' },
      { to: 'installers', text: 'Installers' },
      { to: 'keystore', text: 'Keystore' },
    ],
  },
  {
    title: 'Applications',
    links: [
      { to: 'organizations', text: 'Organizations' },
      { to: 'labels', text: 'Labels' },
      { to: 'use', text: 'Use' },
    ],
  },
  {
    title: 'Service',
    links: [
      { to: 'audit', text: 'Audit' },
      { to: 'signing-keys', text: 'Signing keys' },
      { to: 'administrators', text: 'Administrators', role: 'administrator', isOfAccounts: true },
    ],
  },
]
