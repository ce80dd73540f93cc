/** The groups, the one that decides first. */
import { listGroups, putGroup } from '@cardwire/protocol'
import { mayCall } from '../frame/change.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { PagedList } from '../frame/paged-list.tsx'
import { formatCount, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { groupsHome, toGroupAddress } from './group-data.ts'
import { Rules } from './rules.tsx'

export function addGroups(pages: PageApp): void {
  pages.get('/groups', async (context) => {
    const { page } = context.req.query()
    const { data } = await context.var.api.call(listGroups, { query: { page } })
    const { list: texts, title } = readTexts().groups
    return showPage(context, {
      title,
      children: (
        <PagedList
          to={groupsHome}
          texts={texts}
          data={data}
          head={[texts.name, texts.rules, texts.priority, texts.updated]}
          numbers={[2]}
          rows={data.items.map((group) => [
            <a href={toGroupAddress(group.id)}>{group.name}</a>,
            <Rules rules={group.rules} />,
            formatCount(group.priority),
            <Time at={group.updatedAt} />,
          ])}
        >
          {mayCall(context, putGroup) && (
            <p>
              <a class="button" href="groups/new">
                {texts.newLink}
              </a>
            </p>
          )}
        </PagedList>
      ),
    })
  })
}
