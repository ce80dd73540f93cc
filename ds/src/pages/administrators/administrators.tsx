/** The accounts of the embedded provider: the list, and a new one, whose password is shown once. */
import { addAdministrator, listAdministrators, type Role, roles } from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote, Select } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { formatCount, PageLinks, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { showSecret } from '../frame/shown-secret.tsx'
import { readTexts } from '../frame/texts.ts'

export const administratorsHome = {
  to: 'administrators',
  get text() {
    return readTexts().administrators.title
  },
}
export const toAdministratorAddress = (name: string) => `administrators/${encodeURIComponent(name)}`

export const RoleField = ({
  hint,
  ...given
}: {
  readonly value: Role
  readonly error?: Child | undefined
  /** What the roles may do, where it is not for accounts. */
  readonly hint?: string
}) => {
  const texts = readTexts().administrators
  return (
    <Select
      name="role"
      label={texts.role}
      hint={hint ?? texts.roleHint}
      options={roles.map((role) => ({ value: role, text: texts.roleChoices[role] }))}
      {...given}
    />
  )
}

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
export function showPassword(context: PageContext, name: string, password: string) {
  const texts = readTexts().administrators.password
  return showSecret(context, {
    title: texts.title(name),
    trail: [administratorsHome, { to: toAdministratorAddress(name), text: name }],
    id: 'password',
    copyLabel: texts.copy,
    secret: password,
    warning: texts.warning(name),
    done: texts.done,
  })
}

/** The users who signed in lately at an external provider. */
async function showSignIns(context: PageContext) {
  const { page } = context.req.query()
  const { data } = await context.var.api.call(listAdministrators, { query: { page } })
  const texts = readTexts().administrators
  return showPage(context, {
    title: texts.title,
    children: (
      <>
        <p>{texts.external.about}</p>
        <ProgramsNote />
        <DocumentLinks to={['administrators']} />
        <Table
          caption={texts.external.caption}
          head={[texts.name, texts.role, texts.external.lastSignIn, texts.openSessions]}
          rows={data.items.map(({ name, displayName, role, sessions, updatedAt }) => [
            <>
              <a href={toAdministratorAddress(name)}>{displayName || name}</a>
              {name === context.var.identity.subject && <span class="soft"> {texts.you}</span>}
            </>,
            texts.roles[role],
            <Time at={updatedAt} />,
            formatCount(sessions),
          ])}
        />
        <PageLinks to={administratorsHome.to} query={{}} {...data} />
      </>
    ),
  })
}

/** Programs have no account. */
const ProgramsNote = () => (
  <p>
    {readTexts().administrators.programs((words) => (
      <a href="api-clients">{words}</a>
    ))}
  </p>
)

async function showList(context: PageContext, typed: Typed = {}) {
  if (context.var.isExternal) return showSignIns(context)
  const { problem } = typed
  const { page } = context.req.query()
  const { data } = await context.var.api.call(listAdministrators, { query: { page } })
  const texts = readTexts().administrators
  return showPage(context, {
    title: texts.title,
    status: toPageStatus(problem),
    children: (
      <>
        <p>{texts.about}</p>
        <ProgramsNote />
        <DocumentLinks to={['administrators']} />
        <Table
          caption={texts.caption}
          head={[
            texts.name,
            texts.role,
            texts.secondFactor,
            texts.openSessions,
            readTexts().frame.added,
          ]}
          rows={data.items.map(
            ({ name, role, secondFactor, passwordChangeRequired, sessions, createdAt }) => [
              <>
                <a href={toAdministratorAddress(name)}>{name}</a>
                {name === context.var.identity.subject && <span class="soft"> {texts.you}</span>}
                {passwordChangeRequired && (
                  <>
                    <br />
                    <span class="soft">{texts.passwordDue}</span>
                  </>
                )}
              </>,
              texts.roles[role],
              secondFactor ? texts.on : texts.off,
              formatCount(sessions),
              <Time at={createdAt} />,
            ],
          )}
        />
        <PageLinks to={administratorsHome.to} query={{}} {...data} />
        <h2>{texts.add.title}</h2>
        <ProblemNote problem={problem} fields={['name', 'role']} />
        <PostForm to={administratorsHome.to} button={texts.add.button}>
          <Field
            name="name"
            label={texts.name}
            value={typed.name}
            error={explainField(problem, 'name', ['administrator-taken'])}
            required
            maxlength={200}
          />
          <RoleField value={typed.role ?? 'viewer'} error={explainField(problem, 'role')} />
          <p>{texts.add.note}</p>
        </PostForm>
      </>
    ),
  })
}
