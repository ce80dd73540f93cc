/** One organization: its labels, its name, its end. */
import {
  deleteOrganization,
  getOrganization,
  listLabels,
  type Organization,
  putLabel,
  putOrganization,
} from '@cardwire/client/protocol'
import { ApiProblem } from '../frame/api.ts'
import {
  attempt,
  findWrongName,
  mayCall,
  showConfirmation,
  toPageStatus,
} from '../frame/change.tsx'
import { isConflict, isEditedFurther, showConflict } from '../frame/conflict.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, Empty, Times } from '../frame/parts.tsx'
import { toLabelAddress } from '../labels/labels.tsx'
import { NameField, organizationsHome, toOrganizationAddress } from './organizations.tsx'

type ShownOrganization = Organization & { readonly etag: string | undefined }

interface Refused {
  readonly problem?: ApiProblem
  readonly typed?: string
}

export function addOrganization(pages: PageApp): void {
  pages.get('/organizations/:id', async (context) => showOne(context, await find(context)))

  pages.post('/organizations/:id', async (context) => {
    const organization = await find(context)
    const { id } = organization
    const form = await readForm(context)
    const name = form.text('name')
    if (isEditedFurther(form)) return showOne(context, organization, { typed: name })
    const changed = await attempt(
      context.var.api.call(
        putOrganization,
        { body: { id, name } },
        { ifMatch: form.text('etag') || undefined },
      ),
    )
    if (!(changed instanceof ApiProblem)) return showNext(context, toOrganizationAddress(id))
    const current = await find(context)
    if (!isConflict(changed)) return showOne(context, current, { problem: changed, typed: name })
    return showConflict(context, {
      title: `Rename ${current.name}`,
      trail: [organizationsHome, { to: toOrganizationAddress(id), text: current.name }],
      kind: 'organization',
      id,
      to: toOrganizationAddress(id),
      page: toOrganizationAddress(id),
      rows: [{ label: 'Name', stored: current.name, mine: name }],
      typed: [['name', name]],
      etag: current.etag,
    })
  })

  pages.get('/organizations/:id/remove', async (context) =>
    confirmRemoval(context, await find(context)),
  )

  pages.post('/organizations/:id/remove', async (context) => {
    const organization = await find(context)
    const typed = findWrongName(await readForm(context), organization.name)
    if (typed !== undefined) return confirmRemoval(context, organization, { typed })
    const params = { id: organization.id }
    const removed = await attempt(context.var.api.call(deleteOrganization, { params, query: {} }))
    if (removed instanceof ApiProblem)
      return confirmRemoval(context, organization, { problem: removed })
    return showNext(context, organizationsHome.to)
  })
}

async function find(context: PageContext): Promise<ShownOrganization> {
  const id = context.req.param('id') ?? ''
  const { data, etag } = await context.var.api.call(getOrganization, { params: { id } })
  return { ...data, etag }
}

async function showOne(
  context: PageContext,
  { id, name, createdAt, updatedAt, etag }: ShownOrganization,
  { problem, typed }: Refused = {},
) {
  const { data: labels } = await context.var.api.call(listLabels, {
    query: { orgId: id, size: '10' },
  })
  return showPage(context, {
    title: name,
    trail: [organizationsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <dl>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
          <Times createdAt={createdAt} updatedAt={updatedAt} />
        </dl>
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
            <form method="post" action={toOrganizationAddress(id)}>
              <input type="hidden" name="etag" value={etag} />
              <NameField problem={problem} name={typed ?? name} />
              <div class="actions">
                <button type="submit">Rename the organization</button>
              </div>
            </form>
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

async function confirmRemoval(
  context: PageContext,
  { id, name }: Organization,
  refused: Refused = {},
) {
  const { data } = await context.var.api.call(listLabels, { query: { orgId: id, size: '1' } })
  return showConfirmation(context, {
    title: `Remove ${name}`,
    trail: [organizationsHome, { to: toOrganizationAddress(id), text: name }],
    operation: deleteOrganization,
    to: `${toOrganizationAddress(id)}/remove`,
    name,
    button: 'Remove the organization',
    ...refused,
    children:
      data.total === 0 ? (
        <p>It has no label. The audit keeps the history of its changes.</p>
      ) : (
        <p>
          It has {data.total} {data.total === 1 ? 'label' : 'labels'}, and can be removed when they
          are: <a href={createHref('labels', { orgId: id })}>remove those first</a>.
        </p>
      ),
  })
}
