/** One device: how it is, why, and what was done with it. */
import {
  type AuditEntry,
  blockDevice,
  type Device,
  downloadLogs,
  getDevice,
  listAudit,
} from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import { createAddress } from '../frame/api.ts'
import { mayCall } from '../frame/change.tsx'
import { FactList, type FactsByName } from '../frame/facts.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Copyable, createHref, Table, Time } from '../frame/parts.tsx'
import { sendDownload } from '../frame/send-download.ts'
import { changes, listChangesFor } from './changes.ts'
import { StatusTag } from './list.tsx'
import { readVerdict } from './read-verdict.ts'
import { describeFault, explainVerdict, nameDevice, statusMeanings, verdictWords } from './words.ts'

export function addDevice(pages: PageApp): void {
  pages.get('/devices/:id', async (context) => {
    const { api } = context.var
    const { data: device } = await api.call(getDevice, { params: context.req.param() })
    const history = await api.call(listAudit, { query: { kind: 'device', id: device.id } })
    const next = await readVerdict(api, device)
    const done = changes.find(({ name }) => name === context.req.query('done'))
    // Not when it was taken back since: the address may be a bookmark.
    const isDone = done !== undefined && !listChangesFor(device).includes(done)
    return showPage(context, {
      title: nameDevice(device),
      trail: [{ to: 'devices', text: 'Devices' }],
      children: (
        <>
          {isDone && (
            <div class="done" role="status">
              <p>{done.done}</p>
            </div>
          )}
          <State device={device} next={next} />
          {mayCall(context, blockDevice) && <Actions device={device} />}
          <Faults device={device} />
          <Facts device={device} maySeeLogs={mayCall(context, downloadLogs)} />
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
}: {
  readonly device: Device
  readonly next: Awaited<ReturnType<typeof readVerdict>>
}) => (
  <FactList
    facts={{
      State: (
        <>
          <StatusTag standing={device.standing} /> {statusMeanings[device.standing]}
        </>
      ),
      'Last verdict': device.verdict && verdictWords[device.verdict],
      [device.blocked ? 'Verdict when unblocked' : 'Next verdict']:
        `${verdictWords[next.action]}. ${explainVerdict(next.action, device.version, next.target)}`,
      'Last seen': <Time at={device.lastSeenAt} />,
    }}
  />
)

const Actions = ({ device }: { readonly device: Device }) => (
  <p class="actions">
    {listChangesFor(device).map(({ name, text }) => (
      <a class="button second" href={`devices/${device.id}/${name}`}>
        {text}…
      </a>
    ))}
  </p>
)

const Faults = ({ device: { faults } }: { readonly device: Device }) => (
  <>
    <h2>Faults</h2>
    {faults.length === 0 ? (
      <p>Its last synchronization reported none.</p>
    ) : (
      faults.map(({ kind, detail, at }) => {
        const { what, remedy } = describeFault(kind)
        return (
          <div class="warning">
            <p>
              <strong>{what}</strong> since <Time at={at} />. {remedy}
            </p>
            {detail !== '' && (
              <p>
                It says: <code>{detail}</code>
              </p>
            )}
          </div>
        )
      })
    )}
  </>
)

const Facts = ({
  device,
  maySeeLogs,
}: {
  readonly device: Device
  readonly maySeeLogs: boolean
}) => (
  <>
    <h2>The device</h2>
    <FactList facts={{ ...toReported(device), ...toStored(device, maySeeLogs) }} />
    <p>
      <a href={createHref('refusals', { q: device.fingerprint })}>
        Refused registrations with its key
      </a>
    </p>
  </>
)

/** What its connector reported last. */
const toReported = ({ device, platform, user, version, keystore }: Device): FactsByName => ({
  Version: version,
  System: join(platformNames[platform], device.os, device.osVersion, device.architecture),
  Part: device.component,
  User: join(user.username, user.name, user.language) || undefined,
  Keystore:
    keystore === undefined ? (
      'It has reported none.'
    ) : (
      <Copyable id="keystore" text={keystore} name="the digest of the keystore" />
    ),
})

const join = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(', ')

/** What the service knows itself. */
const toStored = (device: Device, maySeeLogs: boolean): FactsByName => ({
  Logs: maySeeLogs && (
    <>
      <a href={`devices/${device.id}/logs`}>The last ones that it sent</a>, if it has sent any
    </>
  ),
  'Device id': <Copyable id="device-id" text={device.id} name="the device id" />,
  'Fingerprint of its key': (
    <Copyable id="fingerprint" text={device.fingerprint} name="the fingerprint" />
  ),
  'First registered': <Time at={device.createdAt} />,
  'Registered again': device.registrations > 1 && (
    <>
      <Time at={device.registeredAt} />, {device.registrations} times in all
    </>
  ),
})

const History = ({
  entries,
  id,
}: {
  readonly entries: readonly AuditEntry[]
  readonly id: string
}) => (
  <>
    <h2>What was done with it</h2>
    {entries.length === 0 ? (
      <p>No administrator has changed anything about it.</p>
    ) : (
      <>
        <Table
          caption="Changes, newest first"
          head={['When', 'What', 'Who', 'From']}
          headings={1}
          rows={entries.map(({ at, operation, who, address }) => [
            <Time at={at} />,
            changes.find((change) => change.operation.name === operation)?.past ?? operation,
            who.name,
            address,
          ])}
        />
        <p>
          <a href={createHref('audit', { kind: 'device', id })}>All of it in the audit</a>
        </p>
      </>
    )}
  </>
)
