/** One device: how it is, why, and what was done with it. */
import {
  type AuditEntry,
  blockDevice,
  changeDevices,
  type Device,
  DeviceChange,
  type DeviceDetails,
  type DeviceRollout,
  downloadLogs,
  getDevice,
  listAudit,
  putDeviceTags,
} from '@cardwire/protocol'
import type { Services } from '../../services.ts'
import { nameOperation } from '../audit/audit-words.ts'
import { createAddress } from '../frame/api.ts'
import { mayCall } from '../frame/change.tsx'
import { FactList, type FactsByName } from '../frame/facts.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Copyable, createHref, Table, Time } from '../frame/parts.tsx'
import { sendDownload } from '../frame/send-download.ts'
import { readTexts } from '../frame/texts.ts'
import { describeRule, toGroupAddress } from '../groups/group-data.ts'
import { toVersionAddress } from '../versions/version-data.ts'
import { findChangeId, toChangeAddress } from './change-words.tsx'
import { changes, listChangesFor } from './changes.ts'
import { EndOfAccess } from './end-of-access.tsx'
import { StatusTag } from './list.tsx'
import { readVerdict } from './read-verdict.ts'
import { describeFault, explainVerdict, nameDevice } from './words.ts'

type DeviceServices = Pick<Services, 'settings' | 'clock'>

export function addDevice(pages: PageApp, services: DeviceServices): void {
  pages.get('/devices/:id', async (context) => {
    const { api } = context.var
    const { data: device } = await api.call(getDevice, { params: context.req.param() })
    const history = await api.call(listAudit, { query: { kind: 'device', id: device.id } })
    const next = await readVerdict(api, services.settings, device)
    const done = changes.find(({ name }) => name === context.req.query('done'))
    // Not when it was taken back since: the address may be a bookmark.
    // A device that was asked to sync can be asked again.
    const isDone =
      done !== undefined && (done.name === 'sync' || !listChangesFor(device).includes(done))
    const texts = readTexts().devices
    return showPage(context, {
      title: nameDevice(device),
      trail: [{ to: 'devices', text: texts.title }],
      children: (
        <>
          {isDone && (
            <div class="done" role="status">
              <p>{texts.changes[done.name].done}</p>
            </div>
          )}
          <State device={device} next={next} services={services} rollouts={device.rollouts} />
          <Membership device={device} mayEdit={mayCall(context, putDeviceTags)} />
          {mayCall(context, blockDevice) && <Actions device={device} />}
          <Faults device={device} />
          <Facts
            device={device}
            isRegistered={next !== undefined}
            maySeeLogs={mayCall(context, downloadLogs)}
          />
          <History entries={history.data.items} id={device.id} />
        </>
      ),
    })
  })

  pages.get('/devices/:id/logs', (context) =>
    sendDownload(context, createAddress(downloadLogs, { params: context.req.param() })),
  )
}

const State = ({
  device,
  next,
  services,
  rollouts,
}: {
  readonly device: Device
  readonly services: DeviceServices
  readonly next: Awaited<ReturnType<typeof readVerdict>>
  readonly rollouts: readonly DeviceRollout[]
}) => {
  const { facts: texts, standingMeanings, updates, access } = readTexts().devices
  return (
    <FactList
      facts={{
        [texts.status]: (
          <>
            <StatusTag standing={device.standing} /> {standingMeanings[device.standing]}
          </>
        ),
        [texts.access]: device.blocked && (
          <EndOfAccess services={services} device={device} texts={access.block} />
        ),
        [texts.lastUpdate]: device.verdict && updates[device.verdict],
        [device.blocked ? texts.updateWhenUnblocked : texts.nextUpdate]:
          next === undefined
            ? texts.versionUnknown(device.version)
            : `${updates[next.action]}. ${explainVerdict(next.action, device.version, next.target)}`,
        [texts.lastSeen]: <Time at={device.lastSeenAt} />,
        [texts.rollouts]: listGroups(rollouts),
      }}
    />
  )
}

/** Of the rollouts in which the device takes part. */
function listGroups(rollouts: readonly DeviceRollout[]) {
  const { inRollout } = readTexts().devices.facts
  const lines = rollouts.flatMap(({ id, version, group }) =>
    group === 'none'
      ? []
      : [
          <div>
            <a href={`rollouts/${id}`}>{inRollout[group](version)}</a>
          </div>,
        ],
  )
  return lines.length > 0 && lines
}

/** Its tags, its groups with the rule that it fits, and the configurations that it gets. */
const Membership = ({
  device,
  mayEdit,
}: {
  readonly device: Pick<DeviceDetails, 'id' | 'tags' | 'device' | 'groups' | 'configurations'>
  readonly mayEdit: boolean
}) => {
  const { groups, configurations } = readTexts()
  const { ofDevice: texts } = groups
  const { tags: reported = [] } = device.device
  return (
    <FactList
      facts={{
        [texts.tags]: (mayEdit || device.tags.length + reported.length > 0) && (
          <>
            {device.tags.length > 0 && (
              <div>
                <TagLinks tags={device.tags} />
              </div>
            )}
            {reported.length > 0 && <div>{texts.reported(<TagLinks tags={reported} />)}</div>}
            {mayEdit && <a href={`devices/${device.id}/tags`}>{texts.editTags}</a>}
          </>
        ),
        [texts.groups]:
          device.groups.length > 0 &&
          device.groups.map(({ id, name, rule }) => (
            <div>
              <a href={toGroupAddress(id)}>{name}</a>: {describeRule(rule).join('; ')}
            </div>
          )),
        [texts.configurations]:
          device.configurations.length > 0 &&
          device.configurations.map(({ id, type, groupId }) => {
            const group = device.groups.find((one) => one.id === groupId)
            return (
              <div>
                <a href={`configurations/${id}`}>{configurations.types[type].name}</a>,{' '}
                {group ? texts.forGroup(group.name) : texts.forAll}
              </div>
            )
          }),
      }}
    />
  )
}

/** Each leads to all devices that have it. */
const TagLinks = ({ tags }: { readonly tags: readonly string[] }) => (
  <>
    {tags.map((tag, at) => (
      <>
        {at > 0 && ', '}
        <a href={createHref('devices', { tag })}>{tag}</a>
      </>
    ))}
  </>
)

const Actions = ({ device }: { readonly device: Device }) => (
  <p class="actions">
    {listChangesFor(device).map(({ name }) => (
      <a class="button second" href={`devices/${device.id}/${name}`}>
        {readTexts().devices.changes[name].link}
      </a>
    ))}
  </p>
)

const Faults = ({ device: { faults } }: { readonly device: Device }) => {
  const texts = readTexts().devices.errors
  return (
    <>
      <h2>{texts.title}</h2>
      {faults.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        faults.map(({ kind, detail, at }) => {
          const { what, remedy } = describeFault(kind)
          return (
            <div class="warning">
              <p>
                {texts.since(<strong>{what}</strong>, <Time at={at} />)} {remedy}
              </p>
              {detail !== '' && <p>{texts.detail(<code>{detail}</code>)}</p>}
            </div>
          )
        })
      )}
    </>
  )
}

const Facts = ({
  device,
  isRegistered,
  maySeeLogs,
}: {
  readonly device: Device
  /** Whether its version has a page. */
  readonly isRegistered: boolean
  readonly maySeeLogs: boolean
}) => (
  <>
    <h2>{readTexts().devices.detailsTitle}</h2>
    <FactList facts={{ ...toReported(device, isRegistered), ...toStored(device, maySeeLogs) }} />
    <p>
      <a href={createHref('refusals', { q: device.fingerprint })}>{readTexts().devices.rejected}</a>
    </p>
  </>
)

/** What its connector reported last. */
function toReported(
  { device, platform, user, version, keystore }: Device,
  isRegistered: boolean,
): FactsByName {
  const texts = readTexts().devices.facts
  return {
    [texts.version]: isRegistered ? <a href={toVersionAddress(version)}>{version}</a> : version,
    [texts.system]: join(
      readTexts().systems[platform],
      [device.os, device.osVersion].filter(Boolean).join(' '),
      device.architecture,
    ),
    [texts.component]: device.component,
    [texts.user]: join(...new Set([user.username, user.name])) || undefined,
    [texts.language]: user.language && readTexts().numbers.language(user.language),
    [texts.keystore]:
      keystore === undefined ? (
        texts.noKeystore
      ) : (
        <Copyable id="keystore" text={keystore} label={texts.copyKeystore} />
      ),
  }
}

const join = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(', ')

/** What the service knows itself. */
function toStored(device: Device, maySeeLogs: boolean): FactsByName {
  const texts = readTexts().devices.facts
  return {
    [texts.logs]:
      maySeeLogs &&
      texts.downloadLogs((words) => <a href={`devices/${device.id}/logs`}>{words}</a>),
    [texts.id]: <Copyable id="device-id" text={device.id} label={texts.copyId} />,
    [texts.fingerprint]: (
      <Copyable id="fingerprint" text={device.fingerprint} label={texts.copyFingerprint} />
    ),
    [texts.firstRegistered]: <Time at={device.createdAt} />,
    [texts.lastRegistered]:
      device.registrations > 1 &&
      texts.registrations(<Time at={device.registeredAt} />, device.registrations),
  }
}

const History = ({
  entries,
  id,
}: {
  readonly entries: readonly AuditEntry[]
  readonly id: string
}) => {
  const { activity: texts } = readTexts().devices
  return (
    <>
      <h2>{texts.title}</h2>
      {entries.length === 0 ? (
        <p>{texts.empty}</p>
      ) : (
        <>
          <Table
            caption={texts.caption}
            head={[texts.time, texts.action, texts.who, texts.address]}
            headings={1}
            rows={entries.map((entry) => [
              <Time at={entry.at} />,
              <Act entry={entry} />,
              entry.who.name,
              entry.address,
            ])}
          />
          <p>
            <a href={createHref('audit', { kind: 'device', id })}>{texts.all}</a>
          </p>
        </>
      )}
    </>
  )
}

const Act = ({ entry }: { readonly entry: AuditEntry }) => {
  const changeId = findChangeId(entry)
  return (
    <>
      {describeChange(entry.operation, entry.fields)}
      {changeId !== undefined && (
        <>
          {' '}
          <a href={toChangeAddress(changeId)}>{readTexts().manyDevices.list.show}</a>
        </>
      )}
    </>
  )
}

/** What was done with the device, by the operation that an entry names. */
function describeChange(operation: string, fields: readonly string[]): string {
  const change = changes.find(
    (one) =>
      one.operation.name === operation ||
      (changeDevices.name === operation && fields.includes(one.name)),
  )
  if (change) return readTexts().devices.changes[change.name].past
  const ofTags = operation === changeDevices.name && DeviceChange.safeParse(fields[0]).data
  return ofTags ? readTexts().manyDevices.changes[ofTags].title : nameOperation(operation)
}
