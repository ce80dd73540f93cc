/** The configurations of all versions. */
import { listConfigurations } from '@cardwire/client/protocol'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Empty, PageLinks, SearchForm, Table, Time } from '../frame/parts.tsx'
import { toVersionAddress } from '../versions/version-data.ts'
import {
  configurationNames,
  configurationsHome,
  toConfigurationAddress,
} from './configuration-data.ts'

export function addConfigurations(pages: PageApp): void {
  pages.get('/configurations', async (context) => {
    const { versionId, page } = context.req.query()
    const query = { versionId: versionId || undefined, page }
    const { data } = await context.var.api.call(listConfigurations, { query })
    return showPage(context, {
      title: 'Configurations',
      children: (
        <>
          <p>
            What connectors of a version get with each synchronization: which pages may use readers,
            the digests of their files, the keystore of their certificate.
          </p>
          <SearchForm
            to={configurationsHome.to}
            label="Version"
            name="versionId"
            value={versionId}
          />
          {data.total === 0 ? (
            <Empty>
              <p>
                {versionId ? 'This version has none.' : 'There is none yet.'} Open a{' '}
                <a href="versions">version</a> and add its allowlist.
              </p>
            </Empty>
          ) : (
            <Table
              caption="Configurations"
              head={['Configuration', 'Version', 'Changed']}
              rows={data.items.map(({ id, type, versionId: version, updatedAt }) => [
                <a href={toConfigurationAddress(id)}>
                  {configurationNames[type]}
                  <span class="unseen"> of {version}</span>
                </a>,
                <a href={toVersionAddress(version)}>{version}</a>,
                <Time at={updatedAt} />,
              ])}
            />
          )}
          <PageLinks to={configurationsHome.to} query={{ versionId }} {...data} />
          <p>
            <a href="configurations/difference">Compare two versions</a>
          </p>
        </>
      ),
    })
  })
}
