/** All devices: search, filters, pages, and the same as CSV. */
import { type Device, exportDevices, listDevices } from '@cardwire/client/protocol'
import { createAddress } from '../frame/api.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, PageLinks, Table, Time } from '../frame/parts.tsx'
import { sendDownload } from '../frame/send-download.ts'
import { readTexts } from '../frame/texts.ts'
import { type Fields, FilterForm, isDeviceQuery } from './filters.tsx'
import { describeFault, nameDevice } from './words.ts'

export function addDeviceList(pages: PageApp): void {
  pages.get('/devices', showDevices)

  pages.get('/devices.csv', async (context) => {
    const { page: _, ...fields } = readFields(context)
    if (!isDeviceQuery(fields)) return showDevices(context)
    return sendDownload(context, createAddress(exportDevices, { query: fields }))
  })
}

const size = 25

async function showDevices(context: PageContext): Promise<Response> {
  const { page = '1', done, ...fields } = readFields(context)
  const texts = readTexts().devices
  if (!isDeviceQuery(fields)) {
    return showPage(context, {
      title: texts.title,
      status: 422,
      children: (
        <>
          <div class="error" role="alert">
            <p>{texts.filters.unknown}</p>
          </div>
          <FilterForm fields={{}} />
        </>
      ),
    })
  }
  const query = { ...fields, page: /^[1-9]\d{0,5}$/.test(page) ? page : '1', size: String(size) }
  const { data } = await context.var.api.call(listDevices, { query })
  const isFiltered = Object.keys(fields).length > 0
  return showPage(context, {
    title: texts.title,
    children: (
      <>
        {done === 'remove' && (
          <div class="done" role="status">
            <p>{texts.changes.remove.done}</p>
          </div>
        )}
        <FilterForm fields={fields} />
        {data.items.length === 0 ? (
          <NoDevices isFiltered={isFiltered} />
        ) : (
          <>
            <DeviceTable devices={data.items} isFiltered={isFiltered} />
            <PageLinks to="devices" query={fields} {...data} />
            <p>
              <a href={createHref('devices.csv', fields)}>
                {isFiltered ? texts.downloadMatching : texts.downloadAll}
              </a>
            </p>
          </>
        )}
      </>
    ),
  })
}

function readFields({ req }: PageContext): Fields {
  const fields = Object.entries(req.query()).map(([name, value]) => [name, value.trim()])
  return Object.fromEntries(fields.filter(([, value]) => value !== ''))
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

const DeviceTable = ({
  devices,
  isFiltered,
}: {
  readonly devices: readonly Device[]
  readonly isFiltered: boolean
}) => {
  const texts = readTexts().devices.table
  return (
    <Table
      caption={isFiltered ? texts.matching : texts.all}
      head={[texts.device, texts.status, texts.version, texts.system, texts.errors, texts.lastSeen]}
      rows={devices.map((device) => [
        <>
          <a href={`devices/${device.id}`}>{nameDevice(device)}</a>
          {device.user.username !== undefined && <span class="soft"> {device.user.username}</span>}
        </>,
        <StatusTag standing={device.standing} />,
        device.version,
        readTexts().systems[device.platform],
        [...new Set(device.faults.map(({ kind }) => kind))].map((kind) => (
          <span class="tag bad">{describeFault(kind).what}</span>
        )),
        <Time at={device.lastSeenAt} />,
      ])}
    />
  )
}

export const StatusTag = ({ standing }: Pick<Device, 'standing'>) => (
  <span class={standing === 'active' ? 'tag good' : 'tag bad'}>
    {readTexts().devices.standings[standing]}
  </span>
)
