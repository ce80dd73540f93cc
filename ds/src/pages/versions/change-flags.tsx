/** Changes what connectors are told of a version, after saying whom that reaches. */
import { getVersionReach, patchVersion, type VersionReach } from '@cardwire/protocol'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongName, requireRole, showConfirmation } from '../frame/change.tsx'
import { isConflict, showConflict } from '../frame/conflict.tsx'
import { digestEffect, isOtherEffect, listEffects } from '../frame/effect.ts'
import { HiddenFields } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { isEditedFurther, PostForm } from '../frame/post-form.tsx'
import { UnchangedNote } from '../frame/revisions.tsx'
import { readTexts } from '../frame/texts.ts'
import { AffectedDevices } from './affected-devices.tsx'
import {
  type Flags,
  findVersion,
  flagNames,
  type ShownVersion,
  toTrail,
  toVersionAddress,
} from './version-data.ts'
import { FlagFields, readFlags, toTypedFlags } from './version-fields.tsx'

/** Why the page that asks is shown again. */
interface ConfirmationState {
  readonly problem?: ApiProblem
  readonly typed?: string
  readonly isOther?: boolean
  /** Where it has just been read. */
  readonly reach?: VersionReach
}

const toAddress = (id: string) => `${toVersionAddress(id)}/flags`

export function addFlagChange(pages: PageApp): void {
  pages.use('/versions/:id/flags', requireRole(patchVersion))
  pages.get('/versions/:id/flags', async (context) => {
    const version = await findVersion(context)
    const isAllowed = version.allowed || context.req.query('allow') !== undefined
    return showForm(context, version, { ...version, allowed: isAllowed })
  })

  pages.post('/versions/:id/flags', async (context) => {
    const version = await findVersion(context)
    const form = await readForm(context)
    const flags = readFlags(form)
    const etag = form.text('etag')
    if (etag !== version.etag) return showBoth(context, version, flags)
    if (isEditedFurther(form)) return showForm(context, version, flags)
    if (flagNames.every((name) => flags[name] === version[name]))
      return showForm(context, version, flags, true)
    const reach = await readAffected(context, version.id, flags)
    if (form.has('confirm')) {
      const typed = findWrongName(form, version.id)
      if (typed !== undefined) return confirm(context, version, flags, { typed, reach })
      const isOther = isOtherEffect(form, await digestEffect(listEffects(reach)))
      if (isOther) return confirm(context, version, flags, { isOther, reach })
    } else if (reach.reach > 0) return confirm(context, version, flags, { reach })
    const changed = await change(context, version.id, flags, form)
    if (!(changed instanceof ApiProblem)) return showSaved(context, version.id, changed.data)
    if (isConflict(changed)) return showBoth(context, await findVersion(context), flags)
    return confirm(context, version, flags, { problem: changed })
  })
}

const showSaved = (context: PageContext, id: string, { revision }: { readonly revision: number }) =>
  showNext(context, `${toVersionAddress(id)}?saved=${revision}`)

const change = (context: PageContext, id: string, flags: Flags, form: Form) =>
  attempt(
    context.var.api.call(
      patchVersion,
      {
        params: { id },
        // Devices without an installer are part of what was shown.
        query: { force: 'true', maxReach: form.text('maxReach') || '0' },
        body: flags,
      },
      { ifMatch: form.text('etag') },
    ),
  )

async function readAffected(context: PageContext, id: string, flags: Flags) {
  const { recommended, mandatory, allowed } = flags
  const query = {
    recommended: String(recommended),
    mandatory: String(mandatory),
    allowed: String(allowed),
  }
  return (await context.var.api.call(getVersionReach, { params: { id }, query })).data
}

function showForm(
  context: PageContext,
  { id, etag }: ShownVersion,
  flags: Flags,
  isUnchanged = false,
) {
  const texts = readTexts().versions.flags
  return showPage(context, {
    title: texts.title(id),
    trail: toTrail(id),
    children: (
      <>
        {isUnchanged && <UnchangedNote />}
        <PostForm
          to={toAddress(id)}
          button={texts.reviewButton}
          cancel={toVersionAddress(id)}
          etag={etag}
        >
          <FlagFields {...flags} />
          <p class="soft">{texts.next}</p>
          <DocumentLinks to={['releaseSettings', 'review']} />
        </PostForm>
      </>
    ),
  })
}

async function confirm(
  context: PageContext,
  version: ShownVersion,
  flags: Flags,
  { reach: known, ...refused }: ConfirmationState = {},
) {
  const { id, etag = '' } = version
  const reach = known ?? (await readAffected(context, id, flags))
  const texts = readTexts().versions.flags
  return showConfirmation(context, {
    title: texts.confirmTitle(id),
    trail: toTrail(id),
    operation: patchVersion,
    to: toAddress(id),
    name: id,
    button: texts.applyButton,
    mayEdit: true,
    effect: await digestEffect(listEffects(reach)),
    wayBack: 'undo',
    ...refused,
    children: (
      <>
        <p>{texts.change(id, version, flags)}</p>
        <AffectedDevices reach={reach} />
      </>
    ),
    fields: (
      <HiddenFields
        values={[...toTypedFlags(flags), ['etag', etag], ['maxReach', String(reach.reach)]]}
      />
    ),
  })
}

function showBoth(context: PageContext, version: ShownVersion, flags: Flags) {
  const texts = readTexts().versions.flags
  return showConflict(context, {
    title: texts.title(version.id),
    trail: toTrail(version.id),
    kind: 'version',
    id: version.id,
    to: toAddress(version.id),
    page: toVersionAddress(version.id),
    rows: flagNames.map((name) => ({
      label: texts[name],
      stored: version[name] ? texts.yes : texts.no,
      mine: flags[name] ? texts.yes : texts.no,
    })),
    typed: toTypedFlags(flags),
    etag: version.etag,
    saved: () => showSaved(context, version.id, version),
  })
}
