/** Why a device is refused: the registrations that were, and the devices that are known. */
import {
  type Device,
  listDevices,
  listRefusals,
  Platform,
  type RefusedRegistration,
  refusalBounds,
} from '@cardwire/client/protocol'
import { StatusTag } from '../devices/list.tsx'
import { nameDevice } from '../devices/words.ts'
import { FactList } from '../frame/facts.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Empty, PageLinks, SearchForm, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { explainRefusal } from './refusal-words.ts'

export function addRefusals(pages: PageApp): void {
  pages.get('/refusals', async (context) => {
    const { api } = context.var
    const { q = '', page = '1' } = context.req.query()
    const search = q.trim().slice(0, 255)
    const filter = search === '' ? {} : { q: search }
    const number = /^[1-9]\d{0,5}$/.test(page) ? page : '1'
    const { data } = await api.call(listRefusals, { query: { ...filter, page: number } })
    const known =
      search === ''
        ? []
        : (await api.call(listDevices, { query: { ...filter, size: '5' } })).data.items
    const texts = readTexts().refusals
    return showPage(context, {
      title: texts.title,
      children: (
        <>
          <SearchForm to="refusals" name="q" label={texts.search} value={search} />
          <Known devices={known} />
          {data.items.length === 0 ? (
            <NoRefusals isFiltered={search !== ''} isKnown={known.length > 0} />
          ) : (
            <>
              {data.items.map((refusal) => (
                <Refusal refusal={refusal} />
              ))}
              <PageLinks to="refusals" query={filter} {...data} />
            </>
          )}
          <p class="soft">{texts.kept(refusalBounds.days, refusalBounds.rows)}</p>
        </>
      ),
    })
  })
}

/** A device that is known is refused where it is blocked, and by nothing that is listed here. */
const Known = ({ devices }: { readonly devices: readonly Device[] }) =>
  devices.length === 0 ? null : (
    <div class="note">
      <p>{readTexts().refusals.known}</p>
      <ul>
        {devices.map((device) => (
          <li>
            <a href={`devices/${device.id}`}>{nameDevice(device)}</a>{' '}
            <StatusTag standing={device.standing} />{' '}
            {readTexts().devices.standingMeanings[device.standing]}
          </li>
        ))}
      </ul>
    </div>
  )

const NoRefusals = ({
  isFiltered,
  isKnown,
}: {
  readonly isFiltered: boolean
  readonly isKnown: boolean
}) => {
  const { empty, noMatch } = readTexts().refusals
  return (
    <Empty>
      {isFiltered ? (
        <>
          <p>{isKnown ? noMatch.known : noMatch.unknown}</p>
          {!isKnown && <p>{noMatch.notReached(<code>cardwire doctor</code>)}</p>}
        </>
      ) : (
        <p>{empty(refusalBounds.days)}</p>
      )}
    </Empty>
  )
}

const Refusal = ({ refusal }: { readonly refusal: RefusedRegistration }) => {
  const { what, remedy } = explainRefusal(refusal)
  const texts = readTexts().refusals.facts
  const { hostname, fingerprint, address, count, version, platform } = refusal
  return (
    <section>
      <h2>{hostname ?? address}</h2>
      <div class="warning">
        <p>
          <strong>{what}</strong>
        </p>
        <p>{remedy}</p>
      </div>
      <FactList
        facts={{
          [texts.last]:
            count > 1 ? (
              texts.repeated(<Time at={refusal.lastAt} />, count, <Time at={refusal.firstAt} />)
            ) : (
              <Time at={refusal.lastAt} />
            ),
          [texts.address]: address,
          [texts.connector]: version && [version, nameSystem(platform)].filter(Boolean).join(', '),
          [texts.key]: nameKey(refusal),
          [texts.fingerprint]: fingerprint && <code>{fingerprint}</code>,
          [texts.response]: refusal.detail,
          [texts.request]: <code>{refusal.requestId}</code>,
        }}
      />
    </section>
  )
}

/** undefined: the request was refused before the key was read, or is of a time when its key was not stored. */
function nameKey({ keyVersion, reason }: RefusedRegistration): string | undefined {
  const { keyOf, noKey } = readTexts().refusals.facts
  if (keyVersion !== undefined) return keyOf(keyVersion)
  return reason === 'api-key-refused' ? noKey : undefined
}

/** What the device calls its platform may be anything. */
function nameSystem(claimed: string | undefined): string | undefined {
  const { data } = Platform.safeParse(claimed)
  return data === undefined ? claimed : readTexts().systems[data]
}
