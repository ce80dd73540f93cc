/** A review that was confirmed changes only what it has shown: when another change alters what it does, it is shown again. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession, type PageSession } from './harness/page-session.ts'

const site = 'https://bank.example'
const uris = [{ os: 'UNIX', uri: 'https://downloads.example/connector.deb' }]
const changed =
  'This change would no longer have the effect that you reviewed. Nothing was saved. Review it again.'

let ds: InProcess
let session: PageSession
let token: string

beforeEach(async () => {
  ds = await startInProcess({ DS_MAX_REACH: 'any' })
  token = await ds.login()
  session = await openPageSession(ds)
  const old = await createVersion(ds, token, { id: '4.0.0', uris })
  for (const id of ['4.1.0', '4.2.0']) await createVersion(ds, token, { id, uris })
  for (const id of ['4.0.0', '4.1.0', '4.2.0']) await allow(id, [site])
  for (let count = 0; count < 3; count += 1) await createDevice(ds, old)
})
afterEach(() => ds.stop())

const send = async (method: string, path: string, body?: Json) =>
  getData(await ds.request(method, path, { token, ...(body && { body }) }))

const listConfigurations = async (versionId: string) =>
  (await send('GET', `/v3/configurations?versionId=${versionId}`)).items as readonly Json[]

async function removeConfigurations(versionId: string): Promise<void> {
  for (const { id } of await listConfigurations(versionId))
    await send('DELETE', `/v3/configurations/${id}`)
}

/** The allowlist of a version is this, and no other. */
async function allow(versionId: string, cors: readonly string[]): Promise<void> {
  await removeConfigurations(versionId)
  await send('PUT', '/v3/configurations', { versionId, type: 'CONTEXT_CONFIG', config: { cors } })
}

const readVersion = (id: string) => send('GET', `/v3/versions/${id}`)

/** The fields of the form that confirms, with what has to be typed. */
function fillIn(page: string): Record<string, string> {
  const form = page.split('<form').find((part) => part.includes('name="maxReach"')) ?? ''
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const confirm = /Type “([^”]+)” to confirm/.exec(form)?.[1]
  return {
    ...Object.fromEntries(
      fields.map(([, name, value]) => [name, value?.replaceAll('&quot;', '"')]),
    ),
    ...(confirm !== undefined && { confirm }),
  }
}

const withoutInstallers = (id: string) =>
  send('PATCH', `/v3/versions/${id}?force=true`, { uris: [] })

/** What is reviewed, the form that asks for the review, and another user’s change between review and confirmation. */
const reviews: readonly {
  readonly review: string
  readonly path: string
  readonly form?: Record<string, string>
  readonly before?: () => Promise<unknown>
  readonly meanwhile: () => Promise<unknown>
  readonly isMade: () => Promise<boolean>
}[] = [
  {
    review: 'release settings whose target has lost its installer',
    path: 'versions/4.0.0/flags',
    meanwhile: async () => {
      await withoutInstallers('4.2.0')
      await withoutInstallers('4.1.0')
    },
    isMade: async () => (await readVersion('4.0.0')).allowed === false,
  },
  {
    review: 'another installer that devices now have to install',
    path: 'versions/4.2.0/installers',
    form: { 'uri-UNIX': 'https://downloads.example/another.deb' },
    before: () => send('PATCH', '/v3/versions/4.2.0?force=true', { recommended: true }),
    meanwhile: () => send('PATCH', '/v3/versions/4.1.0?force=true', { mandatory: true }),
    isMade: async () => (await readVersion('4.2.0')).uris[0].uri.endsWith('another.deb'),
  },
  {
    review: 'a registration whose copied allowlist is another',
    path: 'versions/new',
    form: {
      id: '4.3.0',
      recommended: 'yes',
      allowed: 'yes',
      'uri-UNIX': uris[0]?.uri ?? '',
      copyFrom: '4.2.0',
    },
    meanwhile: () => allow('4.2.0', [site, 'https://evil.example']),
    isMade: async () => (await ds.request('GET', '/v3/versions/4.3.0', { token })).status === 200,
  },
  {
    review: 'a copy whose configurations are others',
    path: 'configurations/copy',
    form: { from: '4.2.0', to: '4.0.0' },
    before: () => removeConfigurations('4.0.0'),
    meanwhile: () => allow('4.2.0', ['https://evil.example']),
    isMade: async () => (await listConfigurations('4.0.0')).length > 0,
  },
  {
    review: 'a removal after which devices go elsewhere',
    path: 'versions/4.2.0/remove',
    before: async () => {
      await removeConfigurations('4.2.0')
      await send('PATCH', '/v3/versions/4.0.0?force=true', { allowed: false })
    },
    meanwhile: () => withoutInstallers('4.1.0'),
    isMade: async () => (await ds.request('GET', '/v3/versions/4.2.0', { token })).status === 404,
  },
  {
    review: 'a restored revision after which devices go elsewhere',
    path: 'versions/4.2.0/history/1/restore',
    before: () => send('PATCH', '/v3/versions/4.2.0?force=true', { recommended: true }),
    meanwhile: () => send('PATCH', '/v3/versions/4.1.0?force=true', { recommended: true }),
    isMade: async () => (await readVersion('4.2.0')).recommended === false,
  },
]

test.each(reviews)('$review: it is reviewed again', async (reviewed) => {
  proves('change-reviewed', 'fleet-changed-unseen')
  const { path, form = {}, before, meanwhile, isMade } = reviewed
  await before?.()
  const open = await session.get(path)
  const etag = /name="etag" value="([^"]*)"/.exec(open.text)?.[1]?.replaceAll('&quot;', '"')
  // Some pages are their own review.
  const review = open.text.includes('name="maxReach"')
    ? open
    : await session.post(path, { ...(etag !== undefined && { etag }), ...form })
  const confirmation = fillIn(review.text)
  expect(confirmation['maxReach']).toMatch(/^[1-9]/)

  await meanwhile()
  const refused = await session.post(path, confirmation)
  expect([refused.status, refused.text.includes(changed)]).toEqual([409, true])
  expect(await isMade()).toBe(false)

  const made = await session.post(path, fillIn(refused.text))
  expect([200, 303]).toContain(made.status)
  expect(await isMade()).toBe(true)
})
