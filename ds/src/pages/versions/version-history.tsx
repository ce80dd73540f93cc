/** The history of a version: its revisions, one of them, and the way back to it. */
import {
  getVersionReach,
  getVersionRevision,
  listVersionRevisions,
  restoreVersion,
  type VersionReach,
  type VersionRevision,
} from '@cardwire/protocol'
import { listOtherInstallers } from '../../rules/same-installer.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, mayCall, showConfirmation } from '../frame/change.tsx'
import { isConflict } from '../frame/conflict.tsx'
import { Changes, isSame, type Part } from '../frame/difference.tsx'
import { digestEffect, listEffects } from '../frame/effect.ts'
import { HiddenFields } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { Time } from '../frame/parts.tsx'
import { type ReviewState, saveReviewed } from '../frame/reviewed-change.ts'
import { findRevisionAt, MissingFiles, RevisionList } from '../frame/revisions.tsx'
import { readTexts } from '../frame/texts.ts'
import { AffectedDevices } from './affected-devices.tsx'
import {
  findVersion,
  flagNames,
  type ShownVersion,
  toTrail,
  toVersionAddress,
} from './version-data.ts'

type Value = Pick<VersionRevision, 'recommended' | 'mandatory' | 'allowed' | 'uris'>

const toHistory = (id: string) => `${toVersionAddress(id)}/history`

export function addVersionHistory(pages: PageApp): void {
  pages.get('/versions/:id/history', showHistory)
  pages.get('/versions/:id/history/:revision', showRevision)
  pages.get('/versions/:id/history/:revision/restore', async (context) =>
    showRestore(context, await readRevision(context)),
  )

  pages.post('/versions/:id/history/:revision/restore', async (context) => {
    const wanted = await readRevision(context)
    const form = await readForm(context)
    const { id, revision } = wanted
    const params = { id, revision: String(revision) }
    const ifMatch = form.text('etag') || undefined
    const restored = await saveReviewed(form, {
      name: id,
      save: (maxReach) =>
        // Devices without an installer are part of what was shown.
        context.var.api.call(
          restoreVersion,
          { params, query: { force: 'true', maxReach } },
          { ifMatch },
        ),
      review: (state) => showRestore(context, wanted, state),
      readEffect: async () =>
        digestEffect(listEffects(await readAffected(context, await findVersion(context), wanted))),
    })
    if (restored instanceof Response) return restored
    if (!(restored instanceof ApiProblem)) return showSaved(context, id, restored.data.revision)
    const current = isConflict(restored) ? await findVersion(context) : undefined
    if (current && isRestored(current, wanted)) return showSaved(context, id, current.revision)
    return showRestore(context, wanted, { problem: restored })
  })
}

const showSaved = (context: PageContext, id: string, revision: number) =>
  showNext(context, `${toVersionAddress(id)}?saved=${revision}`)

/** Whether a form that was sent twice has restored it already. */
const isRestored = (current: Value, wanted: Value): boolean =>
  JSON.stringify(describeVersion(current)) === JSON.stringify(describeVersion(wanted))

async function readRevision(
  { req, var: { api } }: PageContext,
  revision = req.param('revision') ?? '',
): Promise<VersionRevision> {
  const params = { id: req.param('id') ?? '', revision }
  return (await api.call(getVersionRevision, { params })).data
}

async function showHistory(context: PageContext) {
  const id = context.req.param('id') ?? ''
  const { page, at } = context.req.query()
  const query = { page, ...(at !== undefined && { size: '100' }) }
  const { data: list } = await context.var.api.call(listVersionRevisions, { params: { id }, query })
  const asked = at === undefined ? undefined : findRevisionAt(list.items, at)
  if (asked !== undefined) return showNext(context, `${toHistory(id)}/${asked}`)
  return showPage(context, {
    title: readTexts().history.title(id),
    trail: toTrail(id),
    children: (
      <RevisionList
        to={toHistory(id)}
        kind="version"
        id={id}
        list={list}
        mayRestore={mayCall(context, restoreVersion)}
      />
    ),
  })
}

async function showRevision(context: PageContext) {
  const { api } = context.var
  const wanted = await readRevision(context)
  const { id, revision, who, at } = wanted
  const params = { id, revision: String(revision - 1) }
  const before = await attempt(api.call(getVersionRevision, { params }))
  const next = { id, revision: String(revision + 1) }
  const isNewest =
    (await attempt(api.call(getVersionRevision, { params: next }))) instanceof ApiProblem
  const texts = readTexts().history
  return showPage(context, {
    title: texts.revisionTitle(revision, id),
    trail: [...toTrail(id), { to: toHistory(id), text: texts.link }],
    children: (
      <>
        <p>
          {texts.savedBy(who.name)}, <Time at={at} />
        </p>
        {before instanceof ApiProblem ? (
          <>
            {revision > 1 && <p>{texts.noEarlier}</p>}
            <Changes caption={texts.value} before={[]} after={describeVersion(wanted)} />
          </>
        ) : (
          <Changes
            caption={texts.since(revision - 1)}
            before={describeVersion(before.data)}
            after={describeVersion(wanted)}
          />
        )}
        {!isNewest && mayCall(context, restoreVersion) && (
          <p>
            <a class="button second" href={`${toHistory(id)}/${revision}/restore`}>
              {texts.restore}
            </a>
          </p>
        )}
      </>
    ),
  })
}

/** Whom it would reach that the version says this. */
export async function readAffected(
  context: PageContext,
  { id, uris: known }: Pick<ShownVersion, 'id' | 'uris'>,
  value: Value,
): Promise<VersionReach> {
  const { recommended, mandatory, allowed, uris } = value
  const query = {
    recommended: String(recommended),
    mandatory: String(mandatory),
    allowed: String(allowed),
    installers: uris.map(({ os }) => os).join(',') || 'none',
    otherInstallers: listOtherInstallers(known, uris).join(',') || 'none',
  }
  return (await context.var.api.call(getVersionReach, { params: { id }, query })).data
}

async function showRestore(context: PageContext, wanted: VersionRevision, state: ReviewState = {}) {
  const { id, revision } = wanted
  const current = await findVersion(context)
  const reach = await readAffected(context, current, wanted)
  const { missingFiles = [] } = wanted
  const texts = readTexts().history
  const [before, after] = [describeVersion(current), describeVersion(wanted)]
  const isUnchanged = reach.reach === 0 && isSame(before, after)
  return showConfirmation(context, {
    title: texts.restoreTitle(revision, id),
    trail: [...toTrail(id), { to: toHistory(id), text: texts.link }],
    operation: restoreVersion,
    to: `${toHistory(id)}/${revision}/restore`,
    ...(reach.reach > 0 && { name: id }),
    button: texts.restoreButton,
    effect: await digestEffect(listEffects(reach)),
    wayBack: 'undo',
    ...state,
    children: (
      <>
        {missingFiles.length > 0 ? (
          <MissingFiles uris={missingFiles} to="installers" />
        ) : (
          !isUnchanged && <p>{texts.restoreAbout}</p>
        )}
        {!isUnchanged && <AffectedDevices reach={reach} />}
        {isUnchanged && missingFiles.length === 0 ? (
          <p>{texts.restoreCurrent}</p>
        ) : (
          <Changes caption={texts.review.caption} before={before} after={after} />
        )}
      </>
    ),
    isRefused: missingFiles.length > 0 || isUnchanged,
    fields: (
      <HiddenFields
        values={Object.entries({ etag: current.etag ?? '', maxReach: String(reach.reach) })}
      />
    ),
  })
}

/** What a version says, for people. */
export function describeVersion(value: Value): readonly Part[] {
  const texts = readTexts()
  const { flags, installers } = texts.versions
  return [
    ...flagNames.map((name) => ({ label: flags[name], text: value[name] ? flags.yes : flags.no })),
    {
      label: installers.heading,
      text: value.uris
        .map(({ os, uri, sha256 = '' }) =>
          texts.frame.field(texts.systems[os], `${uri} ${sha256}`.trim()),
        )
        .join('\n'),
    },
  ]
}
