/** The emergency stop: what it would halt, the version that it blocks, and the ways back. */
import {
  changeRollout,
  getHaltReach,
  type HaltReach,
  haltRollouts,
  listRollouts,
  listVersions,
  patchVersion,
} from '@cardwire/protocol'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongName, mayCall, requireRole, showConfirmation } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { digestEffect, isOtherEffect, listEffects } from '../frame/effect.ts'
import { HiddenFields, Select } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, formatCount, Table } from '../frame/parts.tsx'
import type { ReviewState } from '../frame/reviewed-change.ts'
import { readTexts } from '../frame/texts.ts'
import { AffectedDevices } from '../versions/affected-devices.tsx'
import { toVersionAddress } from '../versions/version-data.ts'
import { toRolloutAddress, toRolloutsTrail } from './rollout-data.ts'
import { StateTag } from './rollouts.tsx'
import { stopHome, stopReview } from './stop-link.tsx'

export function addStop(pages: PageApp): void {
  pages.use('/stop/*', requireRole(haltRollouts))
  pages.get('/stop', requireRole(haltRollouts), show)

  pages.get('/stop/review', async (context) => ask(context, context.req.query('version') ?? ''))

  pages.post('/stop/review', async (context) => {
    const form = await readForm(context)
    const version = form.text('version')
    const typed = form.has('confirm') ? findWrongName(form, version) : undefined
    if (typed !== undefined) return ask(context, version, { typed })
    const { block } = await readReach(context, version)
    // A form that was sent twice changes nothing any more.
    if (block && block.reach > 0 && isOtherEffect(form, await digestEffect(listEffects(block))))
      return ask(context, version, { isOther: true })
    const query = { maxReach: form.text('maxReach') || '0' }
    const body = version === '' ? {} : { version }
    const stopped = await attempt(context.var.api.call(haltRollouts, { query, body }))
    if (stopped instanceof ApiProblem) return ask(context, version, { problem: stopped })
    return showDone(context, stopHome, version === '' ? haltRollouts : { name: 'blockVersion' })
  })
}

const readReach = async ({ var: { api } }: PageContext, version: string): Promise<HaltReach> =>
  (await api.call(getHaltReach, { query: { version } })).data

async function show(context: PageContext): Promise<Response> {
  const texts = readTexts().stop
  const { rollouts } = await readReach(context, '')
  const { data } = await context.var.api.call(listVersions, { query: { size: '100' } })
  const allowed = data.items.filter((version) => version.allowed)
  return showPage(context, {
    title: texts.title,
    trail: toRolloutsTrail(),
    children: (
      <>
        <p>{texts.about}</p>
        <DocumentLinks to={['stopEverything']} />
        <RunningRollouts rollouts={rollouts} />
        <form method="get" action={stopReview}>
          <Select
            name="version"
            label={texts.version}
            hint={texts.versionHint}
            value={context.req.query('version') ?? ''}
            options={[
              { value: '', text: texts.noVersion },
              ...allowed.map(({ id }) => ({ value: id, text: id })),
            ]}
          />
          <div class="actions">
            <button type="submit">{texts.reviewButton}</button>
          </div>
        </form>
        {await showWaysBack(context, data.items)}
      </>
    ),
  })
}

const RunningRollouts = ({ rollouts }: Pick<HaltReach, 'rollouts'>) => {
  const texts = readTexts().stop
  const { columns } = readTexts().rollouts.list
  if (rollouts.length === 0) return <p>{texts.noRollouts}</p>
  return (
    <Table
      caption={texts.caption}
      head={[columns.version, columns.state, texts.offered, texts.installed]}
      numbers={[2, 3]}
      rows={rollouts.map((rollout) => [
        <a href={toRolloutAddress(rollout.id)}>{rollout.version}</a>,
        <StateTag rollout={rollout} />,
        formatCount(rollout.offered),
        formatCount(rollout.installed),
      ])}
    />
  )
}

/** So many versions that were blocked lately. */
const maxBlocked = 5

/** What can be undone: each with its own review. */
async function showWaysBack(
  context: PageContext,
  versions: readonly {
    readonly id: string
    readonly allowed: boolean
    readonly updatedAt: string
  }[],
) {
  const { data } = await context.var.api.call(listRollouts, { query: { size: '100' } })
  const halted = data.items.filter(({ state }) => state === 'halted')
  const blocked = versions
    .filter(({ allowed }) => !allowed)
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, maxBlocked)
  if (halted.length + blocked.length === 0) return null
  const { stop: texts, rollouts } = readTexts()
  return (
    <>
      <h2>{texts.waysBack}</h2>
      <p>{texts.order}</p>
      <ul>
        {mayCall(context, patchVersion) &&
          blocked.map(({ id }) => (
            <li>
              <a href={createHref(`${toVersionAddress(id)}/flags`, { allow: 'yes' })}>
                {texts.allow(id)}
              </a>
            </li>
          ))}
        {mayCall(context, changeRollout) &&
          halted.map(({ id, version }) => (
            <li>
              <a href={`${toRolloutAddress(id)}/resume`}>{rollouts.acts.resume.title(version)}</a>
            </li>
          ))}
      </ul>
    </>
  )
}

/** The version is typed where its block reaches devices; a halt takes nothing from any. */
async function ask(
  context: PageContext,
  version: string,
  state: ReviewState = {},
): Promise<Response> {
  const { reach, rollouts, block } = await readReach(context, version)
  const { stop: texts } = readTexts()
  const isNothing = rollouts.length === 0 && version === ''
  return showConfirmation(context, {
    title: texts.reviewTitle,
    trail: [...toRolloutsTrail(), { to: stopHome, text: texts.title }],
    operation: haltRollouts,
    to: stopReview,
    button: texts.button,
    wayBack: { sentence: texts.wayBack },
    isRefused: isNothing,
    ...(block && {
      ...(block.reach > 0 && { name: version }),
      effect: await digestEffect(listEffects(block)),
    }),
    ...state,
    children: isNothing ? (
      <p>{texts.nothing}</p>
    ) : (
      <>
        <div class={reach > 0 ? 'warning' : 'note'}>
          <p>
            <strong>{texts.reach(reach)}</strong> {texts.when}
          </p>
        </div>
        {rollouts.length > 0 && <p>{texts.halts}</p>}
        <RunningRollouts rollouts={rollouts} />
        {block && (
          <>
            <p>{texts.blocks(version)}</p>
            <AffectedDevices reach={block} />
          </>
        )}
      </>
    ),
    fields: <HiddenFields values={Object.entries({ version, maxReach: String(reach) })} />,
  })
}
