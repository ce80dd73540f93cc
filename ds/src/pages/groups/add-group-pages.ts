/** The pages of groups. */
import type { Services } from '../../services.ts'
import type { PageApp } from '../frame/page-env.ts'
import { addGroupForms } from './edit-group.tsx'
import { addGroup } from './group.tsx'
import { addGroups } from './groups.tsx'

export function addGroupPages(pages: PageApp, services: Pick<Services, 'random'>): void {
  addGroups(pages)
  // Before the page of one group, whose path has an id where this has a name.
  addGroupForms(pages, services)
  addGroup(pages)
}
