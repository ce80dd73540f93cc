/** Copies the configurations of a version to another one. */
import { copyConfigurations, getVersionConfigurationReach } from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { explainField, requireRole, toPageStatus } from '../frame/change.tsx'
import { digestEffect } from '../frame/effect.ts'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { describeProblem } from '../frame/problem-words.ts'
import { type ReviewState, saveReviewed } from '../frame/reviewed-change.ts'
import { readTexts } from '../frame/texts.ts'
import { toVersionAddress } from '../versions/version-data.ts'
import { readParts } from './compare-versions.tsx'
import { configurationsHome, toConfigurationsTrail } from './configuration-data.ts'
import { showReview } from './review.tsx'
import { findOfVersion, isSameSlot, showTaken } from './taken.tsx'
import { listVersionIds, VersionList } from './version-list.tsx'

interface Pair {
  readonly from: string
  readonly to: string
}

export function addConfigurationCopy(pages: PageApp): void {
  pages.get('/configurations/copy', requireRole(copyConfigurations), (context) => {
    const { from = '', to = '' } = context.req.query()
    return showForm(context, { from, to })
  })

  pages.post('/configurations/copy', async (context) => {
    const form = await readForm(context)
    const body = { from: form.text('from'), to: form.text('to') }
    const copied = await saveReviewed(form, {
      name: body.to,
      save: (maxReach) => context.var.api.call(copyConfigurations, { query: { maxReach }, body }),
      review: (state) => review(context, body, state),
      readEffect: () => readEffect(context, body),
    })
    if (copied instanceof Response) return copied
    if (copied instanceof ApiProblem) return showForm(context, body, copied)
    const ids = copied.data.map(({ id }) => id).join()
    return showNext(context, `${toVersionAddress(body.to)}?added=${ids}`)
  })
}

/** What is copied: it may change between the review and its confirmation. */
const readEffect = async (context: PageContext, { from }: Pair): Promise<string> =>
  digestEffect(await findOfVersion(context, from))

async function review(context: PageContext, { from, to }: Pair, state: ReviewState) {
  const { api } = context.var
  const types = (await findOfVersion(context, from)).map(({ type }) => type)
  const [type] = new Set(types).size === 1 ? types : []
  const { data: reach } = await api.call(getVersionConfigurationReach, {
    params: { id: to },
    query: { type },
  })
  return showReview(context, {
    title: readTexts().history.review.title,
    trail: toConfigurationsTrail(),
    operation: copyConfigurations,
    to: 'configurations/copy',
    versionId: to,
    reach,
    before: [],
    after: await readParts(context, from),
    button: readTexts().configurations.copy.button,
    hidden: Object.entries({ from, to }),
    effect: await readEffect(context, { from, to }),
    ...state,
  })
}

async function showForm(context: PageContext, { from, to }: Pair, problem?: ApiProblem) {
  const texts = readTexts().configurations.copy
  return showPage(context, {
    title: texts.title,
    trail: toConfigurationsTrail(),
    status: toPageStatus(problem),
    children: (
      <>
        {problem?.problem === 'configuration-taken' ? (
          await showTaken(context, {
            sentence: describeProblem(problem).sentence,
            taken: await findCopied(context, { from, to }),
          })
        ) : (
          <ProblemNote problem={problem} fields={['from', 'to']} />
        )}
        <p>{texts.about}</p>
        <PostForm
          to="configurations/copy"
          button={texts.button}
          cancel={to ? toVersionAddress(to) : configurationsHome}
        >
          <Field
            name="from"
            label={texts.from}
            value={from}
            error={explainField(problem, 'from')}
            list="versions"
            required
          />
          <Field
            name="to"
            label={texts.to}
            hint={texts.toHint}
            value={to}
            error={explainField(problem, 'to')}
            list="versions"
            required
          />
          <VersionList ids={await listVersionIds(context)} />
        </PostForm>
      </>
    ),
  })
}

/** Those of `to` that a copy would replace. */
async function findCopied(context: PageContext, { from, to }: Pair) {
  const copied = await findOfVersion(context, from)
  return (await findOfVersion(context, to)).filter((one) =>
    copied.some((other) => isSameSlot(one, other)),
  )
}
