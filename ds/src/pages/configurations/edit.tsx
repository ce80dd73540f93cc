/** Adds, shows and changes a configuration. */
import {
  type Configuration,
  type ConfigurationInput,
  ConfigurationType,
  patchConfiguration,
  putConfiguration,
} from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import type { Clock } from '../../ports.ts'
import { ApiProblem } from '../frame/api.ts'
import { mayCall, requireRole, toPageStatus } from '../frame/change.tsx'
import { isSame } from '../frame/difference.tsx'
import { editForm } from '../frame/edit-form.ts'
import { FactList } from '../frame/facts.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, Time } from '../frame/parts.tsx'
import { isEditedFurther, PostForm } from '../frame/post-form.tsx'
import { describeProblem } from '../frame/problem-words.ts'
import { type ReviewState, saveReviewed } from '../frame/reviewed-change.ts'
import { SavedNote, UnchangedNote } from '../frame/revisions.tsx'
import { readTexts } from '../frame/texts.ts'
import { toGroupAddress } from '../groups/group-data.ts'
import { readGroupName } from '../groups/group-names.ts'
import { toTrail, toVersionAddress } from '../versions/version-data.ts'
import { ExpiryNote, toCertificateFacts } from './certificate.tsx'
import {
  addGroup,
  createDraft,
  describeConfiguration,
  findConfiguration,
  nameConfiguration,
  readDraft,
  type ShownConfiguration,
  toConfigurationAddress,
  toDraft,
} from './configuration-data.ts'
import type { Draft } from './draft.ts'
import { showNewer } from './newer.tsx'
import {
  addCertificate,
  type NewPlace,
  readMaxReach,
  reviewNew,
  reviewStored,
  toNewAddress,
} from './review.tsx'
import { findOfVersion, isSameSlot, showTaken } from './taken.tsx'
import { findUnknownParts } from './unknown-parts.ts'

export function addConfigurationEditor(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  const showStored: ShowStored = (context, stored, draft, problem, isUnchanged) =>
    showPageOf(context, stored, draft, { problem, isUnchanged, now: clock() })

  pages.get('/configurations/new', async (context) => {
    const place = readPlace(context)
    if (place.versionId === '') return showNext(context, 'configurations/choose')
    const taken = await findOfVersion(context, place.versionId, place.type)
    const [same] = taken.filter((one) => isSameSlot(one, place))
    if (same) return showNext(context, toConfigurationAddress(same.id))
    return showNew(context, place, createDraft(place.type))
  })

  pages.post('/configurations/new', async (context) => {
    const place = readPlace(context)
    const { versionId, type, groupId } = place
    const form = await readForm(context)
    const draft = readDraft(type, form)
    if (isEditedFurther(form)) return showNew(context, place, draft)
    // The operation checks what was typed.
    const body = { versionId, type, groupId, config: draft.config } as ConfigurationInput
    const made = await saveReviewed(form, {
      name: versionId,
      save: (maxReach) => context.var.api.call(putConfiguration, { query: { maxReach }, body }),
      review: (state) => reviewNew(context, place, draft, state),
    })
    if (made instanceof Response) return made
    if (made instanceof ApiProblem) return showNew(context, place, draft, made)
    return showNext(context, `${toVersionAddress(versionId)}?added=${made.data.id}`)
  })

  pages.post('/configurations/:id', requireRole(putConfiguration))
  editForm<ShownConfiguration, Draft>(pages, '/configurations/:id', {
    find: findConfiguration,
    refuse: refuseNewer,
    toAddress: toConfigurationAddress,
    toTyped: toDraft,
    read: (form, stored) => readDraft(stored.type, form, stored),
    show: showStored,
    // Whether a keystore is another one is known once the service has opened the file.
    refuseUnchanged: (context, stored, draft) =>
      stored.type === 'SSL_KEYSTORE'
        ? undefined
        : refuseUnchanged(showStored, context, stored, draft),
    store,
    toNext: ({ id }, saved) =>
      `${toConfigurationAddress(id)}?saved=${(saved as { readonly data: Configuration }).data.revision}`,
    review: {
      name: ({ versionId }) => versionId,
      show: (context, stored, draft, state) =>
        refuseUnchanged(showStored, context, stored, draft, state) ??
        reviewStored(context, stored, draft, state),
    },
    describeConflict,
  })
}

/** `isUnchanged`: whether the form was sent as it was shown. */
type ShowStored = (
  context: PageContext,
  stored: ShownConfiguration,
  draft: Draft,
  problem?: ApiProblem,
  isUnchanged?: boolean,
) => Promise<Response>

const refuseUnchanged = (
  showStored: ShowStored,
  context: PageContext,
  stored: ShownConfiguration,
  draft: Draft,
  state: ReviewState = {},
) =>
  isSame(describeConfiguration(stored), addCertificate(draft, state).words)
    ? showStored(context, stored, draft, undefined, true)
    : undefined

function refuseNewer(context: PageContext, stored: ShownConfiguration) {
  const unknown = findUnknownParts(stored)
  if (unknown.length === 0) return undefined
  return showNewer(context, stored, unknown, context.req.method === 'POST' ? 409 : 200)
}

function readPlace({ req }: PageContext): NewPlace {
  const { versionId = '', type, groupId } = req.query()
  return {
    versionId,
    groupId: groupId || undefined,
    type: ConfigurationType.options.find((one) => one === type) ?? 'CONTEXT_CONFIG',
  }
}

/** A keystore is changed field by field, so that it keeps the password; of the others no part is left over. */
function store(
  context: PageContext,
  { id, type, versionId, groupId }: ShownConfiguration,
  { config }: Draft,
  ifMatch: string,
  form: Form,
) {
  const { api } = context.var
  const query = { maxReach: readMaxReach(form) }
  if (type !== 'SSL_KEYSTORE') {
    const body = { id, type, versionId, groupId, config } as ConfigurationInput
    return api.call(putConfiguration, { query, body }, { ifMatch })
  }
  const patch = { digest: null, ...(config as Record<string, unknown>) }
  const parts = { params: { id }, query, body: { config: patch } }
  return api.call(patchConfiguration, parts, { ifMatch })
}

async function showNew(context: PageContext, place: NewPlace, draft: Draft, problem?: ApiProblem) {
  const { versionId, type, groupId } = place
  const groupName = await readGroupName(context, groupId)
  return showPage(context, {
    title: addGroup(readTexts().configurations.types[type].newTitle(versionId), groupName),
    trail: toTrail(versionId),
    status: toPageStatus(problem),
    children: (
      <>
        {problem?.problem === 'configuration-taken' ? (
          await showTaken(context, {
            sentence: describeProblem(problem).sentence,
            taken: (await findOfVersion(context, versionId, type)).filter((one) =>
              isSameSlot(one, place),
            ),
          })
        ) : (
          <Problems problem={problem} draft={draft} />
        )}
        <GroupNote groupId={groupId} groupName={groupName} />
        <PostForm
          to={toNewAddress(place)}
          button={readTexts().configurations.edit.addButton}
          cancel={toVersionAddress(versionId)}
        >
          {draft.renderFields(problem)}
        </PostForm>
      </>
    ),
  })
}

/** Which devices get it, where these are not all of the version. */
const GroupNote = ({
  groupId,
  groupName,
}: {
  readonly groupId?: string | undefined
  readonly groupName: string | undefined
}) =>
  groupId !== undefined && (
    <p>{readTexts().configurations.onlyFor(<a href={toGroupAddress(groupId)}>{groupName}</a>)}</p>
  )

const showPageOf = (
  context: PageContext,
  stored: ShownConfiguration,
  draft: Draft,
  {
    problem,
    isUnchanged = false,
    now,
  }: {
    readonly problem: ApiProblem | undefined
    readonly isUnchanged: boolean | undefined
    readonly now: number
  },
) => {
  const { id, versionId, revision, updatedAt } = stored
  const texts = readTexts()
  const address = toConfigurationAddress(id)
  const isSaved = context.req.query('saved') === String(revision)
  return showPage(context, {
    title: nameConfiguration(stored),
    trail: toTrail(versionId),
    status: toPageStatus(problem),
    children: (
      <>
        {isSaved && (
          <SavedNote
            text={revision === 1 ? texts.history.added : texts.history.saved}
            undo={
              revision === 1 ? `${address}/remove` : `${address}/history/${revision - 1}/restore`
            }
          />
        )}
        <p class="soft">
          {texts.configurations.edit.changedAt(<Time at={updatedAt} />)}{' '}
          <a href={`${address}/history`}>{texts.history.link}</a>
        </p>
        <GroupNote groupId={stored.groupId} groupName={stored.groupName} />
        {isUnchanged && <UnchangedNote />}
        <Problems problem={problem} draft={draft} />
        {stored.type === 'SSL_KEYSTORE' && (
          <KeystoreFacts
            keystore={stored}
            now={now}
            mayUpload={mayCall(context, putConfiguration)}
          />
        )}
        {mayCall(context, putConfiguration) ? (
          <EditForm stored={stored} fields={draft.renderFields(problem)} />
        ) : (
          draft.words.map(({ label, text }) => (
            <>
              <h2>{label}</h2>
              <pre>{text || texts.frame.conflict.empty}</pre>
            </>
          ))
        )}
      </>
    ),
  })
}

const KeystoreFacts = ({
  keystore: { config, versionId, groupId },
  now,
  mayUpload,
}: {
  readonly keystore: Extract<ShownConfiguration, { type: 'SSL_KEYSTORE' }>
  readonly now: number
  readonly mayUpload: boolean
}) => (
  <>
    <ExpiryNote keystore={config} now={now} />
    <FactList facts={toCertificateFacts(config)} />
    {mayUpload && groupId === undefined && (
      <p>
        <a href={createHref('keystore', { version: versionId })}>{readTexts().keystore.another}</a>
      </p>
    )}
  </>
)

const EditForm = ({
  stored: { id, versionId, etag },
  fields,
}: {
  readonly stored: ShownConfiguration
  readonly fields: Child
}) => {
  const texts = readTexts()
  return (
    <form method="post" action={toConfigurationAddress(id)}>
      {fields}
      <input type="hidden" name="etag" value={etag} />
      <p class="soft">{texts.configurations.edit.applies}</p>
      <div class="actions">
        <button type="submit">{texts.configurations.edit.saveButton}</button>
        <a href={toVersionAddress(versionId)}>{texts.frame.cancel}</a>
        <a class="button second" href={`${toConfigurationAddress(id)}/remove`}>
          {texts.configurations.edit.removeLink}
        </a>
      </div>
    </form>
  )
}

const Problems = ({
  problem,
  draft,
}: {
  readonly problem: ApiProblem | undefined
  readonly draft: Draft
}) => (
  <ProblemNote
    problem={problem}
    fields={(problem?.errors ?? []).map(({ path }) => path).filter(draft.showsError)}
  />
)

function describeConflict(stored: ShownConfiguration, draft: Draft) {
  const before = describeConfiguration(stored)
  return {
    title: nameConfiguration(stored),
    trail: toTrail(stored.versionId),
    kind: 'configuration' as const,
    rows: draft.words.map(({ label, text }, at) => ({
      label,
      stored: before[at]?.text ?? '',
      mine: text,
    })),
    typed: draft.typed,
    mayStore: !draft.hasSecret,
  }
}
