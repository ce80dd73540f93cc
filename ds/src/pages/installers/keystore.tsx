/** The keystore of a version: a PKCS #12 file with its password, which is never shown again. */
import {
  deleteKeystore,
  getConfiguration,
  listConfigurations,
  listVersions,
  putConfiguration,
  putKeystore,
} from '@cardwire/protocol'
import type { Services } from '../../services.ts'
import { toConfigurationAddress } from '../configurations/configuration-data.ts'
import { draftKeystore } from '../configurations/keystore-draft.tsx'
import { reviewNew, reviewStored } from '../configurations/review.tsx'
import { findOfVersion } from '../configurations/taken.tsx'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { Empty, PageLinks, Table, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { readGroupNames } from '../groups/group-names.ts'
import { createFault, receiveUploadForm, type StoredFile } from './store-upload.ts'
import { UploadForm } from './upload-fields.tsx'

/** The service opens no larger ones: what the form says is in megabytes. */
const maxBytes = 1_000_000

const home = 'keystore'

interface Typed {
  readonly problem?: ApiProblem | undefined
  readonly version?: string | undefined
}

export function addKeystore(pages: PageApp, services: Services): void {
  pages.get('/keystore', (context) => showForm(context, { version: context.req.query('version') }))

  pages.post('/keystore', async (context) => {
    const { fields, stored } = await receiveUploadForm(context, services, putKeystore, findFault)
    const version = fields.get('version') ?? ''
    if (stored instanceof ApiProblem) return showForm(context, { problem: stored, version })
    const put = await attempt(configure(context, version, stored, fields.get('password') ?? ''))
    if (!(put instanceof ApiProblem))
      return showNext(context, `${toConfigurationAddress(put.data.id)}?saved=${put.data.revision}`)
    if (put.problem === 'reach-exceeded') return review(context, version, stored, put)
    // Without its configuration no device would use the file.
    if (stored.created)
      await attempt(context.var.api.call(deleteKeystore, { params: { name: stored.name } }))
    return showForm(context, { problem: put, version })
  })

  async function showForm(context: PageContext, { problem, version }: Typed) {
    const { data } = await context.var.api.call(listVersions, { query: { size: '100' } })
    const options = data.items.map(({ id }) => ({ value: id, text: id }))
    const texts = readTexts().keystore
    return showPage(context, {
      title: texts.title,
      status: toPageStatus(problem),
      children: (
        <>
          <p>{texts.about}</p>
          <DocumentLinks to={['keystores']} />
          {await showList(context)}
          <h2>{texts.uploadTitle}</h2>
          {options.length === 0 ? (
            <Empty>
              <p>{texts.noVersions}</p>
            </Empty>
          ) : !mayCall(context, putConfiguration) ? (
            <p>{texts.noPermission}</p>
          ) : (
            <KeystoreForm
              problem={problem}
              version={version}
              options={options}
              maxBytes={maxBytes}
            />
          )}
        </>
      ),
    })
  }
}

/** Devices have the version: the page says how many before they receive the keystore, whose file is stored by now. */
async function review(
  context: PageContext,
  versionId: string,
  { uri, sha256 }: StoredFile,
  { certificate }: ApiProblem,
) {
  const draft = draftKeystore(uri, sha256)
  const known = await findKeystore(context, versionId)
  if (!known) return reviewNew(context, { versionId, type: 'SSL_KEYSTORE' }, draft, { certificate })
  const { data, etag } = await context.var.api.call(getConfiguration, { params: { id: known.id } })
  const stored = { ...data, etag, groupName: undefined }
  return reviewStored(context, stored, draft, { certificate })
}

/** The keystores of all versions, without their passwords. */
async function showList(context: PageContext) {
  const query = { type: 'SSL_KEYSTORE', page: context.req.query('page') } as const
  const { data } = await context.var.api.call(listConfigurations, { query })
  const nameGroup = await readGroupNames(context)
  const { keystore, configurations, groups } = readTexts()
  const texts = keystore.list
  if (data.total === 0) return <p>{texts.empty}</p>
  return (
    <>
      <Table
        caption={texts.caption}
        head={[texts.version, configurations.list.devices, texts.file, texts.expires]}
        rows={data.items
          .filter((item) => item.type === 'SSL_KEYSTORE')
          .map(({ id, versionId, groupId, config: { uri, certificate } }) => [
            <a href={toConfigurationAddress(id)}>{versionId}</a>,
            nameGroup(groupId) ?? groups.allDevices,
            <code>{uri}</code>,
            certificate ? <Time at={certificate.notAfter} /> : texts.unknown,
          ])}
      />
      <PageLinks to={home} query={{}} {...data} />
    </>
  )
}

const shownFields = ['name', 'file', 'versionId', 'config.password']

function KeystoreForm({
  problem,
  version,
  options,
  maxBytes,
}: Typed & {
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly maxBytes: number
}) {
  const texts = readTexts().keystore
  return (
    <>
      <ProblemNote problem={problem} fields={shownFields} />
      <UploadForm
        to={home}
        button={texts.button}
        label={texts.file}
        maxBytes={maxBytes}
        problem={problem}
      >
        <Select
          name="version"
          label={texts.version}
          value={version}
          options={options}
          error={explainField(problem, 'versionId', ['version-unknown'])}
        />
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          error={explainField(problem, 'name', ['keystore-in-use'])}
          maxlength={128}
        />
        <Field
          name="password"
          label={texts.password}
          type="password"
          autocomplete="off"
          hint={texts.passwordHint}
          error={explainField(problem, 'config.password', ['keystore-locked'])}
          maxlength={1024}
          required
        />
      </UploadForm>
    </>
  )
}

const findFault = (fields: URLSearchParams) =>
  fields.get('password')
    ? undefined
    : createFault('config.password', readTexts().keystore.passwordMissing)

/** The one for all devices: those of groups are added and changed as configurations. */
async function findKeystore(context: PageContext, versionId: string) {
  const found = await findOfVersion(context, versionId, 'SSL_KEYSTORE')
  return found
    .filter((configuration) => configuration.type === 'SSL_KEYSTORE')
    .find(({ groupId }) => groupId === undefined)
}

/** Sets the keystore of a version, in place of one that it has. */
async function configure(
  context: PageContext,
  versionId: string,
  { uri, sha256 }: StoredFile,
  password: string,
) {
  const known = await findKeystore(context, versionId)
  const config = { uri, digest: sha256, password }
  const body = { type: 'SSL_KEYSTORE', versionId, config, ...(known && { id: known.id }) } as const
  return context.var.api.call(putConfiguration, { query: { maxReach: '0' }, body })
}
