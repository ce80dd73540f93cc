/** The pages of configurations. */
import type { PageApp } from '../frame/page-env.ts'
import { addConfigurations } from './configurations.tsx'
import { addConfigurationCopy } from './copy.tsx'
import { addConfigurationDifference } from './difference.tsx'
import { addConfigurationEditor } from './edit.tsx'
import { addConfigurationRemoval } from './remove-configuration.tsx'

export function addConfigurationPages(pages: PageApp): void {
  addConfigurations(pages)
  // Before the page of one configuration, whose path has an id where these have names.
  addConfigurationCopy(pages)
  addConfigurationDifference(pages)
  addConfigurationEditor(pages)
  addConfigurationRemoval(pages)
}
