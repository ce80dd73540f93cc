/** The configurations of all versions. */
import { listConfigurations, putConfiguration } from '@cardwire/protocol'
import { DocumentLinks } from '../documents/document-links.tsx'
import { mayCall } from '../frame/change.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { createHref, Empty, PageLinks, SearchForm, Table, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { toGroupAddress } from '../groups/group-data.ts'
import { readGroupNames } from '../groups/group-names.ts'
import { toVersionAddress } from '../versions/version-data.ts'
import { configurationsHome, toConfigurationAddress } from './configuration-data.ts'
import { listVersionIds, VersionList } from './version-list.tsx'

export function addConfigurations(pages: PageApp): void {
  pages.get('/configurations', async (context) => {
    const { versionId, page } = context.req.query()
    const query = { versionId: versionId || undefined, page }
    const { data } = await context.var.api.call(listConfigurations, { query })
    const texts = readTexts().configurations
    const nameGroup = await readGroupNames(context)
    const linkVersions = (words: string) => <a href="versions">{words}</a>
    return showPage(context, {
      title: texts.title,
      children: (
        <>
          <p>{texts.about}</p>
          <DocumentLinks to={['allowlist', 'cardPermissions', 'keystores']} />
          {mayCall(context, putConfiguration) && (
            <p>
              <a class="button" href={createHref('configurations/choose', { versionId })}>
                {texts.edit.addButton}
              </a>
            </p>
          )}
          <SearchForm
            to={configurationsHome}
            label={texts.search}
            name="versionId"
            value={versionId}
            list="versions"
          />
          <VersionList ids={await listVersionIds(context)} />
          {data.total === 0 ? (
            <Empty>
              <p>{versionId ? texts.noneOfVersion(linkVersions) : texts.none(linkVersions)}</p>
            </Empty>
          ) : (
            <Table
              caption={texts.list.caption}
              head={[
                texts.list.configuration,
                texts.list.version,
                texts.list.devices,
                texts.list.changed,
              ]}
              rows={data.items.map(({ id, type, versionId: version, groupId, updatedAt }) => [
                <a href={toConfigurationAddress(id)}>
                  {texts.types[type].listed(version, (words) => (
                    <span class="unseen">{words}</span>
                  ))}
                </a>,
                <a href={toVersionAddress(version)}>{version}</a>,
                groupId === undefined ? (
                  readTexts().groups.allDevices
                ) : (
                  <a href={toGroupAddress(groupId)}>{nameGroup(groupId)}</a>
                ),
                <Time at={updatedAt} />,
              ])}
            />
          )}
          <PageLinks to={configurationsHome} query={{ versionId }} {...data} />
          <p>
            <a href="configurations/difference">{texts.compareLink}</a>
          </p>
        </>
      ),
    })
  })
}
