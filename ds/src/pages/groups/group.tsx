/** One group: its rules, how many devices fit them, and what it is used for. */
import { type ConfigurationType, deleteGroup, putGroup } from '@cardwire/protocol'
import { nameConfiguration } from '../configurations/configuration-data.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, mayCall, requireRole, showConfirmation } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { FactList } from '../frame/facts.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, formatCount, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import {
  findGroup,
  groupsHome,
  type ShownGroup,
  toGroupAddress,
  toGroupsTrail,
  toTrail,
} from './group-data.ts'
import { Rules } from './rules.tsx'

export function addGroup(pages: PageApp): void {
  pages.get('/groups/:id', async (context) => {
    const group = await findGroup(context)
    const { page: texts } = readTexts().groups
    const address = toGroupAddress(group.id)
    return showPage(context, {
      title: group.name,
      trail: toGroupsTrail(),
      children: (
        <>
          <FactList
            facts={{
              [texts.devices]: formatCount(group.devices),
              [texts.rules]: <Rules rules={group.rules} />,
              [texts.priority]: formatCount(group.priority),
              [texts.uses]: <Uses group={group} />,
              [texts.updated]: <Time at={group.updatedAt} />,
            }}
          />
          {mayCall(context, putGroup) && (
            <p class="actions">
              <a class="button" href={`${address}/edit`}>
                {texts.editLink}
              </a>
              <a
                class="button second"
                href={createHref('configurations/choose', { groupId: group.id })}
              >
                {readTexts().configurations.edit.addButton}
              </a>
              {!isUsed(group) && (
                <a class="button second" href={`${address}/remove`}>
                  {texts.removeLink}
                </a>
              )}
            </p>
          )}
          <p>
            <a href={createHref('audit', { kind: 'group', id: group.id })}>
              {readTexts().frame.history}
            </a>
          </p>
        </>
      ),
    })
  })

  pages.get('/groups/:id/remove', async (context) => ask(context, await findGroup(context)))

  pages.post('/groups/:id/remove', requireRole(deleteGroup), async (context) => {
    const id = context.req.param('id')
    const removed = await attempt(context.var.api.call(deleteGroup, { params: { id } }))
    return removed instanceof ApiProblem
      ? ask(context, await findGroup(context), removed)
      : showDone(context, groupsHome, deleteGroup)
  })
}

const isUsed = ({ uses }: ShownGroup) => uses.configurations.length + uses.rollouts.length > 0

const ask = (context: PageContext, group: ShownGroup, problem?: ApiProblem) => {
  const { remove: texts } = readTexts().groups
  return showConfirmation(context, {
    title: texts.title(group.name),
    trail: toTrail(group),
    operation: deleteGroup,
    to: `${toGroupAddress(group.id)}/remove`,
    button: texts.button,
    problem,
    wayBack: { sentence: texts.wayBack },
    isRefused: isUsed(group),
    children: isUsed(group) ? (
      <>
        <p>{readTexts().problems['group-in-use']}</p>
        <Uses group={group} />
      </>
    ) : (
      <p>{texts.about}</p>
    ),
  })
}

const Uses = ({ group: { uses } }: { readonly group: ShownGroup }) => {
  const { groups } = readTexts()
  if (uses.configurations.length + uses.rollouts.length === 0) return <>{groups.page.unused}</>
  return (
    <>
      {uses.configurations.map(({ id, versionId, type }) => (
        <div>
          <a href={`configurations/${id}`}>
            {nameConfiguration({ type: type as ConfigurationType, versionId })}
          </a>
        </div>
      ))}
      {uses.rollouts.map(({ id, version }) => (
        <div>
          <a href={`rollouts/${id}`}>{readTexts().rollouts.page.title(version)}</a>
        </div>
      ))}
    </>
  )
}
