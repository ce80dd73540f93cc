/** The pages of rollouts. */
import type { Services } from '../../services.ts'
import type { PageApp } from '../frame/page-env.ts'
import { addRolloutForms } from './edit-rollout.tsx'
import { addRollout } from './rollout.tsx'
import { addRolloutActs } from './rollout-acts.tsx'
import { addRollouts } from './rollouts.tsx'
import { addStop } from './stop.tsx'

export function addRolloutPages(pages: PageApp, services: Pick<Services, 'random'>): void {
  addRollouts(pages)
  // Before the page of one rollout, whose path has an id where this has a name.
  addRolloutForms(pages, services)
  addRollout(pages)
  addRolloutActs(pages)
  addStop(pages)
}
