/** Why a device is refused: the registrations that were, and the devices that are known. */
import {
  countRefusals,
  type Device,
  listDevices,
  listRefusals,
  Platform,
  type RefusalGroup,
  type RefusedRegistration,
  refusalBounds,
} from '@cardwire/protocol'
import type { RequestParts } from '@cardwire/protocol/call'
import { StatusTag } from '../devices/list.tsx'
import { nameDevice } from '../devices/words.ts'
import { DocumentLinks } from '../documents/document-links.tsx'
import { FactList } from '../frame/facts.tsx'
import { inEnglish } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import {
  createHref,
  Empty,
  formatCount,
  PageLinks,
  SearchForm,
  Table,
  Time,
} from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { explainRefusal } from './refusal-words.ts'

export function addRefusals(pages: PageApp): void {
  pages.get('/refusals', async (context) => {
    const { api } = context.var
    const { q = '', page = '1', ...rest } = context.req.query()
    const search = q.trim().slice(0, 255)
    const group = countRefusals.query.safeParse(rest).success ? (rest as RefusalQuery) : {}
    const filter = { ...group, ...(search !== '' && { q: search }) }
    const { items: groups } = (await api.call(countRefusals, { query: filter })).data
    const number = /^[1-9]\d{0,5}$/.test(page) ? page : '1'
    const { data } = await api.call(listRefusals, { query: { ...filter, page: number } })
    const known =
      search === ''
        ? []
        : (await api.call(listDevices, { query: { q: search, size: '5' } })).data.items
    const texts = readTexts().refusals
    return showPage(context, {
      title: texts.title,
      children: (
        <>
          <SearchForm to="refusals" name="q" label={texts.search} value={search} />
          <Known devices={known} />
          {Object.keys(group).length > 0 && (
            <p>
              <a href="refusals">{texts.groups.all}</a>
            </p>
          )}
          {data.items.length === 0 ? (
            <NoRefusals isFiltered={Object.keys(filter).length > 0} isKnown={known.length > 0} />
          ) : (
            <>
              <Groups groups={groups} search={search} />
              {data.items.map((refusal) => (
                <Refusal refusal={refusal} />
              ))}
              <PageLinks to="refusals" query={filter} {...data} />
            </>
          )}
          <p class="soft">{texts.kept(refusalBounds.days, refusalBounds.rows)}</p>
          <DocumentLinks to={['rollout', 'missingConnector']} />
        </>
      ),
    })
  })
}

type RefusalQuery = RequestParts<typeof countRefusals>['query']

/** One line for each reason, version and network: it leads to its registrations. */
const Groups = ({
  groups,
  search,
}: {
  readonly groups: readonly RefusalGroup[]
  readonly search: string
}) => {
  const texts = readTexts().refusals.groups
  return (
    <Table
      caption={texts.caption}
      head={[texts.reason, texts.version, texts.network, texts.devices, texts.times, texts.last]}
      numbers={[3, 4]}
      rows={groups.map(
        ({ reason, detail, keyVersion, version, network, devices, count, lastAt }) => [
          <a href={createHref('refusals', { q: search, reason, version, network })}>
            {explainRefusal({ reason, detail, version, keyVersion }).what}
          </a>,
          version,
          network,
          formatCount(devices),
          formatCount(count),
          <Time at={lastAt} />,
        ],
      )}
    />
  )
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
          [texts.details]: refusal.detail && inEnglish(refusal.detail),
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
