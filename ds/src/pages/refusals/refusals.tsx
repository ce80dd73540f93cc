/** Why a device is refused: the registrations that were, and the devices that are known. */
import {
  type Device,
  listDevices,
  listRefusals,
  type RefusedRegistration,
  refusalBounds,
} from '@cardwire/client/protocol'
import { StatusTag } from '../devices/list.tsx'
import { nameDevice, statusMeanings } from '../devices/words.ts'
import { FactList } from '../frame/facts.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Empty, formatCount, PageLinks, SearchForm, Time } from '../frame/parts.tsx'
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
    return showPage(context, {
      title: 'Refused registrations',
      children: (
        <>
          <SearchForm
            to="refusals"
            name="q"
            label="Host name, address, fingerprint or request id"
            value={search}
          />
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
          <p class="soft">
            Refusals are kept for {refusalBounds.days} days, {formatCount(refusalBounds.rows)} at
            most.
          </p>
        </>
      ),
    })
  })
}

/** A device that is known is refused where it is blocked, and by nothing that is listed here. */
const Known = ({ devices }: { readonly devices: readonly Device[] }) =>
  devices.length === 0 ? null : (
    <div class="note">
      <p>Registered devices that are meant by this:</p>
      <ul>
        {devices.map((device) => (
          <li>
            <a href={`devices/${device.id}`}>{nameDevice(device)}</a>{' '}
            <StatusTag standing={device.standing} /> {statusMeanings[device.standing]}
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
}) => (
  <Empty>
    {isFiltered ? (
      <>
        <p>No registration of it was refused{isKnown ? ': it is registered.' : '.'}</p>
        {!isKnown && (
          <p>
            It has not reached this service: check the address of the service on the device, and
            what lies between them. <code>cardwire doctor</code> on the device says more.
          </p>
        )}
      </>
    ) : (
      <p>No registration was refused in the last {refusalBounds.days} days.</p>
    )}
  </Empty>
)

const Refusal = ({ refusal }: { readonly refusal: RefusedRegistration }) => {
  const { what, remedy } = explainRefusal(refusal)
  const { hostname, fingerprint, address, count, version, keyVersion, platform } = refusal
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
          'Last refused': (
            <>
              <Time at={refusal.lastAt} />
              {count > 1 && (
                <>
                  , {formatCount(count)} times since <Time at={refusal.firstAt} />
                </>
              )}
            </>
          ),
          From: address,
          Connector: version && [version, platform].filter(Boolean).join(', '),
          'Installation key':
            keyVersion === undefined ? 'None that is valid' : `That of version ${keyVersion}`,
          Fingerprint: fingerprint && <code>{fingerprint}</code>,
          Answer: refusal.detail,
          Request: <code>{refusal.requestId}</code>,
        }}
      />
    </section>
  )
}
