/** Organizations: the list, and a new one. */
import { listOrganizations, putOrganization } from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Empty, PageLinks, SearchForm, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'

export const organizationsHome = {
  to: 'organizations',
  get text() {
    return readTexts().organizations.title
  },
}
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
    return showDone(context, toOrganizationAddress(made.data.id), { name: 'addOrganization' })
  })
}

async function showList(context: PageContext, { problem, name }: Typed = {}) {
  const { name: search, page } = context.req.query()
  const query = { name: search || undefined, page }
  const { data } = await context.var.api.call(listOrganizations, { query })
  const texts = readTexts().organizations
  return showPage(context, {
    title: texts.title,
    status: toPageStatus(problem),
    children: (
      <>
        <p>{texts.about}</p>
        <SearchForm to={organizationsHome.to} label={texts.name} value={search} />
        {data.total === 0 ? (
          <Empty>
            <p>{search ? texts.noMatch : texts.empty}</p>
          </Empty>
        ) : (
          <Table
            caption={texts.title}
            head={[texts.name, texts.id, readTexts().frame.added]}
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
            <h2>{texts.addTitle}</h2>
            <ProblemNote problem={problem} fields={['name']} />
            <PostForm to={organizationsHome.to} button={texts.addButton}>
              <NameField problem={problem} name={name} hint={texts.nameHint} />
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
  hint,
}: {
  problem: ApiProblem | undefined
  name?: string | undefined
  hint: string
}) => (
  <Field
    name="name"
    label={readTexts().organizations.name}
    hint={hint}
    value={name}
    error={explainField(problem, 'name', ['organization-taken'])}
    required
    maxlength={200}
  />
)
