/** A configuration that a newer version of the service has stored: shown, and not changed, because its form would lose a part of it. */
import { deleteConfiguration } from '@cardwire/client/protocol'
import { mayCall } from '../frame/change.tsx'
import { type PageContent, showPage } from '../frame/layout.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { toTrail, toVersionAddress } from '../versions/version-data.ts'
import {
  configurationNames,
  describeConfiguration,
  type ShownConfiguration,
  toConfigurationAddress,
} from './configuration-data.ts'

/** `unknown`: the names of the parts that have no field. */
export const showNewer = (
  context: PageContext,
  stored: ShownConfiguration,
  unknown: readonly string[],
  status: NonNullable<PageContent['status']>,
) =>
  showPage(context, {
    title: `${configurationNames[stored.type]} of ${stored.versionId}`,
    trail: toTrail(stored.versionId),
    status,
    children: (
      <>
        <div class="warning" role="alert">
          <p>
            <strong>This is not changed here:</strong> a newer version of the service has stored it,
            and this one has no field for{' '}
            {unknown.map((name, at) => [at > 0 && ', ', <code>{name}</code>])}. Update the service.
          </p>
        </div>
        {describeConfiguration(stored).map(({ label, text }) => (
          <>
            <h2>{label}</h2>
            <pre>{text}</pre>
          </>
        ))}
        <div class="actions">
          <a href={toVersionAddress(stored.versionId)}>Back to the version</a>
          {mayCall(context, deleteConfiguration) && (
            <a class="button second" href={`${toConfigurationAddress(stored.id)}/remove`}>
              Remove it
            </a>
          )}
        </div>
      </>
    ),
  })
