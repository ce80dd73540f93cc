/** Tags from a CSV file: its form, and the review of what it would change. */
import {
  changeDevices,
  getTagImport,
  maxImportBytes,
  maxImportRows,
  putTagImport,
  type TagImport,
} from '@cardwire/client/protocol'
import { type UploadForm as ReceivedForm, readUploadForm } from '../../http/upload-form.ts'
import type { Services } from '../../services.ts'
import { type ApiProblem, createAddress, readProblem } from '../frame/api.ts'
import { requireRole, showConfirmation, toPageStatus } from '../frame/change.tsx'
import { FactList } from '../frame/facts.tsx'
import { HiddenFields, ProblemNote } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, formatCount, Table } from '../frame/parts.tsx'
import type { ReviewState } from '../frame/reviewed-change.ts'
import { readTexts } from '../frame/texts.ts'
import { createFault, receiveRest } from '../installers/store-upload.ts'
import { UploadForm } from '../installers/upload-fields.tsx'
import { GroupChanges } from './change-tags.tsx'

const here = 'devices/imports'

type ImportServices = Pick<Services, 'random' | 'allowLongBody'>

export function addTagImport(pages: PageApp, services: ImportServices): void {
  pages.get('/devices/imports', requireRole(putTagImport), (context) => showForm(context))

  pages.post('/devices/imports', requireRole(putTagImport), async (context) => {
    const form = await readUploadForm(context.req.raw)
    const id = services.random.uuid()
    const problem = await send(context, id, form)
    if (!problem) return showNext(context, `${here}/${id}`)
    services.allowLongBody?.(context)
    await receiveRest(form.file.body)
    return showForm(context, problem)
  })

  pages.get('/devices/imports/:id', requireRole(putTagImport), (context) =>
    showImport(context, context.req.param('id')),
  )
}

/** Why the file was refused; undefined: it was read. */
async function send(
  { var: { api } }: PageContext,
  id: string,
  { file }: ReceivedForm,
): Promise<ApiProblem | undefined> {
  if (file.name === '' && file.size === 0)
    return createFault('file', readTexts().installers.faults.file)
  const response = await api.send('PUT', createAddress(putTagImport, { params: { id } }), {
    headers: { 'content-type': 'text/csv', 'content-length': String(file.size) },
    body: file.body,
    // Node wants to be told that the response may come before the end of the body.
    duplex: 'half',
  } as RequestInit)
  return response.ok ? undefined : readProblem(response)
}

const toTrail = () => [{ to: 'devices', text: readTexts().devices.title }]

function showForm(context: PageContext, problem?: ApiProblem): Promise<Response> {
  const texts = readTexts().manyDevices.import
  const isMalformed = problem?.problem === 'body-malformed'
  const fault = isMalformed ? createFault('file', texts.wrongFile) : problem
  return showPage(context, {
    title: texts.title,
    trail: toTrail(),
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={fault} fields={['file']} />
        <p>{texts.about}</p>
        <ul>
          <li>{texts.columns(<code>tags</code>, <code>id</code>, <code>hostname</code>)}</li>
          <li>{texts.cells}</li>
          <li>
            {texts.export((words) => (
              <a href="devices.csv">{words}</a>
            ))}
          </li>
          <li>{texts.limit(maxImportRows)}</li>
        </ul>
        <UploadForm
          to={here}
          button={texts.read}
          maxBytes={maxImportBytes}
          problem={fault}
          label={texts.file}
        />
      </>
    ),
  })
}

/** The review, with why it is shown again. */
export async function showImport(
  context: PageContext,
  id: string,
  state: ReviewState = {},
): Promise<Response> {
  const { data } = await context.var.api.call(getTagImport, { params: { id } })
  const { manyDevices } = readTexts()
  const { import: texts, changes, tags, reach: countReach } = manyDevices
  const { title, effects, wayBack } = changes.importTags
  const { reach, isLarge, groups } = data
  const children = (
    <>
      <div class={reach > 0 ? 'warning' : 'note'}>
        <p>
          <strong>{countReach(reach)}</strong>
        </p>
      </div>
      <Counts review={data} />
      <Left review={data} />
      {reach > 0 && (
        <>
          <ul>
            {effects().map((effect) => (
              <li>{effect}</li>
            ))}
          </ul>
          {groups.length === 0 ? <p>{tags.noGroups}</p> : <GroupChanges groups={groups} />}
        </>
      )}
    </>
  )
  if (reach === 0)
    return showPage(context, {
      ...{ title, trail: toTrail() },
      children: (
        <>
          {children}
          <p>
            <a href={here}>{texts.other}</a>
          </p>
        </>
      ),
    })
  return showConfirmation(context, {
    ...{ title, trail: toTrail(), children, button: title, operation: changeDevices },
    to: createHref('devices/change', { change: 'importTags' }),
    wayBack: { sentence: wayBack },
    ...(isLarge && { name: formatCount(reach), isNumber: true }),
    ...state,
    fields: (
      <HiddenFields
        values={[
          ['id', id],
          ['maxReach', String(reach)],
        ]}
      />
    ),
  })
}

const Counts = ({ review }: { readonly review: TagImport }) => {
  const { import: texts } = readTexts().manyDevices
  const { rows, unchanged, changes } = review
  const { caption, added, removed, devices } = texts.changes
  return (
    <>
      <FactList
        facts={{ [texts.rows]: formatCount(rows), [texts.unchanged]: formatCount(unchanged) }}
      />
      {changes.length > 0 && (
        <Table
          caption={caption}
          head={[added, removed, devices]}
          numbers={[0, 1, 2]}
          rows={changes.map((one) => [
            formatCount(one.added),
            formatCount(one.removed),
            formatCount(one.devices),
          ])}
        />
      )}
    </>
  )
}

/** What the file has and no device gets. */
const Left = ({ review: { unknown, ambiguous, faults } }: { readonly review: TagImport }) => {
  const { import: texts } = readTexts().manyDevices
  const lists = [
    { said: texts.unknown, count: unknown.count, lines: unknown.names },
    { said: texts.ambiguous, count: ambiguous.count, lines: ambiguous.names },
    {
      ...{ said: texts.faulty, count: faults.count },
      lines: faults.rows.map(({ line, fault }) => texts.line(line, texts.faults[fault])),
    },
  ]
  return (
    <>
      {lists
        .filter(({ count }) => count > 0)
        .map(({ said, count, lines }) => (
          <div class="warning">
            <p>{said(count)}</p>
            <ul>
              {lines.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
            {count > lines.length && <p>{texts.others(count - lines.length)}</p>}
          </div>
        ))}
    </>
  )
}
