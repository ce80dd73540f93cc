/** The versions of the connector, latest first. */
import { listVersions, putVersion } from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import { mayCall } from '../frame/change.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Empty, PageLinks, Table, Time } from '../frame/parts.tsx'
import { type Flags, toVersionAddress, versionsHome } from './version-data.ts'

export function addVersions(pages: PageApp): void {
  pages.get('/versions', async (context) => {
    const { page } = context.req.query()
    const { data } = await context.var.api.call(listVersions, { query: { page } })
    return showPage(context, {
      title: 'Versions',
      children: (
        <>
          <p>
            Connectors ask which versions there are, and recommend an update, insist on it, or stop,
            as the version says.
          </p>
          {mayCall(context, putVersion) && (
            <p>
              <a class="button" href="versions/new">
                Register a version
              </a>{' '}
              <a href="installers">Upload its installers first</a>
            </p>
          )}
          {data.total === 0 ? (
            <Empty>
              <p>
                No version is registered. Upload the installers, register their version, and give it
                an allowlist.
              </p>
            </Empty>
          ) : (
            <Table
              caption="Versions, latest first"
              head={['Version', 'State', 'Installers', 'Added']}
              rows={data.items.map(({ id, uris, createdAt, ...flags }) => [
                <a href={toVersionAddress(id)}>{id}</a>,
                <FlagTags {...flags} />,
                uris.map(({ os }) => platformNames[os]).join(', ') || 'none',
                <Time at={createdAt} />,
              ])}
            />
          )}
          <PageLinks to={versionsHome.to} query={{}} {...data} />
        </>
      ),
    })
  })
}

export const FlagTags = ({ recommended, mandatory, allowed }: Flags) => (
  <>
    {allowed ? <span class="tag good">allowed</span> : <span class="tag bad">not allowed</span>}
    {recommended && (
      <>
        {' '}
        <span class="tag">recommended</span>
      </>
    )}
    {mandatory && (
      <>
        {' '}
        <span class="tag bad">mandatory</span>
      </>
    )}
  </>
)
