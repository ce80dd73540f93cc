/** One organization: its labels, its name, its end. */
import {
  deleteOrganization,
  getOrganization,
  listLabels,
  type Organization,
  putLabel,
  putOrganization,
} from '@cardwire/client/protocol'
import type { ApiProblem } from '../frame/api.ts'
import { mayCall, toPageStatus } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { FactList, toTimes } from '../frame/facts.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, Empty } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { saveEdit } from '../frame/save-edit.ts'
import { toLabelAddress } from '../labels/labels.tsx'
import { NameField, organizationsHome, toOrganizationAddress } from './organizations.tsx'

type ShownOrganization = Organization & { readonly etag: string | undefined }

export function addOrganization(pages: PageApp): void {
  pages.get('/organizations/:id', async (context) => {
    const organization = await find(context)
    return showOne(context, organization, organization.name)
  })

  pages.post('/organizations/:id', async (context) =>
    saveEdit(context, await find(context), {
      find,
      toAddress: toOrganizationAddress,
      read: (form) => form.text('name'),
      show: showOne,
      store: (_, { id }, name, ifMatch) => {
        const body = { id, name }
        return context.var.api.call(putOrganization, { body }, { ifMatch: ifMatch || undefined })
      },
      describeConflict: (current, typed) => ({
        title: `Rename ${current.name}`,
        trail: toTrail(current),
        kind: 'organization',
        rows: [{ label: 'Name', stored: current.name, mine: typed }],
        typed: [['name', typed]],
      }),
    }),
  )

  confirmAct(pages, '/organizations/:id/remove', {
    find,
    name: ({ name }) => name,
    describe: async (context, organization) => ({
      title: `Remove ${organization.name}`,
      trail: toTrail(organization),
      operation: deleteOrganization,
      to: `${toOrganizationAddress(organization.id)}/remove`,
      button: 'Remove the organization',
      children: await describeLabels(context, organization),
    }),
    async perform(context, { id }) {
      await context.var.api.call(deleteOrganization, { params: { id }, query: {} })
      return showNext(context, organizationsHome.to)
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
  return showPage(context, {
    title: name,
    trail: [organizationsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <FactList facts={{ Id: <code>{id}</code>, ...toTimes(organization) }} />
        <p>
          <a href={createHref('audit', { kind: 'organization', id })}>History of its changes</a>
        </p>
        <h2>Labels</h2>
        {labels.total === 0 ? (
          <Empty>
            <p>It has no label. Its applications need one each, for the API key.</p>
          </Empty>
        ) : (
          <ul>
            {labels.items.map((label) => (
              <li>
                <a href={toLabelAddress(label.id)}>{label.name}</a>
              </li>
            ))}
          </ul>
        )}
        {labels.total > labels.items.length && (
          <p>
            <a href={createHref('labels', { orgId: id })}>All its {labels.total} labels</a>
          </p>
        )}
        {mayCall(context, putLabel) && (
          <p>
            <a class="button second" href={createHref('labels/new', { orgId: id })}>
              Add a label
            </a>
          </p>
        )}
        {mayCall(context, putOrganization) && (
          <>
            <h2>Rename</h2>
            <ProblemNote problem={problem} fields={['name']} />
            <PostForm to={toOrganizationAddress(id)} button="Rename the organization" etag={etag}>
              <NameField problem={problem} name={typed} />
            </PostForm>
            <h2>Remove</h2>
            <p>
              <a class="button second" href={`${toOrganizationAddress(id)}/remove`}>
                Remove the organization
              </a>
            </p>
          </>
        )}
      </>
    ),
  })
}

async function describeLabels(context: PageContext, { id }: Organization) {
  const { data } = await context.var.api.call(listLabels, { query: { orgId: id, size: '1' } })
  return data.total === 0 ? (
    <p>It has no label. The audit keeps the history of its changes.</p>
  ) : (
    <p>
      It has {data.total} {data.total === 1 ? 'label' : 'labels'}, and can be removed when they are:{' '}
      <a href={createHref('labels', { orgId: id })}>remove those first</a>.
    </p>
  )
}
