/** One account of the embedded provider: its role and its sessions. */
import {
  type Administrator,
  type AdministratorSession,
  changeRole,
  endAdministratorSessions,
  getAdministrator,
  listAdministratorSessions,
} from '@cardwire/client/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { FactList } from '../frame/facts.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
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
    return showNext(context, toAdministratorAddress(name))
  })

  pages.post('/administrators/:name/sessions', async (context) => {
    const name = context.req.param('name')
    const id = (await readForm(context)).text('id') || undefined
    const ended = await attempt(
      context.var.api.call(endAdministratorSessions, { params: { name }, query: { id } }),
    )
    if (ended instanceof ApiProblem) return showAdministrator(context, ended)
    return showNext(context, toAdministratorAddress(name))
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
  return showPage(context, {
    title: name,
    trail: [administratorsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={['role']} />
        <FactList
          facts={{
            Role: account.role,
            'Second factor': account.secondFactor ? 'Logins need a code' : 'None',
            Added: <Time at={account.createdAt} />,
            'Last changed': <Time at={account.updatedAt} />,
          }}
        />
        <p>
          <a href={createHref('audit', { who: name })}>What this account has changed</a>,{' '}
          <a href={createHref('audit', { kind: 'administrator', id: name })}>
            what was changed about it
          </a>
        </p>
        {isOwn ? (
          <p class="note">
            This is your own account: its password and second factor are on{' '}
            <a href="account">a page of their own</a>. Another administrator can change its role or
            remove it.
          </p>
        ) : (
          <>
            <h2>Role</h2>
            <PostForm to={`${here}/role`} button="Change the role">
              <RoleField value={account.role} error={explainField(problem, 'role')} />
              <p>It holds at once, also for sessions that are open.</p>
            </PostForm>
            <Acts here={here} account={account} />
          </>
        )}
        <h2>Open sessions</h2>
        <Sessions here={here} sessions={sessions.data} />
      </>
    ),
  })
}

const Acts = ({ here, account }: { readonly here: string; readonly account: Administrator }) => (
  <>
    <h2>Access</h2>
    <p class="actions">
      <a class="button second" href={`${here}/password`}>
        Set a new password
      </a>
      {account.secondFactor && (
        <a class="button second" href={`${here}/second-factor`}>
          Reset the second factor
        </a>
      )}
      <a class="button second" href={`${here}/remove`}>
        Remove the account
      </a>
    </p>
  </>
)

const Sessions = ({
  here,
  sessions,
}: {
  readonly here: string
  readonly sessions: readonly AdministratorSession[]
}) =>
  sessions.length === 0 ? (
    <p>None.</p>
  ) : (
    <>
      <Table
        caption="Sessions"
        head={['Began', 'What', 'From', 'Last used', 'Ends', 'Act']}
        rows={sessions.map((session) => [
          <Time at={session.createdAt} />,
          session.kind === 'browser' ? session.userAgent : 'A program',
          session.address,
          session.lastUsedAt && <Time at={session.lastUsedAt} />,
          <Time at={session.expiresAt} />,
          <form class="inline" method="post" action={`${here}/sessions`}>
            <input type="hidden" name="id" value={session.id} />
            <button type="submit" class="second">
              End<span class="unseen"> the session of {session.createdAt}</span>
            </button>
          </form>,
        ])}
      />
      <form method="post" action={`${here}/sessions`}>
        <button type="submit" class="second">
          End all sessions
        </button>
      </form>
    </>
  )
