/** Registers a version: one that stops or reminds devices says first whom it reaches. */
import { getVersionReach, listInstallers, putVersion, type VersionReach } from '@cardwire/protocol'
import { findOfVersion } from '../configurations/taken.tsx'
import { listVersionIds } from '../configurations/version-list.tsx'
import { ApiProblem } from '../frame/api.ts'
import {
  attempt,
  type Confirmation,
  explainField,
  findWrongName,
  requireRole,
  showConfirmation,
  toPageStatus,
} from '../frame/change.tsx'
import { digestEffect, isOtherEffect, listEffects } from '../frame/effect.ts'
import { Field, HiddenFields, ProblemNote, Select } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { AffectedDevices } from './affected-devices.tsx'
import { showInstallationKey } from './installation-key.tsx'
import { type Flags, toVersionsTrail, versionsHome } from './version-data.ts'
import {
  FlagFields,
  InstallerFields,
  installerErrorPaths,
  readFlags,
  readInstallers,
  type Typed,
  type TypedInstallers,
  toHiddenInstallers,
  toInstallers,
  toTypedFlags,
} from './version-fields.tsx'

const here = 'versions/new'

interface TypedVersion {
  readonly id: string
  readonly flags: Flags
  readonly installers: TypedInstallers
  /** The version whose configurations it gets; empty for none. */
  readonly copyFrom: string
}

interface FormErrors {
  readonly problem?: ApiProblem
  /** What is wrong with the id. */
  readonly idError?: string
}

const readTyped = (form: Form): TypedVersion => ({
  id: form.text('id'),
  flags: readFlags(form),
  installers: readInstallers(form),
  copyFrom: form.text('copyFrom'),
})

export function addRegistration(pages: PageApp): void {
  pages.get('/versions/new', requireRole(putVersion), async (context) =>
    showForm(context, {
      id: '',
      flags: { recommended: false, mandatory: false, allowed: true },
      installers: readInstallers({ ...emptyForm }),
      copyFrom: (await listVersionIds(context))[0] ?? '',
    }),
  )

  pages.post('/versions/new', async (context) => {
    const form = await readForm(context)
    const typed = readTyped(form)
    if (form.text('choice') === 'edit') return showForm(context, typed)
    const { api } = context.var
    const known = await attempt(api.send('GET', `/v3/versions/${encodeURIComponent(typed.id)}`))
    if (!(known instanceof ApiProblem) && (await names(known, typed.id)))
      return showForm(context, typed, {
        idError: readTexts().versions.register.taken(typed.id),
      })
    if (form.has('confirm')) {
      const wrong = findWrongName(form, typed.id)
      if (wrong !== undefined)
        return confirm(context, typed, await readAffected(context, typed), { typed: wrong })
      const reach = await readAffected(context, typed)
      if (isOtherEffect(form, await readEffect(context, typed, reach)))
        return confirm(context, typed, reach, { isOther: true })
    }
    const { copyFrom } = typed
    const query = { force: 'true', maxReach: form.text('maxReach') || '0', copyFrom }
    const body = { id: typed.id, ...typed.flags, uris: toInstallers(typed.installers) }
    const made = await attempt(api.call(putVersion, { query, body }))
    if (!(made instanceof ApiProblem))
      return showInstallationKey(context, made.data.id, made.data.installationApiKey ?? '')
    if (made.problem === 'reach-exceeded') {
      const refused = form.has('maxReach') ? { problem: made } : {}
      return confirm(context, typed, await readAffected(context, typed), refused)
    }
    return showForm(context, typed, { problem: made })
  })
}

/** Whether the response shows a version with this id: the latest one has another address. */
async function names(response: Response, id: string): Promise<boolean> {
  if (!response.ok) return false
  const { data } = (await response.json()) as { readonly data: { readonly id?: string } }
  return data.id === id
}

const emptyForm: Form = {
  text: () => '',
  secret: () => '',
  texts: () => [],
  has: () => false,
}

async function readAffected(
  context: PageContext,
  { id, flags, installers, copyFrom }: TypedVersion,
): Promise<VersionReach> {
  const systems = toInstallers(installers).map(({ os }) => os)
  const { data } = await context.var.api.call(getVersionReach, {
    params: { id },
    query: {
      recommended: String(flags.recommended),
      mandatory: String(flags.mandatory),
      allowed: String(flags.allowed),
      installers: systems.join(',') || undefined,
      copyFrom,
    },
  })
  return data
}

/** Also of the configurations that it would get: they may change between the review and its confirmation. */
const readEffect = async (
  context: PageContext,
  { copyFrom }: TypedVersion,
  reach: VersionReach,
): Promise<string> =>
  digestEffect(listEffects(reach), copyFrom && (await findOfVersion(context, copyFrom)))

async function showForm(
  context: PageContext,
  { id, flags, installers, copyFrom }: TypedVersion,
  { problem, idError }: FormErrors = {},
) {
  const { data } = await context.var.api.call(listInstallers, { query: { size: '100' } })
  const texts = readTexts().versions.register
  const linkUpload = (words: string) => <a href="installers">{words}</a>
  return showPage(context, {
    title: texts.title,
    trail: toVersionsTrail(),
    status: idError === undefined ? toPageStatus(problem) : 409,
    children: (
      <>
        <ProblemNote problem={problem} fields={['id', ...installerErrorPaths]} />
        <PostForm to={here} button={texts.button} cancel={versionsHome}>
          <Field
            name="id"
            label={texts.versionLabel}
            hint={texts.versionHint}
            value={id}
            error={idError ?? explainField(problem, 'id', ['version-taken'])}
            required
            maxlength={256}
          />
          <FlagFields {...flags} />
          <h2>{texts.installersTitle}</h2>
          <p>{data.items.length === 0 ? texts.noFiles(linkUpload) : texts.files(linkUpload)}</p>
          <InstallerFields
            typed={installers}
            problem={problem}
            files={data.items.map(({ uri }) => uri)}
          />
          <CopyFields ids={await listVersionIds(context)} copyFrom={copyFrom} />
        </PostForm>
      </>
    ),
  })
}

/** Where there is a version that it can have its configurations from. */
const CopyFields = ({
  ids,
  copyFrom,
}: {
  readonly ids: readonly string[]
  readonly copyFrom: string
}) => {
  const texts = readTexts().versions.register
  if (ids.length === 0) return null
  return (
    <>
      <h2>{texts.configurationsTitle}</h2>
      <Select
        name="copyFrom"
        label={texts.copyLabel}
        hint={texts.copyHint}
        value={copyFrom}
        options={[
          ...ids.map((id) => ({ value: id, text: texts.copyOption(id) })),
          { value: '', text: texts.copyNone },
        ]}
      />
    </>
  )
}

async function confirm(
  context: PageContext,
  typed: TypedVersion,
  reach: VersionReach,
  refused: Pick<Confirmation, 'problem' | 'typed' | 'isOther'> = {},
) {
  const texts = readTexts().versions.register
  return showConfirmation(context, {
    title: texts.confirmTitle(typed.id),
    trail: toVersionsTrail(),
    operation: putVersion,
    to: here,
    name: typed.id,
    button: texts.button,
    effect: await readEffect(context, typed, reach),
    wayBack: { sentence: texts.wayBack },
    ...refused,
    children: (
      <>
        <AffectedDevices reach={reach} />
        <form method="post" action={here}>
          <HiddenFields values={listFields(typed)} />
          <button type="submit" name="choice" value="edit" class="second">
            {texts.editButton}
          </button>
        </form>
      </>
    ),
    fields: <HiddenFields values={[...listFields(typed), ['maxReach', String(reach.reach)]]} />,
  })
}

/** All that was typed. */
const listFields = ({ id, flags, installers, copyFrom }: TypedVersion): Typed => [
  ['id', id],
  ['copyFrom', copyFrom],
  ...toTypedFlags(flags),
  ...toHiddenInstallers(installers),
]
