/** The versions of the connector, latest first. */
import { listVersions, putVersion, type Rollout } from '@cardwire/protocol'
import { DocumentLinks } from '../documents/document-links.tsx'
import { mayCall } from '../frame/change.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Empty, PageLinks, Table, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { listOpenRollouts, toRolloutAddress } from '../rollouts/rollout-data.ts'
import { type Flags, toVersionAddress, versionsHome } from './version-data.ts'

export function addVersions(pages: PageApp): void {
  pages.get('/versions', async (context) => {
    const { page } = context.req.query()
    const { data } = await context.var.api.call(listVersions, { query: { page } })
    const rollouts = new Map(
      (await listOpenRollouts(context)).map((rollout) => [rollout.version, rollout]),
    )
    const texts = readTexts().versions
    return showPage(context, {
      title: texts.title,
      children: (
        <>
          <p>{texts.about}</p>
          <DocumentLinks to={['releaseSettings', 'installers']} />
          {mayCall(context, putVersion) && (
            <p>
              <a class="button" href="versions/new">
                {texts.registerLink}
              </a>{' '}
              <a href="installers">{texts.uploadLink}</a>
            </p>
          )}
          {data.total === 0 ? (
            <Empty>
              <p>{texts.empty}</p>
            </Empty>
          ) : (
            <Table
              caption={texts.list.caption}
              head={[
                texts.list.version,
                texts.list.status,
                texts.list.installers,
                texts.list.added,
              ]}
              rows={data.items.map(({ id, uris, createdAt, ...flags }) => [
                <a href={toVersionAddress(id)}>{id}</a>,
                <>
                  <FlagTags {...flags} />
                  <RolloutLink rollout={rollouts.get(id)} />
                </>,
                uris.map(({ os }) => readTexts().systems[os]).join(' · ') ||
                  texts.list.noInstallers,
                <Time at={createdAt} />,
              ])}
            />
          )}
          <PageLinks to={versionsHome} query={{}} {...data} />
        </>
      ),
    })
  })
}

/** During a rollout, the tags do not say which devices get the version. */
const RolloutLink = ({ rollout }: { readonly rollout: Rollout | undefined }) => {
  if (!rollout) return null
  const { frame, rollouts, versions } = readTexts()
  return (
    <>
      {' '}
      <a href={toRolloutAddress(rollout.id)}>
        {frame.field(versions.list.rollout, rollouts.states[rollout.state])}
      </a>
    </>
  )
}

export const FlagTags = ({ recommended, mandatory, allowed }: Flags) => {
  const { tags } = readTexts().versions
  return (
    <>
      {allowed ? (
        <span class="tag good">{tags.allowed}</span>
      ) : (
        <span class="tag bad">{tags.blocked}</span>
      )}
      {recommended && (
        <>
          {' '}
          <span class="tag">{tags.recommended}</span>
        </>
      )}
      {mandatory && (
        <>
          {' '}
          <span class="tag bad">{tags.mandatory}</span>
        </>
      )}
    </>
  )
}
