/** Changes the installers of a version. */
import { type Installer, listInstallers, patchVersion } from '@cardwire/client/protocol'
import type { ApiProblem } from '../frame/api.ts'
import { toPageStatus } from '../frame/change.tsx'
import { editForm } from '../frame/edit-form.ts'
import { ProblemNote } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
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

export function addInstallerChange(pages: PageApp): void {
  editForm(pages, '/versions/:id/installers', {
    find: findVersion,
    toAddress: toVersionAddress,
    toTyped: ({ uris }) => toTypedInstallers(uris),
    read: readInstallers,
    show: showForm,
    store: ({ var: { api } }, { id, uris }, typed, ifMatch) => {
      const body = { uris: toInstallers(typed, uris) }
      return api.call(patchVersion, { params: { id }, query: {}, body }, { ifMatch })
    },
    describeConflict,
  })
}

async function showForm(
  context: PageContext,
  { id, etag }: ShownVersion,
  typed: TypedInstallers,
  problem?: ApiProblem,
) {
  const { data } = await context.var.api.call(listInstallers, { query: { size: '100' } })
  const texts = readTexts().versions.installers
  return showPage(context, {
    title: texts.title(id),
    trail: toTrail(id),
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={installerErrorPaths} />
        <p>
          {texts.upload((words) => (
            <a href="installers">{words}</a>
          ))}
        </p>
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
