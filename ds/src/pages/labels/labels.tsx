/** Labels: the list, and a new one, whose API key is shown once. */
import {
  getOrganization,
  type Label,
  listLabels,
  listOrganizations,
  putLabel,
  putOrganization,
} from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { Field, ProblemNote, Select } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { findNamed, type NamedChoice, NamedFilter, toOptions } from '../frame/named-filter.tsx'
import { readNames } from '../frame/names.ts'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, PageLinks, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { showSecret } from '../frame/shown-secret.tsx'
import { readTexts } from '../frame/texts.ts'

export const labelsHome = {
  to: 'labels',
  get text() {
    return readTexts().labels.title
  },
}
export const toLabelAddress = (id: string) => `labels/${encodeURIComponent(id)}`

interface Typed {
  readonly problem?: ApiProblem
  readonly name?: string
  readonly orgId?: string | undefined
}

export function addLabels(pages: PageApp): void {
  pages.get('/labels', showList)
  pages.get('/labels/new', (context) => showNew(context, { orgId: context.req.query('orgId') }))
  pages.post('/labels/new', async (context) => {
    const form = await readForm(context)
    const { id: orgId = '' } = await findOrganization(context, form.text('orgId'))
    const body = { name: form.text('name'), orgId }
    const made = await attempt(context.var.api.call(putLabel, { query: {}, body }))
    if (made instanceof ApiProblem) return showNew(context, { problem: made, ...body })
    const { apiKey = '', ...label } = made.data
    return showKey(context, label, apiKey)
  })
}

/** Shows the key of a label, for the only time. */
export function showKey(
  context: PageContext,
  { id, name, replacedKeyUntil }: Label,
  apiKey: string,
) {
  const texts = readTexts().labels.key
  return showSecret(context, {
    title: texts.title(name),
    trail: [labelsHome, { to: toLabelAddress(id), text: name }],
    id: 'api-key',
    copyLabel: texts.copy,
    secret: apiKey,
    warning: texts.warning,
    done: texts.done,
    children: (
      <>
        {texts.use(<code>apikey</code>, <code>GET /v3/tokens/application</code>)}
        {replacedKeyUntil !== undefined && <> {texts.oldKey(<Time at={replacedKeyUntil} />)}</>}
      </>
    ),
  })
}

async function showList(context: PageContext) {
  const { name, page } = context.req.query()
  const organization = await findOrganization(context, context.req.query('orgId'))
  const { id: orgId } = organization
  const query = { name: name || undefined, orgId, page }
  const { data } = await context.var.api.call(listLabels, { query })
  const isFiltered = Boolean(name || orgId)
  const nameOf = await readOrganizationNames(context, data.items)
  const texts = readTexts().labels
  return showPage(context, {
    title: texts.title,
    children: (
      <>
        <p>{texts.about}</p>
        {mayCall(context, putLabel) && (
          <p>
            <a class="button" href={createHref('labels/new', { orgId })}>
              {texts.add.link}
            </a>
          </p>
        )}
        <search>
          <form class="filters" method="get" action={labelsHome.to}>
            <Field name="name" label={texts.name} type="search" value={name} maxlength={200} />
            <NamedFilter name="orgId" label={texts.organization} choice={organization} />
            <button type="submit">{readTexts().frame.search}</button>
            {isFiltered && <a href={labelsHome.to}>{readTexts().frame.showAll}</a>}
          </form>
        </search>
        {data.total === 0 ? (
          <Empty>
            <p>{isFiltered ? texts.noMatch : texts.empty}</p>
          </Empty>
        ) : (
          <Table
            caption={texts.title}
            head={[texts.name, texts.organization, texts.apiKey, texts.keyLastUsed]}
            rows={data.items.map((label) => [
              <a href={toLabelAddress(label.id)}>{label.name}</a>,
              <a href={`organizations/${encodeURIComponent(label.orgId)}`}>
                {nameOf(label.orgId)}
              </a>,
              <KeyState label={label} />,
              describeKeyUse(label),
            ])}
          />
        )}
        <PageLinks to={labelsHome.to} query={{ name, orgId }} {...data} />
      </>
    ),
  })
}

/** The organization that was chosen or typed. */
const findOrganization = (
  { var: { api } }: PageContext,
  typed: string | undefined,
): Promise<NamedChoice> =>
  findNamed(
    async (name) => (await api.call(listOrganizations, { query: { name, size: '100' } })).data,
    typed,
  )

/** The names of the organizations of labels, by their ids. */
export const readOrganizationNames = (
  { var: { api } }: PageContext,
  labels: readonly Pick<Label, 'orgId'>[],
): Promise<(id: string) => string> =>
  readNames(
    labels.map(({ orgId }) => orgId),
    async (id) => (await api.call(getOrganization, { params: { id } })).data.name,
  )

/** The last day on which its key fetched a token. */
export const describeKeyUse = ({ keyUsedAt }: Label): string =>
  keyUsedAt === undefined ? readTexts().labels.never : readTexts().numbers.day(keyUsedAt)

export const KeyState = ({ label: { keyState } }: { readonly label: Label }) => (
  <span class={keyState === 'active' ? 'tag good' : 'tag bad'}>
    {keyState === 'active' ? readTexts().labels.keyWorks : readTexts().labels.keyRevoked}
  </span>
)

async function showNew(context: PageContext, { problem, name, orgId }: Typed = {}) {
  const organization = await findOrganization(context, orgId)
  const texts = readTexts().labels
  return showPage(context, {
    title: texts.add.title,
    trail: [labelsHome],
    status: toPageStatus(problem),
    children: !mayCall(context, putLabel) ? (
      <p>{readTexts().frame.noPermission}</p>
    ) : organization.options?.length === 0 ? (
      <Empty>
        <p>{texts.add.noOrganizations}</p>
        {mayCall(context, putOrganization) && (
          <p>
            <a class="button" href="organizations">
              {texts.add.addOrganization}
            </a>
          </p>
        )}
      </Empty>
    ) : (
      <>
        <ProblemNote problem={problem} fields={['name', 'orgId']} />
        <PostForm to="labels/new" button={texts.add.button} cancel={labelsHome.to}>
          <Field
            name="name"
            label={texts.name}
            hint={texts.nameHint}
            value={name}
            error={explainField(problem, 'name', ['label-taken'])}
            required
            maxlength={200}
          />
          <OrganizationField problem={problem} choice={organization} />
          <p>{texts.add.note}</p>
        </PostForm>
      </>
    ),
  })
}

/** A choice; where there are too many, a name or an id is typed. */
const OrganizationField = ({
  problem,
  choice: { id, options, shown },
}: {
  readonly problem: ApiProblem | undefined
  readonly choice: NamedChoice
}) => {
  const fieldProps = {
    name: 'orgId',
    label: readTexts().labels.organization,
    error: explainField(problem, 'orgId', ['organization-unknown']),
  }
  return options ? (
    <Select {...fieldProps} value={id} options={toOptions(options)} />
  ) : (
    <Field
      {...fieldProps}
      hint={readTexts().frame.nameOrId}
      value={shown}
      required
      maxlength={200}
    />
  )
}
