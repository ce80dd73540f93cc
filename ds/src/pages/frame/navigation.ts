/** The screens that the side of every page leads to, in groups. */
import type { Role } from '@cardwire/protocol'
import type { Texts } from '../../languages/en/catalog.ts'

export interface NavigationLink {
  /** Below `/admin/`; empty for the overview. */
  readonly to: string
  /** The screen whose title it has. */
  readonly title: ScreenName
  /** The least role that its screen is for; every role when absent. */
  readonly role?: Role
}

/** The parts of the catalog that are texts of a screen. */
type ScreenName = {
  [Name in keyof Texts]: Texts[Name] extends { readonly title: string } ? Name : never
}[keyof Texts]

export const navigation: readonly {
  readonly group: keyof Texts['frame']['groups']
  readonly links: readonly NavigationLink[]
}[] = [
  {
    group: 'fleet',
    links: [
      { to: '', title: 'overview' },
      { to: 'devices', title: 'devices' },
      { to: 'refusals', title: 'refusals' },
    ],
  },
  {
    group: 'releases',
    links: [
      { to: 'versions', title: 'versions' },
      { to: 'rollouts', title: 'rollouts' },
      { to: 'groups', title: 'groups' },
      { to: 'configurations', title: 'configurations' },
      { to: 'installers', title: 'installers' },
      { to: 'keystore', title: 'keystore' },
    ],
  },
  {
    group: 'applications',
    links: [
      { to: 'organizations', title: 'organizations' },
      { to: 'labels', title: 'labels' },
      { to: 'use', title: 'use' },
    ],
  },
  {
    group: 'service',
    links: [
      { to: 'audit', title: 'audit' },
      { to: 'signing-keys', title: 'signingKeys' },
      { to: 'webhooks', title: 'webhooks', role: 'administrator' },
      { to: 'administrators', title: 'administrators', role: 'administrator' },
      { to: 'api-clients', title: 'apiClients', role: 'administrator' },
    ],
  },
]
