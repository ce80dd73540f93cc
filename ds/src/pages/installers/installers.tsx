/** The files of installers: the list, and the upload of one. */
import { listInstallers, putInstaller } from '@cardwire/client/protocol'
import type { Services } from '../../services.ts'
import { ApiProblem } from '../frame/api.ts'
import { explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { formatBytes } from '../frame/format-bytes.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { Empty, formatCount, PageLinks, SearchForm, Table } from '../frame/parts.tsx'
import { receiveUploadForm } from './store-upload.ts'
import { UploadForm } from './upload-fields.tsx'

export const installersHome = { to: 'installers', text: 'Installers' }
export const toInstallerAddress = (name: string) => `installers/${encodeURIComponent(name)}`

interface UploadProps {
  /** The largest file, in bytes. */
  readonly maxBytes: number
  /** Why a form was refused, and what was typed in it. */
  readonly problem?: ApiProblem | undefined
  readonly fields?: URLSearchParams | undefined
}

export function addInstallers(pages: PageApp, services: Services): void {
  const { maxBytes } = services.packages
  pages.get('/installers', (context) => showList(context, { maxBytes }))

  pages.post('/installers', async (context) => {
    const { fields, stored } = await receiveUploadForm(context, services, putInstaller)
    if (stored instanceof ApiProblem)
      return showList(context, { maxBytes, problem: stored, fields })
    return showNext(context, toInstallerAddress(stored.name))
  })
}

async function showList(context: PageContext, { maxBytes, problem, fields }: UploadProps) {
  const { name: search = '', page } = context.req.query()
  const query = { name: search || undefined, page }
  const { data } = await context.var.api.call(listInstallers, { query })
  return showPage(context, {
    title: 'Installers',
    status: toPageStatus(problem),
    children: (
      <>
        <p>
          Files that versions name, and that anyone may download. A file that a version names does
          not change any more.
        </p>
        {mayCall(context, putInstaller) && (
          <Upload maxBytes={maxBytes} problem={problem} fields={fields} />
        )}
        <h2>Files</h2>
        <SearchForm to={installersHome.to} label="Name of the file" value={search} />
        {data.total === 0 ? (
          <Empty>
            <p>
              {search === ''
                ? 'There is no file yet. Upload the package of a connector, then publish a version that names it.'
                : 'No file has this in its name.'}
            </p>
          </Empty>
        ) : (
          <Table
            caption="Files in the packages"
            head={['Name', 'Size']}
            numbers={[1]}
            rows={data.items.map(({ name, size }) => [
              <a href={toInstallerAddress(name)}>{name}</a>,
              <span title={`${formatCount(size)} bytes`}>{formatBytes(size)}</span>,
            ])}
          />
        )}
        <PageLinks to={installersHome.to} query={{ name: search }} {...data} />
      </>
    ),
  })
}

const Upload = ({ maxBytes, problem, fields }: UploadProps) => (
  <>
    <h2>Upload an installer</h2>
    <ProblemNote problem={problem} fields={['name', 'sha256', 'file']} />
    <UploadForm
      to={installersHome.to}
      button="Upload the installer"
      label="Package"
      maxBytes={maxBytes}
      problem={problem}
    >
      <Field
        name="name"
        label="Name (optional)"
        hint="Without one it keeps its own. Letters, digits and . _ + ~ - are allowed."
        value={fields?.get('name') ?? ''}
        error={explainField(problem, 'name', ['installer-in-use'])}
        maxlength={128}
      />
      <Field
        name="sha256"
        label="SHA-256 (optional)"
        hint="As its publisher gives it: a file with another one is not stored."
        value={fields?.get('sha256') ?? ''}
        error={explainField(problem, 'sha256', ['digest-mismatch'])}
        maxlength={100}
      />
    </UploadForm>
  </>
)
