/** The pages of versions. */
import type { Services } from '../../services.ts'
import type { PageApp } from '../frame/page-env.ts'
import { addFlagChange } from './change-flags.tsx'
import { addInstallerChange } from './change-installers.tsx'
import { addInstallationKey } from './installation-key.tsx'
import { addRegistration } from './register.tsx'
import { addVersionRemoval } from './remove-version.tsx'
import { addVersion } from './version.tsx'
import { addVersionHistory } from './version-history.tsx'
import { addVersions } from './versions.tsx'

export function addVersionPages(pages: PageApp, services: Pick<Services, 'random'>): void {
  addVersions(pages)
  // Before the page of one version, whose path has an id where this has a name.
  addRegistration(pages)
  addVersion(pages)
  addFlagChange(pages)
  addInstallerChange(pages)
  addInstallationKey(pages, services)
  addVersionRemoval(pages)
  addVersionHistory(pages)
}
