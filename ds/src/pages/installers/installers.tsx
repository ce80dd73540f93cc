/** The files of installers: the list, and the upload of one. */
import { listInstallers, putInstaller } from '@cardwire/protocol'
import type { Services } from '../../services.ts'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { Checkbox, Field, HiddenFields, ProblemNote } from '../frame/fields.tsx'
import { formatBytes } from '../frame/format-bytes.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Empty, PageLinks, SearchForm, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { receiveUploadForm } from './store-upload.ts'
import { UploadForm } from './upload-fields.tsx'

export const installersHome = {
  to: 'installers',
  get text() {
    return readTexts().installers.title
  },
}
export const toInstallerAddress = (name: string) => `installers/${encodeURIComponent(name)}`

interface UploadProps {
  /** The largest file, in bytes. */
  readonly maxBytes: number
  /** Why a form was refused, and what was typed in it. */
  readonly problem?: ApiProblem | undefined
  readonly fields?: URLSearchParams | undefined
  /** What the file was to be called. */
  readonly name?: string | undefined
}

export function addInstallers(pages: PageApp, services: Services): void {
  const { maxBytes } = services.packages
  pages.get('/installers', (context) => showList(context, { maxBytes }))

  pages.post('/installers', async (context) => {
    const { fields, name, stored } = await receiveUploadForm(context, services, putInstaller)
    if (stored instanceof ApiProblem)
      return showList(context, { maxBytes, problem: stored, fields, name })
    return showDone(context, toInstallerAddress(stored.name), putInstaller)
  })
}

async function showList(context: PageContext, upload: UploadProps) {
  const { name: search = '', page } = context.req.query()
  const query = { name: search || undefined, page }
  const { data } = await context.var.api.call(listInstallers, { query })
  const texts = readTexts().installers
  return showPage(context, {
    title: texts.title,
    status: toPageStatus(upload.problem),
    children: (
      <>
        <p>{texts.about}</p>
        <DocumentLinks to={['installers']} />
        {mayCall(context, putInstaller) && <Upload {...upload} />}
        <div data-files="">
          <h2>{texts.files}</h2>
          <SearchForm to={installersHome.to} label={texts.search} value={search} />
          {data.total === 0 ? (
            <Empty>
              <p>{search === '' ? texts.empty : texts.noMatch}</p>
            </Empty>
          ) : (
            <Table
              caption={texts.caption}
              head={[texts.name, texts.size]}
              numbers={[1]}
              rows={data.items.map(({ name, size }) => [
                <a href={toInstallerAddress(name)}>{name}</a>,
                <span title={texts.bytes(size)}>{formatBytes(size)}</span>,
              ])}
            />
          )}
          <PageLinks to={installersHome.to} query={{ name: search }} {...data} />
        </div>
      </>
    ),
  })
}

const Upload = ({ maxBytes, problem, fields, name = '' }: UploadProps) => {
  const { upload: texts, manifest } = readTexts().installers
  const reach = problem?.reach
  return (
    <>
      <h2>{texts.title}</h2>
      {reach === undefined ? (
        <ProblemNote problem={problem} fields={['name', 'sha256', 'file']} />
      ) : (
        <div class="note" role="alert">
          <p>{manifest.affects(reach)}</p>
        </div>
      )}
      <UploadForm
        to={installersHome.to}
        button={texts.button}
        label={texts.file}
        maxBytes={maxBytes}
        problem={problem}
        several
      >
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          value={fields?.get('name') ?? ''}
          error={explainField(problem, 'name', ['installer-in-use'])}
          maxlength={128}
        />
        <Field
          name="sha256"
          label={texts.hash}
          hint={texts.hashHint}
          value={fields?.get('sha256') ?? ''}
          error={explainField(problem, 'sha256', ['digest-mismatch'])}
          maxlength={100}
        />
        {reach !== undefined && (
          <>
            <HiddenFields values={[['reviewed', name]]} />
            <Checkbox name="maxReach" value={String(reach)} label={manifest.confirm(reach)} />
          </>
        )}
      </UploadForm>
    </>
  )
}
