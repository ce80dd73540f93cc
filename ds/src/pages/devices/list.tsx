/** All devices: search, filters, pages, and the same as CSV. */
import {
  type Device,
  DeviceSort,
  exportDevices,
  listDevices,
  putTagImport,
} from '@cardwire/protocol'
import { DocumentLinks } from '../documents/document-links.tsx'
import { createAddress } from '../frame/api.ts'
import { mayCall } from '../frame/change.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, PageLinks, Table } from '../frame/parts.tsx'
import { sendDownload } from '../frame/send-download.ts'
import { readTexts } from '../frame/texts.ts'
import { ManyDeviceChanges } from './change-devices.tsx'
import { FilterWords } from './change-words.tsx'
import {
  type Fields,
  FilterForm,
  isDeviceQuery,
  readFields,
  showUnknownFilter,
} from './filters.tsx'
import { describeFault, nameDevice } from './words.ts'

export function addDeviceList(pages: PageApp): void {
  pages.get('/devices', showDevices)

  pages.get('/devices.csv', async (context) => {
    const { page: _, sort: __, ...fields } = readFields(context)
    if (!isDeviceQuery(fields)) return showDevices(context)
    return sendDownload(context, createAddress(exportDevices, { query: fields }))
  })
}

const size = 25

async function showDevices(context: PageContext): Promise<Response> {
  const { page = '1', done, sort, ...fields } = readFields(context)
  const order = DeviceSort.safeParse(
    sort ?? (fields['q'] === undefined ? '-lastSeen' : 'name'),
  ).data
  const texts = readTexts().devices
  if (!isDeviceQuery(fields) || order === undefined) return showUnknownFilter(context)
  const query = {
    ...fields,
    sort: order,
    page: /^[1-9]\d{0,5}$/.test(page) ? page : '1',
    size: String(size),
  }
  const { data } = await context.var.api.call(listDevices, { query })
  const isFiltered = Object.keys(fields).length > 0
  const address: Fields = fields
  return showPage(context, {
    title: texts.title,
    children: (
      <>
        {done === 'remove' && (
          <div class="done" role="status">
            <p>{texts.changes.remove.done}</p>
          </div>
        )}
        <FilterForm fields={fields} sort={sort} />
        {fields['changedBy'] !== undefined && (
          <p>
            <FilterWords filter={String(new URLSearchParams({ changedBy: fields['changedBy'] }))} />
          </p>
        )}
        {data.items.length === 0 ? (
          <NoDevices isFiltered={isFiltered} />
        ) : (
          <>
            <DeviceTable devices={data.items} fields={fields} order={order} />
            <PageLinks to="devices" query={{ ...address, sort }} {...data} />
            <p>
              <a href={createHref('devices.csv', fields)}>
                {isFiltered ? texts.downloadMatching : texts.downloadAll}
              </a>
            </p>
            <ManyDeviceChanges context={context} fields={address} />
          </>
        )}
        <p>
          <a href="devices/changes">{readTexts().manyDevices.list.title}</a>
        </p>
        {mayCall(context, putTagImport) && (
          <p>
            <a href="devices/imports">{readTexts().manyDevices.import.title}</a>
          </p>
        )}
        <DocumentLinks to={['computerSettings', 'browserPolicies', 'missingConnector']} />
      </>
    ),
  })
}

const NoDevices = ({ isFiltered }: { readonly isFiltered: boolean }) => {
  const { noMatch, empty } = readTexts().devices
  const toRefusals = (words: string) => <a href="refusals">{words}</a>
  return (
    <Empty>
      <p>{isFiltered ? noMatch.title : empty.title}</p>
      <p>{isFiltered ? noMatch.elsewhere(toRefusals) : empty.install(toRefusals)}</p>
    </Empty>
  )
}

/** The columns that have an order, and the one that a first click gives them. */
const sortColumns: Readonly<Record<number, DeviceSort>> = {
  0: 'name',
  2: '-version',
  5: '-lastSeen',
}

const DeviceTable = ({
  devices,
  fields,
  order,
}: {
  readonly devices: readonly Device[]
  readonly fields: Fields
  readonly order: DeviceSort
}) => {
  const texts = readTexts().devices.table
  const isFiltered = Object.keys(fields).length > 0
  const head = [
    texts.device,
    texts.status,
    texts.version,
    texts.system,
    texts.errors,
    texts.lastSeen,
  ]
  const toName = (sort: DeviceSort) => sort.replace('-', '')
  const column = Object.entries(sortColumns).find(([, sort]) => toName(sort) === toName(order))?.[0]
  return (
    <Table
      caption={isFiltered ? texts.matching : texts.all}
      sorted={{
        column: Number(column),
        direction: order.startsWith('-') ? 'descending' : 'ascending',
      }}
      head={head.map((text, at) => {
        const first = sortColumns[at]
        if (first === undefined) return text
        const sort = first === order ? reverse(order) : first
        return <a href={createHref('devices', { ...fields, sort })}>{text}</a>
      })}
      rows={devices.map((device) => [
        <span class="device">
          <a href={`devices/${device.id}`}>{nameDevice(device)}</a>
          {device.user.username !== undefined && (
            <>
              <br />
              <span class="soft">{device.user.username}</span>
            </>
          )}
        </span>,
        <StatusTag standing={device.standing} />,
        device.version,
        readTexts().systems[device.platform],
        [...new Set(device.faults.map(({ kind }) => kind))].map((kind) => (
          <div>
            <span class="tag bad">{describeFault(kind).what}</span>
          </div>
        )),
        <time datetime={device.lastSeenAt}>
          {readTexts().numbers.day(device.lastSeenAt.slice(0, 10))}
        </time>,
      ])}
    />
  )
}

const reverse = (sort: DeviceSort): string => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`)

export const StatusTag = ({ standing }: Pick<Device, 'standing'>) => (
  <span class={standing === 'active' ? 'tag good' : 'tag bad'}>
    {readTexts().devices.standings[standing]}
  </span>
)
