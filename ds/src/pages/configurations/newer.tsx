/** A configuration that a newer version of the service has stored: shown, and not changed, because its form would lose a part of it. */
import { deleteConfiguration } from '@cardwire/protocol'
import { mayCall } from '../frame/change.tsx'
import { type PageContent, showPage } from '../frame/layout.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { toTrail, toVersionAddress } from '../versions/version-data.ts'
import {
  describeConfiguration,
  nameConfiguration,
  type ShownConfiguration,
  toConfigurationAddress,
} from './configuration-data.ts'

/** `unknown`: the names of the parts that have no field. */
export const showNewer = (
  context: PageContext,
  stored: ShownConfiguration,
  unknown: readonly string[],
  status: NonNullable<PageContent['status']>,
) => {
  const texts = readTexts().configurations
  return showPage(context, {
    title: nameConfiguration(stored),
    trail: toTrail(stored.versionId),
    status,
    children: (
      <>
        <div class="warning" role="alert">
          <p>
            {texts.newer.about(
              (words) => (
                <strong>{words}</strong>
              ),
              unknown.map((name, at) => [at > 0 && ', ', <code>{name}</code>]),
            )}
          </p>
        </div>
        {describeConfiguration(stored).map(({ label, text }) => (
          <>
            <h2>{label}</h2>
            <pre>{text}</pre>
          </>
        ))}
        <div class="actions">
          <a href={toVersionAddress(stored.versionId)}>{texts.newer.back}</a>
          {mayCall(context, deleteConfiguration) && (
            <a class="button second" href={`${toConfigurationAddress(stored.id)}/remove`}>
              {texts.edit.removeLink}
            </a>
          )}
        </div>
      </>
    ),
  })
}
