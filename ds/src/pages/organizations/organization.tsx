/** One organization: its labels, its name, its end. */
import {
  deleteOrganization,
  getOrganization,
  type Label,
  listLabels,
  type Organization,
  putLabel,
  putOrganization,
} from '@cardwire/protocol'
import type { ApiProblem } from '../frame/api.ts'
import { mayCall, toPageStatus } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import { editForm } from '../frame/edit-form.ts'
import { FactList, toTimes } from '../frame/facts.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, HistoryLink } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { toLabelAddress } from '../labels/labels.tsx'
import { NameField, organizationsHome, toOrganizationAddress } from './organizations.tsx'

type ShownOrganization = Organization & { readonly etag: string | undefined }

export function addOrganization(pages: PageApp): void {
  editForm(pages, '/organizations/:id', {
    find,
    toAddress: toOrganizationAddress,
    toTyped: ({ name }) => name,
    read: (form) => form.text('name'),
    show: showOne,
    store: ({ var: { api } }, { id }, name, ifMatch) =>
      api.call(putOrganization, { body: { id, name } }, { ifMatch: ifMatch || undefined }),
    operation: putOrganization,
    describeConflict: (current, typed) => ({
      title: readTexts().organizations.rename.conflictTitle(current.name),
      trail: toTrail(current),
      kind: 'organization',
      rows: [{ label: readTexts().organizations.name, stored: current.name, mine: typed }],
      typed: [['name', typed]],
    }),
  })

  confirmAct(pages, '/organizations/:id/remove', {
    find,
    name: ({ name }) => name,
    describe: async (context, organization) => ({
      title: readTexts().organizations.remove.confirmTitle(organization.name),
      trail: toTrail(organization),
      operation: deleteOrganization,
      button: readTexts().organizations.remove.button,
      wayBack: 'none',
      ...(await describeLabels(context, organization)),
    }),
    async perform(context, { id }) {
      await context.var.api.call(deleteOrganization, { params: { id }, query: {} })
      return showDone(context, organizationsHome.to, deleteOrganization)
    },
  })
}

const toTrail = ({ id, name }: Organization) => [
  organizationsHome,
  { to: toOrganizationAddress(id), text: name },
]

async function find(context: PageContext): Promise<ShownOrganization> {
  const id = context.req.param('id') ?? ''
  const { data, etag } = await context.var.api.call(getOrganization, { params: { id } })
  return { ...data, etag }
}

async function showOne(
  context: PageContext,
  organization: ShownOrganization,
  typed: string,
  problem?: ApiProblem,
) {
  const { id, name, etag } = organization
  const { data: labels } = await context.var.api.call(listLabels, {
    query: { orgId: id, size: '10' },
  })
  const texts = readTexts().organizations
  return showPage(context, {
    title: name,
    trail: [organizationsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <FactList facts={{ [texts.id]: <code>{id}</code>, ...toTimes(organization) }} />
        <HistoryLink kind="organization" id={id} />
        <Labels orgId={id} {...labels} />
        {mayCall(context, putLabel) && (
          <p>
            <a class="button second" href={createHref('labels/new', { orgId: id })}>
              {texts.applications.add}
            </a>
          </p>
        )}
        {mayCall(context, putOrganization) && (
          <>
            <h2>{texts.rename.title}</h2>
            <ProblemNote problem={problem} fields={['name']} />
            <PostForm to={toOrganizationAddress(id)} button={texts.rename.button} etag={etag}>
              <NameField problem={problem} name={typed} hint={texts.rename.hint} />
            </PostForm>
            <h2>{texts.remove.title}</h2>
            <p>
              <a class="button second" href={`${toOrganizationAddress(id)}/remove`}>
                {texts.remove.button}
              </a>
            </p>
          </>
        )}
      </>
    ),
  })
}

const Labels = ({
  orgId,
  items,
  total,
}: {
  readonly orgId: string
  readonly items: readonly Label[]
  readonly total: number
}) => {
  const texts = readTexts().organizations.applications
  return (
    <>
      <h2>{texts.title}</h2>
      {total === 0 ? (
        <Empty>
          <p>{texts.empty}</p>
        </Empty>
      ) : (
        <ul>
          {items.map(({ id, name }) => (
            <li>
              <a href={toLabelAddress(id)}>{name}</a>
            </li>
          ))}
        </ul>
      )}
      {total > items.length && (
        <p>
          <a href={createHref('labels', { orgId })}>{texts.all(total)}</a>
        </p>
      )}
    </>
  )
}

async function describeLabels(context: PageContext, { id }: Organization) {
  const { data } = await context.var.api.call(listLabels, { query: { orgId: id, size: '1' } })
  const texts = readTexts().organizations.remove
  if (data.total === 0) return { children: <p>{texts.about}</p> }
  const children = (
    <p>
      {texts.applicationsFirst(data.total, (words) => (
        <a href={createHref('labels', { orgId: id })}>{words}</a>
      ))}
    </p>
  )
  return { children, isRefused: true }
}
