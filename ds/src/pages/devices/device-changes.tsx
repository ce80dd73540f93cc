/** The changes of many devices that the service keeps: how far each is, and the ways to continue it and to undo it. */
import {
  changeDevices,
  getDeviceChange,
  listDeviceChanges,
  type ManyDeviceChange,
} from '@cardwire/protocol'
import { mayCall } from '../frame/change.tsx'
import { FactList } from '../frame/facts.tsx'
import { HiddenFields } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, HistoryLink, PageLinks, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { countStanding, DevicesOf, describeStanding, toChangeAddress } from './change-words.tsx'

const here = 'devices/changes'

export function addDeviceChangeList(pages: PageApp): void {
  pages.get('/devices/changes', showList)
  pages.get('/devices/changes/:id', showOne)
}

const toDevices = () => ({ to: 'devices', text: readTexts().devices.title })

/** What makes up for a change; approved and removed devices have no way back. */
const opposites: Partial<Record<ManyDeviceChange['change'], ManyDeviceChange['change']>> = {
  block: 'unblock',
  unblock: 'block',
  addTags: 'restoreTags',
  removeTags: 'restoreTags',
  restoreTags: 'restoreTags',
  importTags: 'restoreTags',
}

async function showList(context: PageContext): Promise<Response> {
  const { page } = context.req.query()
  const { data } = await context.var.api.call(listDeviceChanges, { query: { page } })
  const texts = readTexts().manyDevices.list
  const { columns } = texts
  const mayChange = mayCall(context, changeDevices)
  return showPage(context, {
    title: texts.title,
    trail: [toDevices()],
    children: (
      <>
        <p>{texts.about}</p>
        {data.total === 0 ? (
          <Empty>
            <p>{texts.empty}</p>
          </Empty>
        ) : (
          <>
            <Table
              caption={texts.caption}
              head={[
                columns.time,
                columns.change,
                columns.devices,
                columns.progress,
                columns.who,
                columns.actions,
              ]}
              rows={data.items.map((change) => [
                <Time at={change.at} />,
                <a href={toChangeAddress(change.id)}>{nameChange(change)}</a>,
                <DevicesOf {...change} />,
                <ProgressWords change={change} />,
                change.who.name || change.who.subject,
                mayChange && <RowActions change={change} />,
              ])}
            />
            <PageLinks to={here} query={{}} {...data} />
          </>
        )}
      </>
    ),
  })
}

const nameChange = ({ change, tags }: Pick<ManyDeviceChange, 'change' | 'tags'>): string => {
  const { title } = readTexts().manyDevices.changes[change]
  return tags ? readTexts().frame.field(title, tags.join(', ')) : title
}

const ProgressWords = ({ change }: { change: ManyDeviceChange }) => {
  const texts = readTexts().manyDevices.list
  const { reach, changedSince, finished } = change
  return (
    <>
      {texts.progress(countStanding(change), reach)}
      {changedSince > 0 && <> ({texts.changedSince(changedSince)})</>}{' '}
      <span class={finished ? 'tag good' : 'tag bad'}>
        {finished ? texts.finished : texts.incomplete}
      </span>
    </>
  )
}

const RowActions = ({ change }: { readonly change: ManyDeviceChange }) => {
  const texts = readTexts().manyDevices
  return (
    <>
      {!change.finished && (
        <>
          <a href={toChangeAddress(change.id)}>
            {texts.progress.button}
            <span class="unseen"> {texts.changes[change.change].title}</span>
          </a>
          <br />
        </>
      )}
      <Undo change={change} />
    </>
  )
}

const Undo = ({ change, isButton = false }: { change: ManyDeviceChange; isButton?: boolean }) => {
  const texts = readTexts().manyDevices
  const opposite = opposites[change.change]
  if (opposite === undefined) return <span class="soft">{texts.list.final}</span>
  return (
    <a
      class={isButton ? 'button second' : undefined}
      href={createHref('devices/change', { change: opposite, changedBy: change.id })}
    >
      {texts.undo}
      {!isButton && <span class="unseen"> {texts.changes[change.change].title}</span>}
    </a>
  )
}

async function showOne(context: PageContext): Promise<Response> {
  const { data: change } = await context.var.api.call(getDeviceChange, {
    params: { id: context.req.param('id') ?? '' },
  })
  const texts = readTexts().manyDevices
  const { columns, title, incomplete } = texts.list
  const mayChange = mayCall(context, changeDevices)
  const done = (devices: number) => texts.progress.done(devices, change.reach)
  return showPage(context, {
    title: texts.changes[change.change].title,
    trail: [toDevices(), { to: here, text: title }],
    children: (
      <>
        {change.finished ? (
          <div class="done" role="status">
            <p>{describeStanding(texts.changes[change.change].done, change)}</p>
          </div>
        ) : (
          <div class="warning">
            <p>
              <strong>{incomplete}.</strong> {describeStanding(done, change)} {texts.progress.rest}
            </p>
          </div>
        )}
        {!change.finished && mayChange && <Continue change={change} />}
        <FactList
          facts={{
            [columns.time]: <Time at={change.at} />,
            [columns.who]: change.who.name || change.who.subject,
            ...(change.tags && { [readTexts().groups.ofDevice.tags]: change.tags.join(', ') }),
            [columns.devices]: <DevicesOf {...change} />,
            [columns.progress]: <ProgressWords change={change} />,
          }}
        />
        {change.refused !== undefined && change.refused > 0 && (
          <p>{texts.tags.refused(change.refused)}</p>
        )}
        <p class="actions">
          {change.change !== 'remove' && (
            <a class="button second" href={createHref('devices', { changedBy: change.id })}>
              {texts.show}
            </a>
          )}
          {mayChange && <Undo change={change} isButton />}
        </p>
        <HistoryLink kind="devices" id={change.id} />
      </>
    ),
  })
}

/** Sends what the first form sent: the service knows how far the change is. */
const Continue = ({
  change: { id, change, filter, reach, tags },
}: {
  readonly change: ManyDeviceChange
}) => (
  <PostForm
    to={createHref('devices/change', {
      ...Object.fromEntries(new URLSearchParams(filter)),
      change,
      ...(tags && { tags: tags.join(',') }),
    })}
    button={readTexts().manyDevices.progress.button}
  >
    <HiddenFields
      values={[
        ['id', id],
        ['maxReach', String(reach)],
      ]}
    />
  </PostForm>
)
