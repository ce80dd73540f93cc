/** All texts of the admin console in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'
import { account } from './account.tsx'
import { administrators } from './administrators.tsx'
import { apiClients } from './api-clients.tsx'
import { approvals } from './approvals.tsx'
import { audit } from './audit.tsx'
import { configurations } from './configurations.tsx'
import { devices } from './devices.tsx'
import { documents } from './documents.ts'
import { done } from './done.ts'
import { download } from './download.ts'
import { firstUse } from './first-use.tsx'
import { frame } from './frame.tsx'
import { groups } from './groups.tsx'
import { history } from './history.tsx'
import { installers } from './installers.tsx'
import { keystore } from './keystore.tsx'
import { labels } from './labels.tsx'
import { manyDevices } from './many-devices.tsx'
import { organizations } from './organizations.tsx'
import { overview } from './overview.tsx'
import { problems } from './problems.ts'
import { refusals } from './refusals.tsx'
import { rollouts } from './rollouts.tsx'
import { signIn } from './sign-in.tsx'
import { signingKeys } from './signing-keys.tsx'
import { stop } from './stop.ts'
import { systems } from './systems.ts'
import { use } from './use.tsx'
import { versions } from './versions.tsx'
import { webhooks } from './webhooks.ts'

export const nl: Texts = {
  locale: 'nl',
  numbers: createNumbers('nl'),
  systems,
  frame,
  problems,
  overview,
  documents,
  done,
  download,
  devices,
  manyDevices,
  refusals,
  versions,
  rollouts,
  approvals,
  stop,
  groups,
  configurations,
  history,
  installers,
  keystore,
  organizations,
  labels,
  use,
  audit,
  signingKeys,
  administrators,
  apiClients,
  webhooks,
  account,
  signIn,
  firstUse,
}
