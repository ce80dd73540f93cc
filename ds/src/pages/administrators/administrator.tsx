/** One account of the embedded provider: its role and its sessions. */
import {
  type Administrator,
  type AdministratorSession,
  changeRole,
  endAdministratorSessions,
  getAdministrator,
  listAdministratorSessions,
} from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { FactList, toTimes } from '../frame/facts.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { administratorsHome, RoleField, toAdministratorAddress, toRole } from './administrators.tsx'

export function addAdministratorPage(pages: PageApp): void {
  pages.get('/administrators/:name', (context) => showAdministrator(context))

  pages.post('/administrators/:name/role', async (context) => {
    const name = context.req.param('name')
    const role = toRole((await readForm(context)).text('role'))
    const changed = await attempt(
      context.var.api.call(changeRole, { params: { name }, body: { role } }),
    )
    if (changed instanceof ApiProblem) return showAdministrator(context, changed)
    return showDone(context, toAdministratorAddress(name), changeRole)
  })

  pages.post('/administrators/:name/sessions', async (context) => {
    const name = context.req.param('name')
    const id = (await readForm(context)).text('id') || undefined
    const ended = await attempt(
      context.var.api.call(endAdministratorSessions, { params: { name }, query: { id } }),
    )
    if (ended instanceof ApiProblem) return showAdministrator(context, ended)
    const done =
      id === undefined ? endAdministratorSessions : { name: 'endAdministratorSession' as const }
    return showDone(context, toAdministratorAddress(name), done)
  })
}

/** The account that the path names. */
export const findAdministrator = async (context: PageContext): Promise<Administrator> => {
  const params = { name: context.req.param('name') ?? '' }
  return (await context.var.api.call(getAdministrator, { params })).data
}

async function showAdministrator(context: PageContext, problem?: ApiProblem) {
  const account = await findAdministrator(context)
  const { name } = account
  const sessions = await context.var.api.call(listAdministratorSessions, { params: { name } })
  const here = toAdministratorAddress(name)
  const isOwn = name === context.var.identity.subject
  const texts = readTexts().administrators
  return showPage(context, {
    title: account.displayName || name,
    trail: [administratorsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={['role']} />
        <FactList facts={describeFacts(account)} />
        <p>
          {texts.history(
            (words) => (
              <a href={createHref('audit', { who: name })}>{words}</a>
            ),
            (words) => (
              <a href={createHref('audit', { kind: 'administrator', id: name })}>{words}</a>
            ),
          )}
        </p>
        {context.var.isExternal ? (
          <p class="note">{texts.external.note}</p>
        ) : isOwn ? (
          <p class="note">
            {texts.own((words) => (
              <a href="account">{words}</a>
            ))}
          </p>
        ) : (
          <>
            <h2>{texts.role}</h2>
            <PostForm to={`${here}/role`} button={texts.changeRole}>
              <RoleField value={account.role} error={explainField(problem, 'role')} />
              <p>{texts.changeRoleNote}</p>
            </PostForm>
            <Acts here={here} account={account} />
          </>
        )}
        <h2>{texts.sessions.title}</h2>
        <Sessions here={here} total={account.sessions} sessions={sessions.data} />
      </>
    ),
  })
}

function describeFacts(account: Administrator) {
  const texts = readTexts().administrators
  const { secondFactor, passwordChangeRequired, displayName, name, role, updatedAt } = account
  const shownRole = { [texts.role]: texts.roles[role] }
  if (displayName !== undefined)
    return {
      ...shownRole,
      [texts.external.subject]: name,
      [texts.external.lastSignIn]: <Time at={updatedAt} />,
    }
  return {
    ...shownRole,
    [texts.secondFactor]: secondFactor ? texts.on : texts.off,
    ...(passwordChangeRequired && { [texts.password.label]: texts.passwordDue }),
    ...toTimes(account),
  }
}

const Acts = ({ here, account }: { readonly here: string; readonly account: Administrator }) => {
  const { access, acts } = readTexts().administrators
  return (
    <>
      <h2>{access}</h2>
      <p class="actions">
        <a class="button second" href={`${here}/password`}>
          {acts.password.button}
        </a>
        {account.secondFactor && (
          <a class="button second" href={`${here}/second-factor`}>
            {acts.secondFactor.button}
          </a>
        )}
        <a class="button second" href={`${here}/remove`}>
          {acts.remove.button}
        </a>
      </p>
    </>
  )
}

const Sessions = ({
  here,
  total,
  sessions,
}: {
  readonly here: string
  /** Also those that are not listed. */
  readonly total: number
  readonly sessions: readonly AdministratorSession[]
}) => {
  const texts = readTexts().administrators.sessions
  if (sessions.length === 0) return <p>{texts.empty}</p>
  return (
    <>
      <Table
        caption={texts.caption}
        head={[texts.began, texts.agent, texts.address, texts.lastUsed, texts.ends, texts.actions]}
        rows={sessions.map((session) => [
          <Time at={session.createdAt} />,
          session.kind === 'browser' ? session.userAgent : texts.program,
          session.address,
          session.lastUsedAt && <Time at={session.lastUsedAt} />,
          <Time at={session.expiresAt} />,
          <form class="inline" method="post" action={`${here}/sessions`}>
            <input type="hidden" name="id" value={session.id} />
            <button
              type="submit"
              class="second"
              aria-label={texts.endLabel(readTexts().numbers.time(session.createdAt))}
            >
              {texts.end}
            </button>
          </form>,
        ])}
      />
      <form method="post" action={`${here}/sessions`}>
        <button type="submit" class="second">
          {texts.endAll(total)}
        </button>
      </form>
    </>
  )
}
