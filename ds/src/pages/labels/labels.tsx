/** Labels: the list, and a new one, whose API key is shown once. */
import {
  type Label,
  listLabels,
  listOrganizations,
  putLabel,
  putOrganization,
} from '@cardwire/client/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote, Select } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, PageLinks, Table } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { showSecret } from '../frame/shown-secret.tsx'

export const labelsHome = { to: 'labels', text: 'Labels' }
export const toLabelAddress = (id: string) => `labels/${encodeURIComponent(id)}`

interface Typed {
  readonly problem?: ApiProblem
  readonly name?: string
  readonly orgId?: string | undefined
}

export function addLabels(pages: PageApp): void {
  pages.get('/labels', showList)
  pages.get('/labels/new', (context) => showNew(context, { orgId: context.req.query('orgId') }))
  pages.post('/labels/new', async (context) => {
    const form = await readForm(context)
    const body = { name: form.text('name'), orgId: form.text('orgId') }
    const made = await attempt(context.var.api.call(putLabel, { body }))
    if (made instanceof ApiProblem) return showNew(context, { problem: made, ...body })
    const { apiKey = '', ...label } = made.data
    return showKey(context, label, apiKey)
  })
}

/** Shows the key of a label, for the only time. */
export const showKey = (context: PageContext, { id, name }: Label, apiKey: string) =>
  showSecret(context, {
    title: `API key of ${name}`,
    trail: [labelsHome, { to: toLabelAddress(id), text: name }],
    kind: 'key',
    id: 'api-key',
    name: 'the API key',
    secret: apiKey,
    warning: 'the service keeps its digest alone. Put it where the application reads its secrets.',
    children: (
      <>
        The application sends it in the header <code>apikey</code> to{' '}
        <code>GET /v3/tokens/application</code>, and gets the tokens of its pages.
      </>
    ),
  })

async function showList(context: PageContext) {
  const { name, orgId, page } = context.req.query()
  const query = { name: name || undefined, orgId: orgId || undefined, page }
  const { data } = await context.var.api.call(listLabels, { query })
  const isFiltered = Boolean(name || orgId)
  return showPage(context, {
    title: 'Labels',
    children: (
      <>
        <p>A label stands for an application: its API key fetches the tokens of the pages.</p>
        {mayCall(context, putLabel) && (
          <p>
            <a class="button" href={createHref('labels/new', { orgId })}>
              Add a label
            </a>
          </p>
        )}
        <search>
          <form class="filters" method="get" action={labelsHome.to}>
            <Field name="name" label="Name" type="search" value={name} maxlength={200} />
            <Field name="orgId" label="Id of the organization" value={orgId} maxlength={200} />
            <button type="submit">Search</button>
            {isFiltered && <a href={labelsHome.to}>Show all</a>}
          </form>
        </search>
        {data.total === 0 ? (
          <Empty>
            <p>
              {isFiltered
                ? 'No label is like that.'
                : 'There is no label yet. Without one no application gets tokens for its pages: add an organization, then its label.'}
            </p>
          </Empty>
        ) : (
          <Table
            caption="Labels"
            head={['Name', 'Organization', 'API key', 'Key last used']}
            rows={data.items.map((label) => [
              <a href={toLabelAddress(label.id)}>{label.name}</a>,
              <a href={`organizations/${encodeURIComponent(label.orgId)}`}>{label.orgId}</a>,
              <KeyState label={label} />,
              label.keyUsedAt ?? 'Never',
            ])}
          />
        )}
        <PageLinks to={labelsHome.to} query={{ name, orgId }} {...data} />
      </>
    ),
  })
}

export const KeyState = ({ label: { keyState } }: { readonly label: Label }) => (
  <span class={keyState === 'active' ? 'tag good' : 'tag bad'}>
    {keyState === 'active' ? 'works' : 'revoked'}
  </span>
)

async function showNew(context: PageContext, { problem, name, orgId }: Typed = {}) {
  const { data } = await context.var.api.call(listOrganizations, { query: { size: '100' } })
  const options = data.items.map((one) => ({ value: one.id, text: `${one.name} (${one.id})` }))
  return showPage(context, {
    title: 'Add a label',
    trail: [labelsHome],
    status: toPageStatus(problem),
    children: !mayCall(context, putLabel) ? (
      <p>Your role is not enough for this.</p>
    ) : options.length === 0 ? (
      <Empty>
        <p>A label belongs to an organization, and there is none yet.</p>
        {mayCall(context, putOrganization) && (
          <p>
            <a class="button" href="organizations">
              Add an organization
            </a>
          </p>
        )}
      </Empty>
    ) : (
      <>
        <ProblemNote problem={problem} fields={['name', 'orgId']} />
        <PostForm to="labels/new" button="Add the label">
          <Field
            name="name"
            label="Name"
            hint="Of the application, for people. Its id is made from it and never changes: the tokens carry it."
            value={name}
            error={explainField(problem, 'name', ['label-taken'])}
            required
            maxlength={200}
          />
          <OrganizationField {...{ problem, orgId, options }} isWhole={data.total <= 100} />
          <p>The next page shows its API key, once.</p>
        </PostForm>
      </>
    ),
  })
}

/** A choice of the first hundred; of more, the id is typed. */
const OrganizationField = ({
  problem,
  orgId,
  options,
  isWhole,
}: Pick<Typed, 'orgId'> & {
  readonly problem: ApiProblem | undefined
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly isWhole: boolean
}) => {
  const fieldProps = {
    name: 'orgId',
    value: orgId,
    error: explainField(problem, 'orgId', ['organization-unknown']),
  }
  return isWhole ? (
    <Select {...fieldProps} label="Organization" options={options} />
  ) : (
    <Field {...fieldProps} label="Id of the organization" required maxlength={200} />
  )
}
