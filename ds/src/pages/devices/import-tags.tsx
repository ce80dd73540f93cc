/** Tags from a CSV file or from pasted rows: the form, and the review of what they would change. */
import {
  changeDevices,
  getTagImport,
  maxImportBytes,
  maxImportRows,
  Problem,
  putTagImport,
  type TagImport,
} from '@cardwire/protocol'
import {
  type UploadForm as ReceivedForm,
  readUploadForm,
  type UploadedFile,
} from '../../http/upload-form.ts'
import type { Services } from '../../services.ts'
import { type ApiProblem, createAddress, readProblem } from '../frame/api.ts'
import { requireRole, showConfirmation, toPageStatus } from '../frame/change.tsx'
import { FactList } from '../frame/facts.tsx'
import { HiddenFields, ProblemNote, TextField } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, formatCount, Table } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
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
    const id = services.random.uuid()
    if (!isUpload(context)) return receivePasted(context, id)
    const form = await readUploadForm(context.req.raw)
    const problem = await send(context, id, form)
    if (!problem) return showNext(context, `${here}/${id}`)
    services.allowLongBody?.(context)
    await receiveRest(form.file.body)
    return showForm(context, { problem })
  })

  pages.get('/devices/imports/:id', requireRole(putTagImport), (context) =>
    showImport(context, context.req.param('id')),
  )
}

const isUpload = ({ req }: PageContext) =>
  !/^application\/x-www-form-urlencoded\b/i.test(req.header('content-type') ?? '')

/** A form with so many characters of any script has less than the mebibyte that a page receives. */
const maxPasted = 100_000

async function receivePasted(context: PageContext, id: string): Promise<Response> {
  const texts = readTexts().manyDevices.import
  const rows = await readPasted(context)
  const refuse = (fault: string) =>
    showForm(context, { problem: createFault('rows', fault), rows, fault })
  if (rows === undefined || rows.length > maxPasted) return refuse(texts.tooLong(maxPasted))
  if (rows.trim() === '') return refuse(texts.noRows)
  const bytes = new TextEncoder().encode(rows)
  const problem = await put(context, id, { body: new Blob([bytes]).stream(), size: bytes.length })
  if (!problem) return showNext(context, `${here}/${id}`)
  return problem.problem === 'body-malformed'
    ? refuse(texts.wrongRows)
    : showForm(context, { problem, rows })
}

/** Exactly as they were pasted, because a tab at the end begins an empty cell; undefined: they are too large for a form. */
async function readPasted(context: PageContext): Promise<string | undefined> {
  try {
    return (await readForm(context)).secret('rows').replaceAll('\r\n', '\n')
  } catch (error) {
    if (error instanceof Problem && error.name === 'body-too-large') return undefined
    throw error
  }
}

/** Why the file was refused; undefined: it was read. */
async function send(
  context: PageContext,
  id: string,
  { file }: ReceivedForm,
): Promise<ApiProblem | undefined> {
  if (file.name === '' && file.size === 0)
    return createFault('file', readTexts().installers.faults.file)
  return put(context, id, file)
}

async function put(
  { var: { api } }: PageContext,
  id: string,
  { size, body }: Pick<UploadedFile, 'size' | 'body'>,
): Promise<ApiProblem | undefined> {
  const response = await api.send('PUT', createAddress(putTagImport, { params: { id } }), {
    headers: { 'content-type': 'text/csv', 'content-length': String(size) },
    body,
    // Node wants to be told that the response may come before the end of the body.
    duplex: 'half',
  } as RequestInit)
  return response.ok ? undefined : readProblem(response)
}

const toTrail = () => [{ to: 'devices', text: readTexts().devices.title }]

interface FormState {
  readonly problem?: ApiProblem | undefined
  /** What was pasted. */
  readonly rows?: string | undefined
  /** What is wrong with that. */
  readonly fault?: string
}

function showForm(
  context: PageContext,
  { problem, rows, fault: wrongRows }: FormState = {},
): Promise<Response> {
  const texts = readTexts().manyDevices.import
  const isMalformed = problem?.problem === 'body-malformed'
  const fault = isMalformed ? createFault('file', texts.wrongFile) : problem
  return showPage(context, {
    title: texts.title,
    trail: toTrail(),
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={fault} fields={['file', 'rows']} />
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
        <PostForm to={here} button={texts.readPasted}>
          <TextField
            name="rows"
            label={texts.pasted}
            hint={texts.pastedHint(maxPasted)}
            value={rows ?? ''}
            error={wrongRows}
          />
        </PostForm>
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
