/** The keys that sign tokens and replies: the list with their ages, rotation, revocation. Each act says first whom it reaches. */
import {
  deleteSigningKey,
  getSigningKeyReach,
  listSigningKeys,
  type Output,
  rotateSigningKey,
  type SigningKey,
  SigningKeyUse,
} from '@cardwire/protocol'
import type * as z from 'zod/mini'
import type { Services } from '../../services.ts'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { mayCall } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import { HiddenFields } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Table, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { UseLimit } from '../labels/use-limit.tsx'

type Key = z.output<typeof SigningKey>

const home = 'signing-keys'

const listTrail = () => [{ to: home, text: readTexts().signingKeys.title }]

const uses = SigningKeyUse.options

const keyStates = ['standby', 'announced', 'signing', 'retiring'] as const

type KeyServices = Pick<Services, 'settings'>

export function addSigningKeys(pages: PageApp, services: KeyServices): void {
  pages.get('/signing-keys', (context) => showList(context, services))

  for (const use of uses) {
    confirmAct(pages, `/signing-keys/rotate/${use}`, {
      find: async () => use,
      name: () => readTexts().signingKeys.uses[use].name,
      describe: (context, use) => describeRotation(context, use, services),
      async perform(context) {
        await context.var.api.call(rotateSigningKey, { body: { use } })
        return showDone(context, home, rotateSigningKey)
      },
    })
  }

  confirmAct(pages, '/signing-keys/:id/withdraw', {
    find: findKey,
    name: toShortId,
    describe: describeWithdrawal,
    async perform(context, { id }, form) {
      const query = { maxReach: form.text('maxReach') || '0' }
      await context.var.api.call(deleteSigningKey, { params: { id }, query })
      return showDone(context, home, deleteSigningKey)
    },
  })
}

/** Enough of an id to tell the keys apart. */
export const toShortId = ({ id }: Pick<Key, 'id'>): string => id.slice(0, 8)

const readKeys = async (context: PageContext): Promise<readonly Key[]> =>
  (await context.var.api.call(listSigningKeys, {})).data

async function findKey(context: PageContext): Promise<Key> {
  const id = context.req.param('id')
  const key = (await readKeys(context)).find((one) => one.id === id)
  if (key) return key
  throw new ApiProblem(404, { description: `Cannot find signing key "${id}": it is gone` }, null)
}

type Affected = Exclude<Output<typeof getSigningKeyReach>, Response>['data']

const readAffected = async (context: PageContext, { id }: Key): Promise<Affected> =>
  (await context.var.api.call(getSigningKeyReach, { params: { id } })).data

/** How many of those that the texts of the use name. */
const countAffected = ({ use, reach, labels = 0 }: Affected): number =>
  use === 'application' ? labels : reach

/** How long a key is published before it signs, and after it did. */
const describeOverlap = ({ settings: { keyOverlapS } }: KeyServices): string =>
  readTexts().numbers.duration(keyOverlapS)

async function showList(context: PageContext, services: KeyServices) {
  const keys = await readKeys(context)
  return showPage(context, {
    title: readTexts().signingKeys.title,
    children: (
      <>
        <p>{readTexts().signingKeys.about(describeOverlap(services))}</p>
        <StateMeanings keys={keys} />
        <DocumentLinks to={['keys']} />
        {uses.map((use) => (
          <Keys
            use={use}
            keys={keys.filter((key) => key.use === use)}
            mayChange={mayCall(context, rotateSigningKey)}
          />
        ))}
      </>
    ),
  })
}

/** What the states of the listed keys mean. */
const StateMeanings = ({ keys }: { readonly keys: readonly Key[] }) => {
  const { states, stateMeanings } = readTexts().signingKeys
  return (
    <ul>
      {keyStates
        .filter((state) => keys.some((key) => key.state === state))
        .map((state) => (
          <li>
            <strong>{states[state]}.</strong> {stateMeanings[state]}
          </li>
        ))}
    </ul>
  )
}

const Withdraw = ({ of: key }: { readonly of: Key }) => (
  <a href={`signing-keys/${encodeURIComponent(key.id)}/withdraw`}>
    {readTexts().signingKeys.revocation.link(
      (words) => (
        <span class="unseen">{words}</span>
      ),
      toShortId(key),
    )}
  </a>
)

const Keys = ({
  use,
  keys,
  mayChange,
}: {
  readonly use: SigningKeyUse
  readonly keys: readonly Key[]
  readonly mayChange: boolean
}) => {
  const { uses: useTexts, columns, states, empty } = readTexts().signingKeys
  const texts = useTexts[use]
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.about}</p>
      {keys.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <Table
          caption={texts.caption}
          head={[
            columns.id,
            columns.status,
            columns.algorithm,
            columns.created,
            columns.signsFrom,
            ...(mayChange ? [columns.actions] : []),
          ]}
          rows={keys.map((key) => [
            <code>{toShortId(key)}</code>,
            <span class={key.state === 'signing' ? 'tag good' : 'tag'}>{states[key.state]}</span>,
            key.algorithm,
            <Time at={key.createdAt} />,
            key.signsFrom && <Time at={key.signsFrom} />,
            ...(mayChange ? [<Withdraw of={key} />] : []),
          ])}
        />
      )}
      {mayChange && (
        <p>
          <a class="button second" href={`signing-keys/rotate/${use}`}>
            {texts.rotate}
          </a>
        </p>
      )}
    </section>
  )
}

async function describeRotation(context: PageContext, use: SigningKeyUse, services: KeyServices) {
  const keys = (await readKeys(context)).filter((key) => key.use === use)
  const signing = keys.find(({ state }) => state === 'signing')
  const reach = signing ? countAffected(await readAffected(context, signing)) : 0
  const { rotation, uses: useTexts } = readTexts().signingKeys
  return {
    title: useTexts[use].rotateTitle,
    trail: listTrail(),
    operation: rotateSigningKey,
    button: rotation.button,
    wayBack: { sentence: rotation.wayBack },
    isDangerous: false,
    children: (
      <p>
        {rotation.about(
          <strong>{useTexts[use].affected(reach)}</strong>,
          describeOverlap(services),
        )}
      </p>
    ),
  }
}

/** Whether devices will trust the next key: they learn a key when they synchronize. */
const ForDevices = ({
  revoked,
  unsynced,
  keys,
}: {
  readonly revoked: Key
  /** Devices that do not know the next key. */
  readonly unsynced: number
  readonly keys: readonly Key[]
}) => {
  const texts = readTexts().signingKeys.revocation
  if (revoked.state === 'retiring') return null
  if (revoked.state !== 'signing') return <p class="warning">{texts.spare}</p>
  const isOf = (state: Key['state']) => (key: Key) => key.use === 'reply' && key.state === state
  const next = keys.find(isOf('announced')) ?? keys.find(isOf('standby'))
  if (!next) return null
  return (
    <p class={unsynced > 0 ? 'warning' : undefined}>
      {texts.successorKnown(
        <Time at={next.createdAt} />,
        unsynced,
        <code>CARDWIRE_DS_FINGERPRINTS</code>,
        (words) => (
          <strong>{words}</strong>
        ),
      )}
    </p>
  )
}

const UsesOfTokens = ({ of: uses }: { readonly of: number }) => {
  const { signingKeys, labels } = readTexts()
  return (
    <p>
      {signingKeys.uses.application.uses(uses, (words) => (
        <strong>{words}</strong>
      ))}{' '}
      {labels.reportedLater}
    </p>
  )
}

async function describeWithdrawal(context: PageContext, key: Key) {
  const found = await readAffected(context, key)
  const { reach, labels = 0, unsynced = 0 } = found
  const { revocation: texts, uses: useTexts, states } = readTexts().signingKeys
  const { title, affected } = useTexts[key.use]
  return {
    title: texts.title(toShortId(key)),
    trail: listTrail(),
    operation: deleteSigningKey,
    button: texts.button,
    wayBack: 'none' as const,
    children: (
      <>
        <p>{texts.about(title, states[key.state], <Time at={key.createdAt} />)}</p>
        <p>
          {texts.effect(<strong>{affected(countAffected(found))}</strong>)}
          {key.state === 'signing' && ` ${texts.successor}`}
        </p>
        {labels > 0 && <UsesOfTokens of={reach} />}
        {key.use === 'reply' && (
          <ForDevices revoked={key} unsynced={unsynced} keys={await readKeys(context)} />
        )}
      </>
    ),
    fields:
      key.use === 'application' ? (
        <UseLimit of={reach} />
      ) : (
        <HiddenFields values={[['maxReach', String(reach)]]} />
      ),
  }
}
