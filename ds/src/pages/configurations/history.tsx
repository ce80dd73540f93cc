/** The history of a configuration: its revisions, one of them, and the way back to it. */
import {
  type Configuration,
  type ConfigurationRevision,
  getConfiguration,
  getConfigurationReach,
  getConfigurationRevision,
  listConfigurationRevisions,
  restoreConfiguration,
} from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, mayCall } from '../frame/change.tsx'
import { isConflict } from '../frame/conflict.tsx'
import { Changes, isSame, type Part } from '../frame/difference.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, Time } from '../frame/parts.tsx'
import { type ReviewState, saveReviewed } from '../frame/reviewed-change.ts'
import { findRevisionAt, MissingFiles, RevisionList } from '../frame/revisions.tsx'
import { readTexts } from '../frame/texts.ts'
import { readGroupName } from '../groups/group-names.ts'
import { toTrail } from '../versions/version-data.ts'
import {
  describeConfiguration,
  nameConfiguration,
  nameInVersion,
  toConfigurationAddress,
} from './configuration-data.ts'
import { showReview } from './review.tsx'
import { findOfVersion, isSameSlot, showTaken } from './taken.tsx'

const toHistory = (id: string) => `${toConfigurationAddress(id)}/history`

export function addConfigurationHistory(pages: PageApp): void {
  pages.get('/configurations/:id/history', showHistory)
  pages.get('/configurations/:id/history/:revision', showRevision)
  pages.get('/configurations/:id/history/:revision/restore', async (context) =>
    showRestore(context, await readRevision(context)),
  )

  pages.post('/configurations/:id/history/:revision/restore', async (context) => {
    const wanted = await readRevision(context)
    const form = await readForm(context)
    const { id, revision } = wanted
    const params = { id, revision: String(revision) }
    const ifMatch = form.text('etag') || undefined
    const restored = await saveReviewed(form, {
      name: wanted.versionId,
      save: (maxReach) =>
        context.var.api.call(restoreConfiguration, { params, query: { maxReach } }, { ifMatch }),
      review: (state) => showRestore(context, wanted, state),
    })
    if (restored instanceof Response) return restored
    if (!(restored instanceof ApiProblem)) return showSaved(context, id, restored.data.revision)
    const current = isConflict(restored) ? await findCurrent(context, id) : undefined
    if (current && isRestored(current, wanted)) return showSaved(context, id, current.revision)
    return showRestore(context, wanted, { problem: restored })
  })
}

const showSaved = (context: PageContext, id: string, revision: number) =>
  showNext(context, `${toConfigurationAddress(id)}?saved=${revision}`)

/** Whether a form that was sent twice has restored it already. Which password a keystore has, no page knows. */
const isRestored = (current: Configuration, wanted: ConfigurationRevision): boolean =>
  current.type !== 'SSL_KEYSTORE' &&
  JSON.stringify(describeConfiguration(current)) === JSON.stringify(describeRevision(wanted))

type ShownRevision = ConfigurationRevision & { readonly groupName: string | undefined }

async function readRevision(
  context: PageContext,
  revision = context.req.param('revision') ?? '',
): Promise<ShownRevision> {
  const params = { id: context.req.param('id') ?? '', revision }
  const { data } = await context.var.api.call(getConfigurationRevision, { params })
  return { ...data, groupName: await readGroupName(context, data.groupId) }
}

/** What is stored now; undefined when it was removed. */
async function findCurrent({ var: { api } }: PageContext, id: string) {
  const found = await attempt(api.call(getConfiguration, { params: { id } }))
  if (!(found instanceof ApiProblem)) return { ...found.data, etag: found.etag }
  if (found.problem === 'configuration-unknown') return undefined
  throw found
}

async function showHistory(context: PageContext) {
  const { api } = context.var
  const id = context.req.param('id') ?? ''
  const { page, at } = context.req.query()
  const query = { page, ...(at !== undefined && { size: '100' }) }
  const { data: list } = await api.call(listConfigurationRevisions, { params: { id }, query })
  const asked = at === undefined ? undefined : findRevisionAt(list.items, at)
  if (asked !== undefined) return showNext(context, `${toHistory(id)}/${asked}`)
  const newest = await readRevision(context, String(list.items[0]?.revision ?? 1))
  return showPage(context, {
    title: readTexts().history.title(nameConfiguration(newest)),
    trail: toRevisionTrail(newest),
    children: (
      <RevisionList
        to={toHistory(id)}
        kind="configuration"
        id={id}
        list={list}
        mayRestore={mayCall(context, restoreConfiguration)}
      />
    ),
  })
}

async function showRevision(context: PageContext) {
  const revision = await readRevision(context)
  const { api } = context.var
  const params = { id: revision.id, revision: String(revision.revision - 1) }
  const before = await attempt(api.call(getConfigurationRevision, { params }))
  const next = { id: revision.id, revision: String(revision.revision + 1) }
  const isNewest =
    (await attempt(api.call(getConfigurationRevision, { params: next }))) instanceof ApiProblem
  const texts = readTexts().history
  const address = `${toHistory(revision.id)}/${revision.revision}/restore`
  return showPage(context, {
    title: texts.revisionTitle(revision.revision, nameConfiguration(revision)),
    trail: [...toRevisionTrail(revision), { to: toHistory(revision.id), text: texts.link }],
    children: (
      <>
        <p>
          {texts.savedBy(revision.who.name)}, <Time at={revision.at} />
        </p>
        {revision.removed && <p>{texts.removal}</p>}
        {before instanceof ApiProblem ? (
          <>
            {revision.revision > 1 && <p>{texts.noEarlier}</p>}
            <Changes caption={texts.value} before={[]} after={describeRevision(revision)} />
          </>
        ) : (
          <Changes
            caption={texts.since(revision.revision - 1)}
            before={describeRevision(before.data)}
            after={describeRevision(revision)}
          />
        )}
        {!isNewest && !revision.removed && mayCall(context, restoreConfiguration) && (
          <p>
            <a class="button second" href={address}>
              {texts.restore}
            </a>
          </p>
        )}
      </>
    ),
  })
}

async function showRestore(context: PageContext, wanted: ShownRevision, state: ReviewState = {}) {
  const { id, revision, versionId } = wanted
  const { api } = context.var
  const { data: reach } = await api.call(getConfigurationReach, { params: { id } })
  const current = await findCurrent(context, id)
  const taken = current
    ? []
    : (await findOfVersion(context, versionId, wanted.type)).filter((one) =>
        isSameSlot(one, wanted),
      )
  if (taken.length > 0) return refuseTaken(context, wanted, taken)
  const missingFiles = ('missingFiles' in wanted && wanted.missingFiles) || []
  const texts = readTexts().history
  const before = current ? describeConfiguration(current) : []
  const after = describeRevision(wanted)
  return showReview(context, {
    title: texts.restoreTitle(revision, nameConfiguration(wanted)),
    trail: [...toRevisionTrail(wanted), { to: toHistory(id), text: texts.link }],
    operation: restoreConfiguration,
    to: `${toHistory(id)}/${revision}/restore`,
    versionId,
    reach,
    ...{ before, after },
    isUnchanged: current !== undefined && missingFiles.length === 0 && isSame(before, after),
    about:
      missingFiles.length > 0 ? (
        <MissingFiles uris={missingFiles} to={createHref('keystore', { version: versionId })} />
      ) : (
        <p>{texts.restoreAbout}</p>
      ),
    isRefused: missingFiles.length > 0,
    button: texts.restoreButton,
    hidden: [['etag', current?.etag ?? '']],
    ...state,
  })
}

/** Instead of the review: the version has got another configuration since this one was removed. */
async function refuseTaken(
  context: PageContext,
  wanted: ShownRevision,
  taken: Awaited<ReturnType<typeof findOfVersion>>,
) {
  const { id, revision } = wanted
  const texts = readTexts()
  return showPage(context, {
    title: texts.history.restoreTitle(revision, nameConfiguration(wanted)),
    trail: [...toRevisionTrail(wanted), { to: toHistory(id), text: texts.history.link }],
    status: context.req.method === 'POST' ? 409 : 200,
    children: (
      <>
        {await showTaken(context, { sentence: texts.problems['configuration-taken'], taken })}
        <Changes caption={texts.history.value} before={[]} after={describeRevision(wanted)} />
      </>
    ),
  })
}

const toRevisionTrail = (revision: ShownRevision) => [
  ...toTrail(revision.versionId),
  { to: toConfigurationAddress(revision.id), text: nameInVersion(revision) },
]

/** The parts of a revision; of a keystore also which revision set its password. */
function describeRevision({ config, ...revision }: ConfigurationRevision): readonly Part[] {
  if (config === undefined) return []
  const texts = readTexts().history
  const value = { ...revision, config, createdAt: revision.at, updatedAt: revision.at }
  const parts = describeConfiguration(value as Parameters<typeof describeConfiguration>[0])
  const shown = parts.filter(({ isSecret }) => isSecret !== true)
  const from = 'passwordFrom' in revision ? revision.passwordFrom : undefined
  return from === undefined
    ? shown
    : [...shown, { label: texts.password, text: texts.passwordFrom(from) }]
}
