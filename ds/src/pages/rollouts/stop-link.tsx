/** The link to the emergency stop, on the pages where an administrator looks for it. */
import { haltRollouts } from '@cardwire/protocol'
import { mayCall } from '../frame/change.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { createHref } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

export const stopHome = 'stop'
export const stopReview = 'stop/review'

export const StopLink = ({
  context,
  version,
}: {
  readonly context: PageContext
  /** The version that it blocks; the page asks for it when absent. */
  readonly version?: string
}) =>
  mayCall(context, haltRollouts) ? (
    <a
      class="button second"
      href={version === undefined ? stopHome : createHref(stopReview, { version })}
    >
      {readTexts().stop.title}
    </a>
  ) : null
