/** Asks before a change to a configuration is saved: which devices receive it, what it removes and adds, which sites lose access. */
import {
  type ConfigurationReach,
  type ConfigurationType,
  getConfigurationReach,
  getVersionConfigurationReach,
  putConfiguration,
  type Role,
} from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import type { ApiProblem } from '../frame/api.ts'
import { showConfirmation } from '../frame/change.tsx'
import { Changes, findDifference, type Part } from '../frame/difference.tsx'
import { Field, HiddenFields } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import type { PageContent } from '../frame/layout.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { createHref, formatCount, Table } from '../frame/parts.tsx'
import type { ReviewState } from '../frame/reviewed-change.ts'
import { readTexts } from '../frame/texts.ts'
import { toTrail } from '../versions/version-data.ts'
import {
  describeConfiguration,
  nameInVersion,
  type ShownConfiguration,
  toConfigurationAddress,
} from './configuration-data.ts'
import type { Draft } from './draft.ts'

interface Review extends Pick<PageContent, 'title' | 'trail'> {
  /** What saves the change: users who may not call it get no form. */
  readonly operation: { readonly access: Role }
  /** Where the form goes. */
  readonly to: string
  readonly versionId: string
  readonly reach: ConfigurationReach
  readonly before: readonly Part[]
  readonly after: readonly Part[]
  /** The text of the button. */
  readonly button: string
  /** What was typed, and is sent again with the confirmation. */
  readonly hidden: readonly (readonly [name: string, value: string])[]
  /** Fields that have to be filled in again. */
  readonly fields?: Child
  /** Before what changes. */
  readonly about?: Child
  /** Whether it would save what is stored: there is nothing to confirm then. */
  readonly isUnchanged?: boolean
  /** Whether the form that `hidden` was typed in can be opened again. */
  readonly mayEdit?: boolean
  /** Whether something else has to be done first, as `about` says: there is no form. */
  readonly isRefused?: boolean
  readonly problem?: ApiProblem | undefined
  readonly typed?: string | undefined
  readonly effect?: string | undefined
  readonly isOther?: boolean | undefined
}

/** The version is typed where the change reaches a large part of all devices. */
export function showReview(
  context: PageContext,
  {
    versionId,
    reach,
    before,
    after,
    hidden,
    fields,
    about,
    isUnchanged = false,
    isRefused = false,
    ...rest
  }: Review,
): Promise<Response> {
  const texts = readTexts().history.review
  return showConfirmation(context, {
    ...rest,
    ...(reach.isLarge && { name: versionId }),
    wayBack: 'undo',
    isRefused: isRefused || isUnchanged,
    children: (
      <>
        {!isUnchanged && (
          <>
            {about}
            <Affected reach={reach} lost={countLostSites(before, after)} />
          </>
        )}
        {isUnchanged ? (
          <p>{readTexts().history.restoreCurrent}</p>
        ) : (
          <Changes caption={texts.caption} before={before} after={after} />
        )}
      </>
    ),
    fields: (
      <>
        <HiddenFields values={[...hidden, ['maxReach', String(reach.reach)]]} />
        {fields}
      </>
    ),
  })
}

/** What a new configuration is for. */
export interface NewPlace {
  readonly versionId: string
  readonly type: ConfigurationType
  /** Undefined: all devices. */
  readonly groupId?: string | undefined
}

export const toNewAddress = ({ versionId, type, groupId }: NewPlace): string =>
  createHref('configurations/new', { versionId, type, groupId })

/** Before a configuration is added. */
export async function reviewNew(
  context: PageContext,
  place: NewPlace,
  typed: Draft,
  state: ReviewState,
) {
  const draft = addCertificate(typed, state)
  const { versionId, type, groupId } = place
  const parts = { params: { id: versionId }, query: { type, groupId } }
  const { data: reach } = await context.var.api.call(getVersionConfigurationReach, parts)
  return showReview(context, {
    title: readTexts().history.review.title,
    trail: toTrail(versionId),
    to: toNewAddress(place),
    ...{ versionId, reach, before: [], after: draft.words },
    ...toConfirmed(draft),
    ...state,
  })
}

/** Before a configuration is changed. */
export async function reviewStored(
  context: PageContext,
  stored: ShownConfiguration,
  typed: Draft,
  state: ReviewState,
) {
  const draft = addCertificate(typed, state)
  const { id, versionId, etag = '' } = stored
  const { data: reach } = await context.var.api.call(getConfigurationReach, { params: { id } })
  const confirmed = toConfirmed(draft)
  return showReview(context, {
    title: readTexts().history.review.title,
    trail: [...toTrail(versionId), { to: toConfigurationAddress(id), text: nameInVersion(stored) }],
    to: toConfigurationAddress(id),
    ...{ versionId, reach, before: describeConfiguration(stored), after: draft.words },
    ...confirmed,
    hidden: [...confirmed.hidden, ['etag', etag]],
    ...state,
  })
}

/** The draft with what the service has found in its keystore. */
export const addCertificate = (draft: Draft, { certificate }: ReviewState): Draft =>
  (certificate && draft.withCertificate?.(certificate)) ?? draft

/** What the review sends again. */
const toConfirmed = (draft: Draft) => ({
  operation: putConfiguration,
  button: readTexts().history.review.apply,
  hidden: draft.typed,
  mayEdit: true,
  fields: draft.hasSecret && <SecretField />,
})

/** The field of a secret that was typed before: no page has it. */
const SecretField = () => {
  const texts = readTexts().history.review
  return (
    <Field
      name="password"
      label={texts.passwordAgain}
      hint={texts.passwordHint}
      type="password"
      autocomplete="off"
      maxlength={1024}
      required
    />
  )
}

/** The most devices that a change may reach: as many as were shown, or none without a review. */
export const readMaxReach = (form: Form): string => form.text('maxReach') || '0'

const Affected = ({
  reach: { reach, offered, waiting, platforms },
  lost,
}: {
  readonly reach: ConfigurationReach
  readonly lost: number
}) => {
  const texts = readTexts()
  return (
    <>
      <div class={reach > 0 && lost > 0 ? 'warning' : 'note'}>
        <p>
          {(reach > offered || waiting === 0) && (
            <strong>{texts.history.review.reach(reach - offered)}</strong>
          )}
          {offered > 0 && <> {texts.history.review.offered(offered)}</>}
          {waiting > 0 && <> {texts.history.review.waiting(waiting)}</>}
          {reach > 0 && lost > 0 && <> {texts.history.review.lost(lost)}</>}
        </p>
      </div>
      {platforms.length > 0 && (
        <Table
          caption={texts.configurations.remove.caption}
          head={[texts.configurations.remove.system, texts.configurations.remove.devices]}
          rows={platforms.map(({ platform, count }) => [
            texts.systems[platform],
            formatCount(count),
          ])}
        />
      )}
    </>
  )
}

/** Origins that were allowed, and no longer are. */
export function countLostSites(before: readonly Part[], after: readonly Part[]): number {
  const { origins } = readTexts().configurations.allowlist
  const textOf = (parts: readonly Part[]) =>
    parts.find(({ label }) => label === origins)?.text ?? ''
  return findDifference(textOf(before), textOf(after)).removed.length
}
