/** The keys that sign tokens and replies: the list with their ages, rotation, withdrawal. Each act says first whom it reaches. */
import {
  deleteSigningKey,
  getSigningKeyReach,
  listSigningKeys,
  rotateSigningKey,
  type SigningKey,
  type SigningKeyUse,
} from '@cardwire/client/protocol'
import type * as z from 'zod/mini'
import { ApiProblem } from './frame/api.ts'
import { mayCall } from './frame/change.tsx'
import { confirmAct } from './frame/confirm-act.ts'
import { showPage } from './frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from './frame/page-env.ts'
import { formatCount, Table, Time } from './frame/parts.tsx'

type Key = z.output<typeof SigningKey>

const home = { to: 'signing-keys', text: 'Signing keys' }

/** What keys of a use sign, and who verifies with them. */
const uses: Readonly<
  Record<
    SigningKeyUse,
    {
      readonly title: string
      readonly about: string
      readonly who: readonly [one: string, many: string]
    }
  >
> = {
  application: {
    title: 'Application tokens',
    about: 'Connectors accept a page by the token of its application, which these keys sign.',
    who: [
      'label whose key fetched a token since yesterday',
      'labels whose keys fetched tokens since yesterday',
    ],
  },
  administrator: {
    title: 'Access tokens of administrators',
    about: 'The service knows its administrators and their programs by tokens of these keys.',
    who: ['open session', 'open sessions'],
  },
  reply: {
    title: 'Replies to connectors',
    about: 'Connectors follow a policy only when one of these keys has signed it.',
    who: ['device', 'devices'],
  },
}

export function addSigningKeys(pages: PageApp): void {
  pages.get('/signing-keys', showList)

  for (const use of Object.keys(uses) as SigningKeyUse[]) {
    confirmAct(pages, `/signing-keys/rotate/${use}`, {
      find: async () => use,
      name: () => use,
      describe: describeRotation,
      async perform(context) {
        await context.var.api.call(rotateSigningKey, { body: { use } })
        return showNext(context, home.to)
      },
    })
  }

  confirmAct(pages, '/signing-keys/:id/withdraw', {
    find: findKey,
    name: toShortId,
    describe: describeWithdrawal,
    async perform(context, { id }, form) {
      const query = { maxReach: form.text('reach') || undefined }
      await context.var.api.call(deleteSigningKey, { params: { id }, query })
      return showNext(context, home.to)
    },
  })
}

/** Who verifies with the keys of a use: `1,204 devices`. */
const countWho = (use: SigningKeyUse, reach: number): string =>
  `${formatCount(reach)} ${uses[use].who[reach === 1 ? 0 : 1]}`

/** Enough of an id to tell the keys apart. */
const toShortId = ({ id }: Key): string => id.slice(0, 8)

const readKeys = async (context: PageContext): Promise<readonly Key[]> =>
  (await context.var.api.call(listSigningKeys, {})).data

async function findKey(context: PageContext): Promise<Key> {
  const id = context.req.param('id')
  const key = (await readKeys(context)).find((one) => one.id === id)
  if (key) return key
  throw new ApiProblem(404, { description: `Cannot find signing key "${id}": it is gone` }, null)
}

const readAffected = async (context: PageContext, { id }: Key): Promise<number> =>
  (await context.var.api.call(getSigningKeyReach, { params: { id } })).data.reach

async function showList(context: PageContext) {
  const keys = await readKeys(context)
  return showPage(context, {
    title: home.text,
    children: (
      <>
        <p>
          A key is replaced without anybody noticing: the new one is published, and signs after a
          day or more. Withdraw a key at once only when somebody else may know it.
        </p>
        {(Object.keys(uses) as SigningKeyUse[]).map((use) => (
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

const Withdraw = ({ of: key }: { readonly of: Key }) => (
  <a href={`signing-keys/${encodeURIComponent(key.id)}/withdraw`}>
    Withdraw<span class="unseen"> {toShortId(key)}</span>
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
}) => (
  <section>
    <h2>{uses[use].title}</h2>
    <p>{uses[use].about}</p>
    {keys.length === 0 ? (
      <p>None has been needed yet.</p>
    ) : (
      <Table
        caption={`Keys: ${uses[use].title}`}
        head={['Id', 'State', 'Algorithm', 'Made', 'Signs from', ...(mayChange ? ['Change'] : [])]}
        rows={keys.map((key) => [
          <code>{toShortId(key)}</code>,
          <span class={key.state === 'signing' ? 'tag good' : 'tag'}>{key.state}</span>,
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
          Rotate the {use} key
        </a>
      </p>
    )}
  </section>
)

async function describeRotation(context: PageContext, use: SigningKeyUse) {
  const keys = (await readKeys(context)).filter((key) => key.use === use)
  const signing = keys.find(({ state }) => state === 'signing')
  const reach = signing ? await readAffected(context, signing) : 0
  return {
    title: `Rotate: ${uses[use].title}`,
    trail: [home],
    button: 'Announce a new key',
    children: (
      <p>
        The new key is published now and signs after the overlap. The old one stays published as
        long again, so that <strong>{countWho(use, reach)}</strong> can change over unnoticed.
      </p>
    ),
  }
}

async function describeWithdrawal(context: PageContext, key: Key) {
  const reach = await readAffected(context, key)
  return {
    title: `Withdraw the key ${toShortId(key)}`,
    trail: [home],
    button: 'Withdraw the key',
    children: (
      <>
        <p>
          {uses[key.use].title}. It is {key.state}, made <Time at={key.createdAt} />.
        </p>
        <p>
          Nothing that it signed is valid from then on. It reaches{' '}
          <strong>{countWho(key.use, reach)}</strong>.
          {key.state === 'signing' && ' The announced key, or a new one, signs at once.'}
        </p>
      </>
    ),
    fields: <input type="hidden" name="reach" value={String(reach)} />,
  }
}
