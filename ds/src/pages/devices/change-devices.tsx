/** Changes of all devices that a filter finds: a page says how many they are, and the change continues until all are done. */
import {
  changeDevices,
  DeviceChange,
  type DeviceReach,
  getDeviceReach,
} from '@cardwire/client/protocol'
import type { Services } from '../../services.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongName, mayCall, requireRole, showConfirmation } from '../frame/change.tsx'
import { HiddenFields } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, formatCount, Table } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import type { ReviewState } from '../frame/reviewed-change.ts'
import { readTexts } from '../frame/texts.ts'
import {
  type DeviceQuery,
  type Fields,
  isDeviceQuery,
  readFields,
  showUnknownFilter,
} from './filters.tsx'

/** How long one request changes devices, and in how many steps at most: Workers limit the statements of a request. */
const requestMs = 4000
const stepsPerRequest = 100

/** Which devices, and what happens to them. */
interface Request {
  readonly change: DeviceChange
  readonly filter: DeviceQuery
}

type Progress = Awaited<ReturnType<typeof work>>

export function addManyDeviceChanges(
  pages: PageApp,
  services: Pick<Services, 'random' | 'uptime'>,
): void {
  pages.get('/devices/change', async (context) => {
    const request = readRequest(context)
    return request ? ask(context, services, request) : showUnknownFilter(context)
  })

  pages.post('/devices/change', requireRole(changeDevices), async (context) => {
    const request = readRequest(context)
    if (!request) return showUnknownFilter(context)
    const form = await readForm(context)
    const typed = form.has('confirm') ? findWrongName(form, form.text('maxReach')) : undefined
    if (typed !== undefined) return ask(context, services, request, { typed })
    const progress = await attempt(work(context, services, request, form))
    if (progress instanceof ApiProblem)
      return ask(context, services, request, { problem: progress })
    return progress.finished
      ? showDone(context, progress)
      : showProgress(context, request, progress, form)
  })
}

function readRequest(context: PageContext): Request | undefined {
  const { change: name, ...filter } = readFields(context)
  const change = DeviceChange.safeParse(name).data
  return change !== undefined && isDeviceQuery(filter) ? { change, filter } : undefined
}

const toAddress = ({ change, filter }: Request): string =>
  createHref('devices/change', { ...(filter as Fields), change })

/** The number of devices is typed where it is a large part of all, and where there is no way back. */
async function ask(
  context: PageContext,
  { random }: Pick<Services, 'random'>,
  request: Request,
  state: ReviewState = {},
): Promise<Response> {
  const { change, filter } = request
  const { data } = await context.var.api.call(getDeviceReach, { query: { ...filter, change } })
  const texts = readTexts().manyDevices
  const { title, effects } = texts.changes[change]
  const { reach, isLarge } = data
  const trail = [{ to: 'devices', text: readTexts().devices.title }]
  const children = (
    <>
      <div class={reach > 0 ? 'warning' : 'note'}>
        <p>
          <strong>{texts.reach(reach)}</strong>
        </p>
      </div>
      {reach > 0 && (
        <>
          <ul>
            {effects.map((effect) => (
              <li>{effect}</li>
            ))}
          </ul>
          <Groups reach={data} />
        </>
      )}
    </>
  )
  if (reach === 0) return showPage(context, { title, trail, children })
  return showConfirmation(context, {
    ...{ title, trail, children, button: title, operation: changeDevices },
    to: toAddress(request),
    ...((isLarge || change === 'remove') && { name: String(reach) }),
    ...state,
    fields: (
      <HiddenFields
        values={[
          ['id', random.uuid()],
          ['maxReach', String(reach)],
        ]}
      />
    ),
  })
}

const Groups = ({ reach: { reach, groups } }: { readonly reach: DeviceReach }) => {
  const texts = readTexts()
  const { caption, version, system, devices } = texts.versions.affected
  const listed = groups.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <Table
        caption={caption}
        head={[version, system, devices]}
        numbers={[2]}
        rows={groups.map((group) => [
          group.version,
          texts.systems[group.platform],
          formatCount(group.count),
        ])}
      />
      {listed < reach && <p class="soft">{texts.manyDevices.largest}</p>}
    </>
  )
}

/** Changes devices until all are done, or it has taken long. */
async function work(
  { var: { api } }: PageContext,
  { uptime }: Pick<Services, 'uptime'>,
  { change, filter }: Request,
  form: Form,
) {
  const until = uptime() + requestMs
  const send = () =>
    api.call(changeDevices, {
      params: { id: form.text('id') },
      query: { ...filter, maxReach: form.text('maxReach') || '0' },
      body: { change },
    })
  let { data } = await send()
  for (let step = 1; !data.finished && step < stepsPerRequest && uptime() < until; step += 1)
    data = (await send()).data
  return data
}

function showProgress(
  context: PageContext,
  request: Request,
  { id, done, reach }: Progress,
  form: Form,
): Promise<Response> {
  const texts = readTexts().manyDevices.progress
  return showPage(context, {
    title: texts.title,
    trail: [{ to: 'devices', text: readTexts().devices.title }],
    children: (
      <>
        <p role="status">{texts.done(done, reach)}</p>
        <p>
          <progress value={done} max={reach} aria-label={texts.title} />
        </p>
        <p class="soft">{texts.next}</p>
        <div data-continue="">
          <PostForm to={toAddress(request)} button={texts.button} cancel="devices">
            <HiddenFields
              values={[
                ['id', id],
                ['maxReach', form.text('maxReach')],
              ]}
            />
          </PostForm>
        </div>
      </>
    ),
  })
}

function showDone(context: PageContext, { id, change, done }: Progress): Promise<Response> {
  const texts = readTexts().manyDevices
  const opposite = ({ block: 'unblock', unblock: 'block' } as const)[change as 'block']
  return showPage(context, {
    title: texts.changes[change].title,
    trail: [{ to: 'devices', text: readTexts().devices.title }],
    children: (
      <>
        <div class="done" role="status">
          <p>{texts.changes[change].done(done)}</p>
        </div>
        {change !== 'remove' && done > 0 && (
          <p class="actions">
            <a class="button second" href={createHref('devices', { changedBy: id })}>
              {texts.show}
            </a>
            {opposite !== undefined && (
              <a
                class="button second"
                href={createHref('devices/change', { change: opposite, changedBy: id })}
              >
                {texts.undo}
              </a>
            )}
          </p>
        )}
      </>
    ),
  })
}

/** Below the list: what can be done with all devices that it has. */
export const ManyDeviceChanges = ({
  context,
  fields,
}: {
  readonly context: PageContext
  readonly fields: Fields
}) => {
  if (!mayCall(context, changeDevices)) return null
  const texts = readTexts().manyDevices
  return (
    <>
      <h2>{Object.keys(fields).length > 0 ? texts.matching : texts.all}</h2>
      <p class="actions">
        {DeviceChange.options.map((change) => (
          <a class="button second" href={createHref('devices/change', { ...fields, change })}>
            {texts.changes[change].title}
          </a>
        ))}
      </p>
    </>
  )
}
