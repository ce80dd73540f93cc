/** Changes the installers of a version. */
import { type Installer, listInstallers, patchVersion, type Version } from '@cardwire/protocol'
import { listOtherInstallers } from '../../rules/same-installer.ts'
import type { ApiProblem } from '../frame/api.ts'
import { requireRole, showConfirmation, toPageStatus } from '../frame/change.tsx'
import { Changes, isSame } from '../frame/difference.tsx'
import { editForm } from '../frame/edit-form.ts'
import { digestEffect, listEffects } from '../frame/effect.ts'
import { HiddenFields, ProblemNote } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import type { ReviewState } from '../frame/reviewed-change.ts'
import { UnchangedNote } from '../frame/revisions.tsx'
import { readTexts } from '../frame/texts.ts'
import { AffectedDevices } from './affected-devices.tsx'
import { findVersion, type ShownVersion, toTrail, toVersionAddress } from './version-data.ts'
import {
  InstallerFields,
  installerErrorPaths,
  listPlatforms,
  readInstallers,
  type TypedInstallers,
  toHiddenInstallers,
  toInstallers,
  toTypedInstallers,
} from './version-fields.tsx'
import { describeVersion, readAffected } from './version-history.tsx'

export function addInstallerChange(pages: PageApp): void {
  pages.use('/versions/:id/installers', requireRole(patchVersion))
  editForm(pages, '/versions/:id/installers', {
    find: findVersion,
    toAddress: toVersionAddress,
    toTyped: ({ uris }) => toTypedInstallers(uris),
    read: readInstallers,
    show: showForm,
    refuseUnchanged: (context, version, typed) =>
      isSameInstallers(version, toAfter(version, typed))
        ? showForm(context, version, typed, undefined, true)
        : undefined,
    store: ({ var: { api } }, { id, uris }, typed, ifMatch, form) => {
      const body = { uris: toInstallers(typed, uris) }
      const isReviewed = form.has('maxReach')
      // Devices without an installer are part of what was shown.
      const query = {
        maxReach: form.text('maxReach') || '0',
        force: isReviewed ? 'true' : undefined,
      }
      return api.call(patchVersion, { params: { id }, query, body }, { ifMatch })
    },
    toNext: ({ id }, saved) =>
      `${toVersionAddress(id)}?saved=${(saved as { readonly data: Version }).data.revision}`,
    review: {
      name: ({ id }) => id,
      show: review,
      readEffect: async (context, version, typed) =>
        digestEffect(listEffects(await readAffected(context, version, toAfter(version, typed)))),
    },
    describeConflict,
  })
}

/** In all that the form has. */
const isSameInstallers = (before: ShownVersion, after: ReturnType<typeof toAfter>) =>
  isSame(describeVersion(before), describeVersion(after)) &&
  listOtherInstallers(before.uris, after.uris).length === 0

const toAfter = (version: ShownVersion, typed: TypedInstallers) => ({
  ...version,
  uris: toInstallers(typed, version.uris),
})

async function review(
  context: PageContext,
  version: ShownVersion,
  typed: TypedInstallers,
  state: ReviewState,
) {
  const { id, etag = '' } = version
  const after = toAfter(version, typed)
  const reach = await readAffected(context, version, after)
  const texts = readTexts().history.review
  return showConfirmation(context, {
    title: texts.title,
    trail: toTrail(id),
    operation: patchVersion,
    to: `${toVersionAddress(id)}/installers`,
    name: id,
    button: texts.apply,
    mayEdit: true,
    effect: await digestEffect(listEffects(reach)),
    wayBack: 'undo',
    ...state,
    children: (
      <>
        <AffectedDevices reach={reach} />
        <Changes
          caption={texts.caption}
          before={describeVersion(version)}
          after={describeVersion(after)}
        />
      </>
    ),
    fields: (
      <HiddenFields
        values={[...toHiddenInstallers(typed), ['etag', etag], ['maxReach', String(reach.reach)]]}
      />
    ),
  })
}

async function showForm(
  context: PageContext,
  { id, etag }: ShownVersion,
  typed: TypedInstallers,
  problem?: ApiProblem,
  isUnchanged = false,
) {
  const { data } = await context.var.api.call(listInstallers, { query: { size: '100' } })
  const { installers: texts, register } = readTexts().versions
  const linkUpload = (words: string) => <a href="installers">{words}</a>
  return showPage(context, {
    title: texts.title(id),
    trail: toTrail(id),
    status: toPageStatus(problem),
    children: (
      <>
        {isUnchanged && <UnchangedNote />}
        <ProblemNote problem={problem} fields={installerErrorPaths} />
        <p>{data.items.length === 0 ? register.noFiles(linkUpload) : register.files(linkUpload)}</p>
        <PostForm
          to={`${toVersionAddress(id)}/installers`}
          button={texts.saveButton}
          cancel={toVersionAddress(id)}
          etag={etag}
        >
          <InstallerFields
            typed={typed}
            problem={problem}
            files={data.items.map(({ uri }) => uri)}
          />
        </PostForm>
      </>
    ),
  })
}

const describeInstaller = (uris: readonly Installer[], os: Installer['os']) => {
  const found = uris.find((one) => one.os === os)
  return found ? [found.uri, found.sha256 ?? ''].join('\n').trim() : ''
}

const describeConflict = ({ id, uris }: ShownVersion, typed: TypedInstallers) => ({
  title: readTexts().versions.installers.title(id),
  trail: toTrail(id),
  kind: 'version' as const,
  rows: listPlatforms().map((os) => ({
    label: readTexts().systems[os],
    stored: describeInstaller(uris, os),
    mine: describeInstaller(toInstallers(typed), os),
  })),
  typed: toHiddenInstallers(typed),
})
