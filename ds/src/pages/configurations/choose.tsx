/** Asks which configuration is to be added: of which version, of which type, for which devices. */
import { ConfigurationType, putConfiguration } from '@cardwire/protocol'
import { requireRole } from '../frame/change.tsx'
import { Field, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { readAllGroups, toGroupOptions } from '../groups/group-names.ts'
import { toConfigurationsTrail } from './configuration-data.ts'
import { listVersionIds, VersionList } from './version-list.tsx'

export function addConfigurationChoice(pages: PageApp): void {
  pages.get('/configurations/choose', requireRole(putConfiguration), async (context) => {
    const { versionId = '', groupId = '' } = context.req.query()
    const { choose: texts, list, types } = readTexts().configurations
    return showPage(context, {
      title: texts.title,
      trail: toConfigurationsTrail(),
      children: (
        <>
          <p>{texts.about}</p>
          <form method="get" action="configurations/new">
            <Field
              name="versionId"
              label={list.version}
              value={versionId}
              list="versions"
              required
            />
            <VersionList ids={await listVersionIds(context)} />
            <Select
              name="type"
              label={texts.type}
              value="CONTEXT_CONFIG"
              options={ConfigurationType.options.map((type) => ({
                value: type,
                text: types[type].name,
              }))}
            />
            <Select
              name="groupId"
              label={texts.devices}
              value={groupId}
              options={toGroupOptions(await readAllGroups(context))}
            />
            <div class="actions">
              <button type="submit">{texts.button}</button>
            </div>
          </form>
        </>
      ),
    })
  })
}
