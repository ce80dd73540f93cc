/** One version: what connectors are told of it, its installers, its configurations, the devices that have it. */
import {
  type Configuration,
  ConfigurationType,
  deleteVersion,
  listConfigurations,
  type Platform,
  patchVersion,
  platforms,
  putConfiguration,
} from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import { configurationNames, toConfigurationAddress } from '../configurations/configuration-data.ts'
import { mayCall } from '../frame/change.tsx'
import { FactList, toTimes } from '../frame/facts.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, formatCount, HistoryLink, Table } from '../frame/parts.tsx'
import {
  countDevices,
  findVersion,
  type ShownVersion,
  toVersionAddress,
  versionsHome,
} from './version-data.ts'
import { listPlatforms } from './version-fields.tsx'
import { FlagTags } from './versions.tsx'

export function addVersion(pages: PageApp): void {
  pages.get('/versions/:id', async (context) => {
    const version = await findVersion(context)
    const { id } = version
    const query = { versionId: id, size: '100' }
    const { data: configurations } = await context.var.api.call(listConfigurations, { query })
    const address = toVersionAddress(id)
    return showPage(context, {
      title: `Version ${id}`,
      trail: [versionsHome],
      children: (
        <>
          <FactList
            facts={{ 'Connectors are told': <FlagTags {...version} />, ...toTimes(version) }}
          />
          <HistoryLink kind="version" id={id} />
          {mayCall(context, patchVersion) && (
            <div class="actions">
              <a class="button" href={`${address}/flags`}>
                Change what connectors are told
              </a>
              <a class="button second" href={`${address}/installers`}>
                Change the installers
              </a>
            </div>
          )}
          <h2>Installers</h2>
          <Installers version={version} />
          <h2>Devices that have it</h2>
          {await showDevices(context, id)}
          <h2>Configurations</h2>
          <Configurations
            versionId={id}
            items={configurations.items}
            mayChange={mayCall(context, putConfiguration)}
          />
          {mayCall(context, deleteVersion) && (
            <>
              <h2>Installation key and removal</h2>
              <div class="actions">
                <a class="button second" href={`${address}/key`}>
                  Replace the installation key
                </a>
                <a class="button second" href={`${address}/remove`}>
                  Remove the version
                </a>
              </div>
            </>
          )}
        </>
      ),
    })
  })
}

/** The service measures a file that it has itself, and of an address it knows what was given. */
const nameUnknown = (uri: string) =>
  uri.startsWith('file:') ? 'as the uploaded file' : 'not given'

const Installers = ({ version: { id, uris } }: { readonly version: ShownVersion }) =>
  uris.length === 0 ? (
    <Empty>
      <p>It has no installer: nobody can download it, and no connector can update to it.</p>
    </Empty>
  ) : (
    <Table
      caption="By system"
      head={['System', 'Address', 'SHA-256', 'Bytes', 'Download']}
      rows={uris.map(({ os, uri, sha256, size }) => [
        platformNames[os],
        <code>{uri}</code>,
        sha256 ? <code>{sha256}</code> : nameUnknown(uri),
        size === undefined ? nameUnknown(uri) : formatCount(size),
        <a href={toDownload(os, id)}>
          Download<span class="unseen"> for {platformNames[os]}</span>
        </a>,
      ])}
    />
  )

/** As users get it, with its choices where there are several. */
const toDownload = (os: Platform, id: string) =>
  `../v3/downloads/installers/${platforms[os]}/versions/${encodeURIComponent(id)}`

async function showDevices(context: PageContext, id: string) {
  const all = await countDevices(context, id)
  if (all.total === 0) return <p>No device has it.</p>
  const counts = await Promise.all(
    listPlatforms().map(async (os) => ({ os, ...(await countDevices(context, id, os)) })),
  )
  const format = ({ total, more }: { total: number; more: boolean }) =>
    `${more ? 'more than ' : ''}${formatCount(total)}`
  return (
    <>
      <Table
        caption="Devices by system"
        head={['System', 'Devices']}
        rows={counts
          .filter(({ total }) => total > 0)
          .map((count) => [platformNames[count.os], format(count)])}
      />
      <p>
        <a href={createHref('devices', { version: id })}>All {format(all)} devices</a>
      </p>
    </>
  )
}

const Configurations = ({
  versionId,
  items,
  mayChange,
}: {
  readonly versionId: string
  readonly items: readonly Configuration[]
  readonly mayChange: boolean
}) => {
  const missing = ConfigurationType.options.filter(
    (type) => !items.some((item) => item.type === type),
  )
  return (
    <>
      {items.length === 0 ? (
        <Empty>
          <p>
            It has none. Without an allowlist no page may use the readers of connectors with this
            version.
          </p>
        </Empty>
      ) : (
        <ul>
          {items.map(({ id, type }) => (
            <li>
              <a href={toConfigurationAddress(id)}>{configurationNames[type]}</a>
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <div class="actions">
          {missing.map((type) => (
            <a class="button second" href={createHref('configurations/new', { versionId, type })}>
              Add: {configurationNames[type]}
            </a>
          ))}
          <a href={createHref('configurations/copy', { to: versionId })}>
            Copy from or to another version
          </a>
        </div>
      )}
      <p>
        <a href={createHref('configurations/difference', { to: versionId })}>
          Compare with another version
        </a>
      </p>
    </>
  )
}
