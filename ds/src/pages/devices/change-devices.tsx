/** Changes of all devices that a filter finds: a page says how many they are, and the change continues until all are done. */
import {
  changeDevices,
  DeviceChange,
  type DeviceReach,
  getDeviceReach,
  namesTags,
} from '@cardwire/protocol'
import type { Services } from '../../services.ts'
import { ApiProblem } from '../frame/api.ts'
import {
  attempt,
  findWrongNumber,
  mayCall,
  requireRole,
  showConfirmation,
} from '../frame/change.tsx'
import { HiddenFields } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, formatCount, Table } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import type { ReviewState } from '../frame/reviewed-change.ts'
import { readTexts } from '../frame/texts.ts'
import { askForTags, readTags, TagEffects } from './change-tags.tsx'
import { describeStanding, FilterWords, toChangeAddress } from './change-words.tsx'
import { isHarmless } from './changes.ts'
import { EndOfAccess } from './end-of-access.tsx'
import {
  type DeviceQuery,
  type Fields,
  isDeviceQuery,
  readFields,
  showUnknownFilter,
} from './filters.tsx'
import { showImport } from './import-tags.tsx'

/** How long one request changes devices, and in how many steps at most: Workers limit the statements of a request. */
const requestMs = 4000
const stepsPerRequest = 100

/** Which devices, and what happens to them. */
interface Request {
  readonly change: DeviceChange
  readonly filter: DeviceQuery
  /** Those that it adds or removes. */
  readonly tags?: readonly string[]
}

type ChangeServices = Pick<Services, 'random' | 'uptime' | 'clock' | 'settings'>

type Progress = Awaited<ReturnType<typeof work>>

export function addManyDeviceChanges(pages: PageApp, services: ChangeServices): void {
  pages.get('/devices/change', requireRole(changeDevices), async (context) => {
    const request = await readRequest(context)
    if (!request) return showUnknownFilter(context)
    if (request instanceof Response) return request
    if (request.change === 'importTags') return showNext(context, 'devices/imports')
    return ask(context, services, request)
  })

  pages.post('/devices/change', requireRole(changeDevices), async (context) => {
    const request = await readRequest(context)
    if (!request) return showUnknownFilter(context)
    if (request instanceof Response) return request
    const form = await readForm(context)
    const typed = form.has('confirm') ? findWrongNumber(form, form.text('maxReach')) : undefined
    const again = (state?: ReviewState) =>
      request.change === 'importTags'
        ? showImport(context, form.text('id'), state)
        : ask(context, services, request, state)
    if (typed !== undefined) return again({ typed })
    const progress = await attempt(work(context, services, request, form))
    if (progress instanceof ApiProblem) return again({ problem: progress })
    if (!progress.finished) return showProgress(context, request, progress)
    return progress.done === 0 ? again() : showNext(context, toChangeAddress(progress.id))
  })
}

/** A response: it asks for the tags first. Undefined: there is no such change or filter. */
async function readRequest(context: PageContext): Promise<Request | Response | undefined> {
  const { change: name, tags: typed, ...filter } = readFields(context)
  const change = DeviceChange.safeParse(name).data
  if (change === undefined || !isDeviceQuery(filter)) return undefined
  if (!namesTags(change)) return { change, filter }
  const tags = readTags(typed ?? '')
  return tags ? { change, filter, tags } : askForTags(context, change, filter as Fields, typed)
}

const toAddress = ({ change, filter, tags }: Request): string =>
  createHref('devices/change', {
    ...(filter as Fields),
    change,
    ...(tags && { tags: tags.join(',') }),
  })

/** The number of devices is typed where it is a large part of all, and where there is no way back. */
async function ask(
  context: PageContext,
  services: ChangeServices,
  request: Request,
  state: ReviewState = {},
): Promise<Response> {
  const { change, filter, tags } = request
  const named = tags && { tags: tags.join(',') }
  const { data } = await context.var.api.call(getDeviceReach, {
    query: { ...filter, change, ...named },
  })
  const texts = readTexts().manyDevices
  const { title, effects, wayBack } = texts.changes[change]
  const { reach, isLarge, changedSince } = data
  const trail = [{ to: 'devices', text: readTexts().devices.title }]
  const children = (
    <>
      <div class={reach > 0 ? 'warning' : 'note'}>
        <p>
          <strong>{texts.reach(reach)}</strong>
        </p>
        <p>
          <FilterWords filter={String(new URLSearchParams(filter as Fields))} />
        </p>
        {named && (
          <p>
            <FilterWords filter={String(new URLSearchParams(named))} />
          </p>
        )}
        {changedSince > 0 && <p>{texts.left(changedSince)}</p>}
      </div>
      <TagEffects reach={data} />
      {reach > 0 && (
        <>
          <ul>
            {effects(readTexts().numbers.duration(services.settings.cycleS)).map((effect) => (
              <li>{effect}</li>
            ))}
            {(change === 'block' || change === 'remove') && (
              <li>
                <EndOfAccess
                  services={services}
                  device={{ lastSeenAt: new Date(services.clock()).toISOString() }}
                  texts={texts.access[change]}
                />
              </li>
            )}
          </ul>
          <Groups reach={data} />
        </>
      )}
    </>
  )
  if (reach === 0)
    return showPage(context, {
      ...{ title, trail },
      children: (
        <>
          {children}
          <p>
            <a href={createHref('devices', filter as Fields)}>{texts.changeFilters}</a>
          </p>
        </>
      ),
    })
  return showConfirmation(context, {
    ...{ title, trail, children, button: title, operation: changeDevices },
    to: toAddress(request),
    wayBack: { sentence: wayBack },
    isDangerous: !isHarmless.has(change),
    ...((isLarge || change === 'remove') && { name: formatCount(reach), isNumber: true }),
    ...state,
    fields: (
      <HiddenFields
        values={[
          ['id', services.random.uuid()],
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
  { change, filter, tags }: Request,
  form: Form,
) {
  const until = uptime() + requestMs
  const send = () =>
    api.call(changeDevices, {
      params: { id: form.text('id') },
      query: { ...filter, maxReach: form.text('maxReach') || '0' },
      body: { change, ...(tags && { tags: [...tags] }) },
    })
  let { data } = await send()
  for (let step = 1; !data.finished && step < stepsPerRequest && uptime() < until; step += 1)
    data = (await send()).data
  return data
}

function showProgress(
  context: PageContext,
  request: Request,
  progress: Progress,
): Promise<Response> {
  const { id, change, done, reach } = progress
  const { changes, progress: texts } = readTexts().manyDevices
  const title = changes[change].running
  return showPage(context, {
    title,
    trail: [{ to: 'devices', text: readTexts().devices.title }],
    children: (
      <>
        <p role="status">{describeStanding((devices) => texts.done(devices, reach), progress)}</p>
        <p>
          <progress value={done} max={reach} aria-label={title} />
        </p>
        <noscript>
          <p>{texts.next}</p>
        </noscript>
        <p class="soft">{texts.stays}</p>
        <div data-continue="">
          <PostForm
            to={toAddress(request)}
            button={texts.button}
            cancel={toChangeAddress(id)}
            cancelText={texts.stop}
          >
            <HiddenFields
              values={[
                ['id', id],
                ['maxReach', String(reach)],
              ]}
            />
          </PostForm>
        </div>
      </>
    ),
  })
}

/** The others are the way back from a change of tags, and need a file. */
const isOffered = (change: DeviceChange): boolean =>
  change !== 'restoreTags' && change !== 'importTags'

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
        {DeviceChange.options.filter(isOffered).map((change) => (
          <a class="button second" href={createHref('devices/change', { ...fields, change })}>
            {texts.changes[change].title}
          </a>
        ))}
      </p>
    </>
  )
}
