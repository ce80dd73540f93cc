/** Organizations: the list, and a new one. */
import { listOrganizations, putOrganization } from '@cardwire/client/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { Empty, PageLinks, SearchForm, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'

export const organizationsHome = { to: 'organizations', text: 'Organizations' }
export const toOrganizationAddress = (id: string) => `organizations/${encodeURIComponent(id)}`

interface Typed {
  readonly problem?: ApiProblem
  readonly name?: string
}

export function addOrganizations(pages: PageApp): void {
  pages.get('/organizations', (context) => showList(context))

  pages.post('/organizations', async (context) => {
    const name = (await readForm(context)).text('name')
    const made = await attempt(context.var.api.call(putOrganization, { body: { name } }))
    if (made instanceof ApiProblem) return showList(context, { problem: made, name })
    return showNext(context, toOrganizationAddress(made.data.id))
  })
}

async function showList(context: PageContext, { problem, name }: Typed = {}) {
  const { name: search, page } = context.req.query()
  const query = { name: search || undefined, page }
  const { data } = await context.var.api.call(listOrganizations, { query })
  return showPage(context, {
    title: 'Organizations',
    status: toPageStatus(problem),
    children: (
      <>
        <p>An organization owns labels. A label stands for an application, and has its API key.</p>
        <SearchForm to={organizationsHome.to} label="Name" value={search} />
        {data.total === 0 ? (
          <Empty>
            <p>
              {search
                ? 'No organization has this in its name.'
                : 'There is no organization yet. Add the first one below, then a label for its application.'}
            </p>
          </Empty>
        ) : (
          <Table
            caption="Organizations"
            head={['Name', 'Id', 'Added']}
            rows={data.items.map(({ id, name: shown, createdAt }) => [
              <a href={toOrganizationAddress(id)}>{shown}</a>,
              <code>{id}</code>,
              <Time at={createdAt} />,
            ])}
          />
        )}
        <PageLinks to={organizationsHome.to} query={{ name: search }} {...data} />
        {mayCall(context, putOrganization) && (
          <>
            <h2>Add an organization</h2>
            <ProblemNote problem={problem} fields={['name']} />
            <PostForm to={organizationsHome.to} button="Add the organization">
              <NameField problem={problem} name={name} />
            </PostForm>
          </>
        )}
      </>
    ),
  })
}

export const NameField = ({
  problem,
  name,
}: {
  problem: ApiProblem | undefined
  name?: string | undefined
}) => (
  <Field
    name="name"
    label="Name"
    hint="For people. Its id is made from it and never changes: lower case, letters and digits alone."
    value={name}
    error={explainField(problem, 'name', ['organization-taken'])}
    required
    maxlength={200}
  />
)
