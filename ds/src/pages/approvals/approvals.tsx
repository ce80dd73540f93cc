/** The changes that wait for a second administrator: what each does now, and the ways to approve and to remove it. */
import {
  type Approval,
  dsOperations,
  getRolloutReach,
  getVersionReach,
  listApprovals,
  Problem,
  removeApproval,
} from '@cardwire/protocol'
import { nameOperation } from '../audit/audit-words.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, mayCall, requireRole, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { HiddenFields, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Empty, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { toRolloutAddress } from '../rollouts/rollout-data.ts'
import { AffectedDevices } from '../versions/affected-devices.tsx'
import { toVersionAddress } from '../versions/version-data.ts'

export const approvalsHome = 'approvals'

export function addApprovals(pages: PageApp): void {
  pages.get('/approvals', (context) => show(context))

  pages.post('/approvals/approve', requireRole(removeApproval), async (context) => {
    const form = await readForm(context)
    const approval = (await list(context)).find(({ tag }) => tag === form.text('tag'))
    if (!approval) return show(context, createGoneProblem())
    const made = await attempt(repeat(context, approval))
    return made instanceof ApiProblem
      ? show(context, made)
      : showDone(context, approvalsHome, { name: 'approveChange' })
  })

  pages.post('/approvals/remove', requireRole(removeApproval), async (context) => {
    const form = await readForm(context)
    const query = { id: form.text('id') }
    const approval = (await list(context)).find(({ id }) => id === query.id)
    const isOthers = approval !== undefined && !isOwnRequest(context, approval)
    const removed = await attempt(context.var.api.call(removeApproval, { query }))
    return removed instanceof ApiProblem
      ? show(context, removed)
      : showDone(context, approvalsHome, isOthers ? { name: 'declineChange' } : removeApproval)
  })
}

const list = async ({ var: { api } }: PageContext): Promise<readonly Approval[]> =>
  (await api.call(listApprovals, { query: {} })).data.items

/** Whether this account has made the request. */
function isOwnRequest({ var: { identity } }: PageContext, { who }: Approval): boolean {
  return who.subject === identity.subject && (who.issuer ?? null) === identity.issuer
}

/** The same request, by this account. */
async function repeat(
  { var: { api } }: PageContext,
  { operation: name, params, query, body, maxReach, tag }: Approval,
): Promise<unknown> {
  const operation = dsOperations.find((one) => one.name === name)
  if (!operation) throw new Error(`Cannot repeat "${name}": there is no such operation`)
  const parts = { params, query: { ...query, maxReach: String(maxReach) }, body }
  return api.call(operation, parts, { approves: tag })
}

const createGoneProblem = () =>
  new Problem(
    'approval-unknown',
    'Cannot approve this change: it was approved, removed or requested again since it was shown',
  )

async function show(context: PageContext, problem?: ApiProblem | Problem): Promise<Response> {
  const texts = readTexts().approvals
  const approvals = await list(context)
  return showPage(context, {
    title: texts.title,
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} />
        {approvals.length === 0 ? (
          <Empty>
            <p>{texts.empty}</p>
          </Empty>
        ) : (
          <p>{texts.about}</p>
        )}
        {await Promise.all(approvals.map((approval, index) => describe(context, approval, index)))}
      </>
    ),
  })
}

async function describe(context: PageContext, approval: Approval, index: number) {
  const { id, who, reach, createdAt, expiresAt, changedSince, body, tag } = approval
  const texts = readTexts().approvals
  const isOwn = isOwnRequest(context, approval)
  const operation = nameOperation(approval.operation)
  const { to, name } = findTarget(approval)
  return (
    <section>
      <h2>
        {operation}: {to === undefined ? name : <a href={to}>{name}</a>}
      </h2>
      <p>
        {texts.requested(who.name || who.subject, <Time at={createdAt} />)}{' '}
        {texts.expires(<Time at={expiresAt} />)} {texts.reach(reach)}
      </p>
      {await showEffect(context, approval, `${index + 1}. ${operation}: ${name}`)}
      {body !== undefined && <pre>{JSON.stringify(body, undefined, 2)}</pre>}
      {changedSince ? <p>{texts.changedSince}</p> : isOwn && <p>{texts.own}</p>}
      {mayCall(context, removeApproval) && (
        <>
          {!isOwn && !changedSince && (
            <PostForm to="approvals/approve" button={texts.approve} isDangerous>
              <HiddenFields values={[['tag', tag]]} />
            </PostForm>
          )}
          <PostForm to="approvals/remove" button={isOwn ? texts.cancel : texts.decline}>
            <HiddenFields values={[['id', id]]} />
          </PostForm>
        </>
      )}
    </section>
  )
}

const readFields = ({ body }: Approval) => (body ?? {}) as Readonly<Record<string, unknown>>

function findTarget(approval: Approval) {
  const { operation, params } = approval
  const id = params['id'] ?? String(readFields(approval)['id'] ?? '')
  const isRollout = operation.endsWith('Rollout')
  const to = isRollout ? toRolloutAddress(id) : toVersionAddress(id)
  return { to: operation.startsWith('put') ? undefined : to, name: id }
}

/** What it does now, where that can be read. */
async function showEffect({ var: { api } }: PageContext, approval: Approval, of: string) {
  const { operation, params } = approval
  const { id = '' } = params
  const body = readFields(approval)
  const texts = readTexts()
  if (operation === 'changeRollout') {
    const state = body['state'] === 'finished' ? 'finished' : 'running'
    const found = await attempt(api.call(getRolloutReach, { params: { id }, query: { state } }))
    if (found instanceof ApiProblem) return null
    return (
      <p>
        {texts.approvals.state(texts.rollouts.states[state])}.{' '}
        {texts.approvals.reachNow(found.data.reach)}
      </p>
    )
  }
  if (operation !== 'patchVersion') return null
  const query = Object.fromEntries(
    ['recommended', 'mandatory', 'allowed'].flatMap((name) =>
      body[name] === undefined ? [] : [[name, String(body[name])]],
    ),
  )
  const found = await attempt(api.call(getVersionReach, { params: { id }, query }))
  return found instanceof ApiProblem ? null : <AffectedDevices reach={found.data} of={of} />
}
