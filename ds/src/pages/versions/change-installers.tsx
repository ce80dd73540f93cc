/** Changes the installers of a version. */
import { type Installer, listInstallers, patchVersion } from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, toPageStatus } from '../frame/change.tsx'
import { isConflict, isEditedFurther, showConflict } from '../frame/conflict.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
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

const toAddress = (id: string) => `${toVersionAddress(id)}/installers`

export function addInstallerChange(pages: PageApp): void {
  pages.get('/versions/:id/installers', async (context) => {
    const version = await findVersion(context)
    return showForm(context, version, toTypedInstallers(version.uris))
  })

  pages.post('/versions/:id/installers', async (context) => {
    const version = await findVersion(context)
    const form = await readForm(context)
    const typed = readInstallers(form)
    if (isEditedFurther(form)) return showForm(context, version, typed)
    const { id } = version
    const changed = await attempt(
      context.var.api.call(
        patchVersion,
        { params: { id }, query: {}, body: { uris: toInstallers(typed, version.uris) } },
        { ifMatch: form.text('etag') },
      ),
    )
    if (!(changed instanceof ApiProblem)) return showNext(context, toVersionAddress(id))
    if (isConflict(changed)) return showBoth(context, await findVersion(context), typed)
    return showForm(context, version, typed, changed)
  })
}

async function showForm(
  context: PageContext,
  { id, etag }: ShownVersion,
  typed: TypedInstallers,
  problem?: ApiProblem,
) {
  const { data } = await context.var.api.call(listInstallers, { query: { size: '100' } })
  return showPage(context, {
    title: `Installers of ${id}`,
    trail: toTrail(id),
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={installerErrorPaths} />
        <p>
          <a href="installers">Upload a file</a>, or give addresses.
        </p>
        <form method="post" action={toAddress(id)}>
          <InstallerFields
            typed={typed}
            problem={problem}
            files={data.items.map(({ uri }) => uri)}
          />
          <input type="hidden" name="etag" value={etag} />
          <div class="actions">
            <button type="submit">Store the installers</button>
            <a href={toVersionAddress(id)}>Cancel</a>
          </div>
        </form>
      </>
    ),
  })
}

const describeInstaller = (uris: readonly Installer[], os: Installer['os']) => {
  const found = uris.find((one) => one.os === os)
  return found ? [found.uri, found.sha256 ?? ''].join('\n').trim() : ''
}

const showBoth = (context: PageContext, version: ShownVersion, typed: TypedInstallers) =>
  showConflict(context, {
    title: `Installers of ${version.id}`,
    trail: toTrail(version.id),
    kind: 'version',
    id: version.id,
    to: toAddress(version.id),
    page: toVersionAddress(version.id),
    rows: listPlatforms().map((os) => ({
      label: platformNames[os],
      stored: describeInstaller(version.uris, os),
      mine: describeInstaller(toInstallers(typed), os),
    })),
    typed: toHiddenInstallers(typed),
    etag: version.etag,
  })
