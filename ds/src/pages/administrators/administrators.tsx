/** The accounts of the embedded provider: the list, and a new one, whose password is shown once. */
import { addAdministrator, listAdministrators, type Role, roles } from '@cardwire/client/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote, Select } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { PageLinks, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { showSecret } from '../frame/shown-secret.tsx'

export const administratorsHome = { to: 'administrators', text: 'Administrators' }
export const toAdministratorAddress = (name: string) => `administrators/${encodeURIComponent(name)}`

/** What each role may do, for people. */
const roleTexts: Readonly<Record<Role, string>> = {
  viewer: 'viewer: reads',
  publisher: 'publisher: reads, and changes releases',
  administrator: 'administrator: may do everything',
}

export const RoleField = (given: { readonly value: Role; readonly error?: string | undefined }) => (
  <Select
    name="role"
    label="Role"
    hint="A publisher changes versions, installers and configurations. Logs of devices and accounts are for administrators alone."
    options={roles.map((role) => ({ value: role, text: roleTexts[role] }))}
    {...given}
  />
)

/** The role that a form names; the least one where it names none. */
export const toRole = (text: string): Role => roles.find((role) => role === text) ?? 'viewer'

interface Typed {
  readonly problem?: ApiProblem
  readonly name?: string
  readonly role?: Role
}

export function addAdministrators(pages: PageApp): void {
  pages.get('/administrators', (context) => showList(context))
  pages.post('/administrators', async (context) => {
    const form = await readForm(context)
    const body = { name: form.text('name'), role: toRole(form.text('role')) }
    const added = await attempt(context.var.api.call(addAdministrator, { body }))
    if (added instanceof ApiProblem) return showList(context, { problem: added, ...body })
    const { name, generatedPassword = '' } = added.data
    return showPassword(context, name, generatedPassword)
  })
}

/** Shows the password of an account, for the only time. */
export const showPassword = (context: PageContext, name: string, password: string) =>
  showSecret(context, {
    title: `Password of ${name}`,
    trail: [administratorsHome, { to: toAdministratorAddress(name), text: name }],
    kind: 'password',
    id: 'password',
    name: 'the password',
    secret: password,
    warning: `the service keeps its hash alone. Give it to ${name} in a way that nobody else reads.`,
  })

async function showList(context: PageContext, typed: Typed = {}) {
  const { problem } = typed
  const { page } = context.req.query()
  const { data } = await context.var.api.call(listAdministrators, { query: { page } })
  return showPage(context, {
    title: administratorsHome.text,
    status: toPageStatus(problem),
    children: (
      <>
        <p>Who may log in here and call the operations of the service, and what they may do.</p>
        <Table
          caption="Accounts"
          head={['Name', 'Role', 'Second factor', 'Open sessions', 'Added']}
          rows={data.items.map(({ name, role, secondFactor, sessions, createdAt }) => [
            <>
              <a href={toAdministratorAddress(name)}>{name}</a>
              {name === context.var.identity.subject && <span class="soft"> (you)</span>}
            </>,
            role,
            secondFactor ? 'yes' : 'no',
            sessions,
            <Time at={createdAt} />,
          ])}
        />
        <PageLinks to={administratorsHome.to} query={{}} {...data} />
        <h2>Add an account</h2>
        <ProblemNote problem={problem} fields={['name', 'role']} />
        <PostForm to={administratorsHome.to} button="Add the account">
          <Field
            name="name"
            label="User name"
            value={typed.name}
            error={explainField(problem, 'name', ['administrator-taken'])}
            required
            maxlength={200}
          />
          <RoleField value={typed.role ?? 'viewer'} error={explainField(problem, 'role')} />
          <p>The next page shows a generated password, once.</p>
        </PostForm>
      </>
    ),
  })
}
