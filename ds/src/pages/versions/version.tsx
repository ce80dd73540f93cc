/** One version: what connectors are told of it, its installers, its configurations, the devices that have it. */
import {
  type Configuration,
  ConfigurationType,
  deleteVersion,
  getInstaller,
  listConfigurationRevisions,
  type Output,
  type Platform,
  patchVersion,
  platforms,
  putConfiguration,
} from '@cardwire/protocol'
import { nameInVersion, toConfigurationAddress } from '../configurations/configuration-data.ts'
import { findOfVersion, isSameSlot } from '../configurations/taken.tsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, mayCall } from '../frame/change.tsx'
import { FactList, toTimes } from '../frame/facts.tsx'
import { formatBytes } from '../frame/format-bytes.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, Table } from '../frame/parts.tsx'
import { SavedNote } from '../frame/revisions.tsx'
import { readTexts } from '../frame/texts.ts'
import { readGroupNames } from '../groups/group-names.ts'
import { toInstallerAddress } from '../installers/installers.tsx'
import { listOpenRollouts, toRolloutAddress } from '../rollouts/rollout-data.ts'
import { StopLink } from '../rollouts/stop-link.tsx'
import {
  countDevices,
  findVersion,
  type ShownVersion,
  toVersionAddress,
  toVersionsTrail,
} from './version-data.ts'
import { listPlatforms } from './version-fields.tsx'
import { FlagTags } from './versions.tsx'

export function addVersion(pages: PageApp): void {
  pages.get('/versions/:id', async (context) => {
    const version = await findVersion(context)
    const { id } = version
    const configurations = await findOfVersion(context, id)
    const address = toVersionAddress(id)
    const texts = readTexts().versions.page
    return showPage(context, {
      title: texts.title(id),
      trail: toVersionsTrail(),
      children: (
        <>
          {await showSaved(context, version, configurations)}
          {await showRollout(context, id)}
          <FactList facts={{ [texts.status]: <FlagTags {...version} />, ...toTimes(version) }} />
          <p>
            <a href={`${address}/history`}>{readTexts().history.link}</a>
          </p>
          {mayCall(context, patchVersion) && (
            <div class="actions">
              <a class="button" href={`${address}/flags`}>
                {texts.flagsLink}
              </a>
              <a class="button second" href={`${address}/installers`}>
                {texts.installersLink}
              </a>
              {version.allowed && <StopLink context={context} version={id} />}
            </div>
          )}
          <h2>{readTexts().versions.installers.heading}</h2>
          <Installers version={version} uploads={await readUploads(context, version)} />
          <h2>{texts.devicesTitle}</h2>
          {await showDevices(context, id)}
          <h2>{texts.configurationsTitle}</h2>
          <Configurations
            versionId={id}
            items={configurations}
            nameGroup={await readGroupNames(context)}
            mayChange={mayCall(context, putConfiguration)}
          />
          {mayCall(context, deleteVersion) && (
            <>
              <h2>{texts.keyTitle}</h2>
              <div class="actions">
                <a class="button second" href={`${address}/key`}>
                  {texts.keyLink}
                </a>
                <a class="button second" href={`${address}/remove`}>
                  {texts.removeLink}
                </a>
              </div>
            </>
          )}
        </>
      ),
    })
  })
}

/** What the service knows of the files that were uploaded to it, by their addresses. */
async function readUploads({ var: { api } }: PageContext, { uris }: ShownVersion) {
  const uploads = new Map<string, Upload>()
  for (const { uri } of uris) {
    if (!uri.startsWith(uploadPrefix)) continue
    const params = { name: uri.slice(uploadPrefix.length) }
    const file = await attempt(api.call(getInstaller, { params }))
    if (!(file instanceof ApiProblem)) uploads.set(uri, file.data)
  }
  return uploads
}

const uploadPrefix = 'file:///'

type Upload = Exclude<Output<typeof getInstaller>, Response>['data']

const Installers = ({
  version: { id, uris },
  uploads,
}: {
  readonly version: ShownVersion
  readonly uploads: Awaited<ReturnType<typeof readUploads>>
}) => {
  const texts = readTexts().versions.installers
  if (uris.length === 0)
    return (
      <Empty>
        <p>{texts.empty}</p>
      </Empty>
    )
  return (
    <Table
      caption={texts.caption}
      head={[texts.system, texts.url, 'SHA-256', texts.size, texts.download]}
      numbers={[3]}
      rows={uris.map(({ os, uri, ...given }) => {
        const upload = uploads.get(uri)
        const { sha256, size } = upload ?? given
        return [
          readTexts().systems[os],
          upload ? <a href={toInstallerAddress(upload.name)}>{upload.name}</a> : <code>{uri}</code>,
          sha256 ? <code>{sha256}</code> : texts.notGiven,
          size === undefined ? texts.notGiven : formatBytes(size),
          <a href={toDownload(os, id)}>
            {texts.downloadLink(readTexts().systems[os], (words) => (
              <span class="unseen">{words}</span>
            ))}
          </a>,
        ]
      })}
    />
  )
}

/** During a rollout, the release settings do not say which devices get the version. */
async function showRollout(context: PageContext, version: string) {
  const rollout = (await listOpenRollouts(context)).find((one) => one.version === version)
  if (!rollout || rollout.state === 'finished') return null
  return (
    <div class="note">
      <p>
        {readTexts().rollouts.ofVersion[rollout.state]((words) => (
          <a href={toRolloutAddress(rollout.id)}>{words}</a>
        ))}
      </p>
    </div>
  )
}

/** What was just done, with the way back, if the service confirms it: anyone can write an address. */
async function showSaved(
  context: PageContext,
  { id, revision }: ShownVersion,
  configurations: readonly Configuration[],
) {
  const { saved, added, removed } = context.req.query()
  const texts = readTexts().history
  const ids = added?.split(',') ?? []
  const [first, ...others] = configurations.filter((one) => ids.includes(one.id))
  if (first) return showAdded([first, ...others])
  if (removed) return showRemoved(context, removed)
  if (saved !== String(revision)) return null
  if (revision === 1) return <SavedNote text={texts.added} />
  const undo = `${toVersionAddress(id)}/history/${revision - 1}/restore`
  return <SavedNote text={texts.saved} undo={undo} />
}

/** Each is taken back by its removal. */
function showAdded(added: readonly Configuration[]) {
  const { frame, history, configurations } = readTexts()
  const name = ({ type }: Configuration) =>
    added.length === 1 ? history.undo : frame.field(history.undo, configurations.types[type].name)
  const links = added.map((one) => ({
    to: `${toConfigurationAddress(one.id)}/remove`,
    text: name(one),
  }))
  return <SavedNote text={history.added} undo={links} />
}

/** Of a configuration whose newest revision is its removal. */
async function showRemoved({ var: { api } }: PageContext, id: string) {
  const parts = { params: { id }, query: { size: '1' } }
  const history = await attempt(api.call(listConfigurationRevisions, parts))
  if (history instanceof ApiProblem) return null
  const [newest] = history.data.items
  if (!newest?.removed) return null
  const undo = `${toConfigurationAddress(id)}/history/${newest.revision - 1}/restore`
  return <SavedNote text={readTexts().history.removedNote} undo={undo} />
}

/** As users get it, with its choices where there are several. */
const toDownload = (os: Platform, id: string) =>
  `../v3/downloads/installers/${platforms[os]}/versions/${encodeURIComponent(id)}`

async function showDevices(context: PageContext, id: string) {
  const all = await countDevices(context, id)
  const texts = readTexts().versions.devices
  if (all.total === 0) return <p>{texts.none}</p>
  const counts = await Promise.all(
    listPlatforms().map(async (os) => ({ os, ...(await countDevices(context, id, os)) })),
  )
  return (
    <>
      <Table
        caption={texts.caption}
        head={[texts.system, texts.devices]}
        numbers={[1]}
        rows={counts
          .filter(({ total }) => total > 0)
          .map(({ os, total, more }) => [readTexts().systems[os], texts.number(total, more)])}
      />
      <p>
        <a href={createHref('devices', { version: id })}>{texts.all(all.total, all.more)}</a>
      </p>
    </>
  )
}

const Configurations = ({
  versionId,
  items,
  nameGroup,
  mayChange,
}: {
  readonly versionId: string
  readonly items: readonly Configuration[]
  readonly nameGroup: Awaited<ReturnType<typeof readGroupNames>>
  readonly mayChange: boolean
}) => {
  const texts = readTexts().versions.configurations
  const { types } = readTexts().configurations
  const missing = ConfigurationType.options.filter(
    (type) => !items.some((item) => isSameSlot(item, { type, groupId: undefined })),
  )
  return (
    <>
      {items.length === 0 ? (
        <Empty>
          <p>{texts.empty}</p>
        </Empty>
      ) : (
        <ul>
          {items.map(({ id, type, groupId }) => (
            <li>
              <a href={toConfigurationAddress(id)}>
                {nameInVersion({ type, groupName: nameGroup(groupId) })}
              </a>
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <div class="actions">
          {missing.map((type) => (
            <a class="button second" href={createHref('configurations/new', { versionId, type })}>
              {types[type].addLink}
            </a>
          ))}
          <a href={createHref('configurations/choose', { versionId })}>{texts.groupLink}</a>
          <a href={createHref('configurations/copy', { to: versionId })}>{texts.copyLink}</a>
        </div>
      )}
      <p>
        <a href={createHref('configurations/difference', { to: versionId })}>{texts.compareLink}</a>
      </p>
    </>
  )
}
