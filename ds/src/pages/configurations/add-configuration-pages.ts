/** The pages of configurations. */
import type { Services } from '../../services.ts'
import type { PageApp } from '../frame/page-env.ts'
import { addConfigurationChoice } from './choose.tsx'
import { addConfigurationDifference } from './compare-versions.tsx'
import { addConfigurations } from './configurations.tsx'
import { addConfigurationCopy } from './copy.tsx'
import { addConfigurationEditor } from './edit.tsx'
import { addConfigurationHistory } from './history.tsx'
import { addConfigurationRemoval } from './remove-configuration.tsx'

export function addConfigurationPages(pages: PageApp, services: Pick<Services, 'clock'>): void {
  addConfigurations(pages)
  // Before the page of one configuration, whose path has an id where these have names.
  addConfigurationChoice(pages)
  addConfigurationCopy(pages)
  addConfigurationDifference(pages)
  addConfigurationEditor(pages, services)
  addConfigurationRemoval(pages)
  addConfigurationHistory(pages)
}
