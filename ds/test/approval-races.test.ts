/** What another request changes while an administrator approves, and while a rollout starts. */
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../test/bed/service-request.ts'
import { logIn } from './harness/accounts.ts'
import { createRollout, createVersion, createVersionBody, getData } from './harness/arrange.ts'
import { beforeBatch } from './harness/before-batch.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
afterEach(() => ds?.stop())

const elsewhere = [{ os: 'UNIX', uri: 'https://elsewhere.example/connector.deb' }]
const dayMs = 86_400_000
const password = 'a password of the second one'
const next = 'another password of the second one'

const meanwhile = beforeBatch()

/** A fleet of two devices with 1.0.0, version 1.1.0, and two administrators. */
async function arrange(settings: Record<string, string> = {}) {
  ds = await startInProcess(settings, meanwhile.watch)
  const token = await ds.login()
  const version = await createVersion(ds, token, { id: '1.0.0' })
  await createVersion(ds, token, { id: '1.1.0' })
  for (const _ of [1, 2]) await createDevice(ds, version)
  const body = { name: 'second', role: 'administrator', password }
  getData(await ds.request('POST', '/v3/administrators', { token, body }))
  const first = (await logIn(ds, 'second', password)).json.access_token
  const change = { password, newPassword: next }
  await ds.request('PUT', '/v3/account/password', { token: first, body: change })
  ds.now += 8 * dayMs
}

const second = async () => (await logIn(ds, 'second', next)).json.access_token as string
const toOutcome = ({ status, json }: ServiceResponse) => [status, json.code]
const list = async (): Promise<Json[]> =>
  getData(await ds.request('GET', '/v3/approvals', { token: await ds.login() })).items
const read = async (path: string) =>
  getData(await ds.request('GET', path, { token: await ds.login() }))
const send = async (method: string, path: string, body: Json, headers = {}, token = ds.login()) =>
  ds.request(method, path, { token: await token, body, headers })
const draft = async () => createRollout(ds, await ds.login(), 'draft', { version: '1.1.0' })
/** Of a version that reaches no device yet. */
const changeInstallers = () => send('PATCH', '/v3/versions/1.1.0', { uris: elsewhere })

test.each<[string, string, (id: string) => string, Json]>([
  ['the start of a rollout', 'PUT', (id) => `/v3/rollouts/${id}/state`, { state: 'running' }],
  ['the end of a rollout', 'PUT', (id) => `/v3/rollouts/${id}/state`, { state: 'finished' }],
  ['a block', 'PATCH', () => '/v3/versions/1.0.0', { allowed: false }],
])(
  '%s is not approved when something else changes at that moment: it is requested again',
  async (_, method, toPath, body) => {
    proves('second-administrator', 'one-administrator')
    await arrange({ DS_TWO_ADMINISTRATORS: '1' })
    const { id } = await draft()
    const path = `${toPath(id)}?maxReach=9`
    const readChanged = () => read(toPath(id).replace('/state', ''))
    const before = await readChanged()
    expect(toOutcome(await send(method, path, body))).toEqual([403, 'second-administrator'])

    meanwhile.once(/^update "(rollouts|versions)"/, async () => getData(await changeInstallers()))
    const approved = await send(method, path, body, {}, second())
    expect(toOutcome(approved)).toEqual([403, 'second-administrator'])
    expect(await readChanged()).toEqual(before)
    expect(await list()).toMatchObject([{ who: { name: 'second' }, changedSince: false }])

    // The same with what a page has shown.
    const [{ tag }] = (await list()) as [Json]
    meanwhile.once(/^update "(rollouts|versions)"/, async () => {
      getData(await send('PATCH', '/v3/versions/1.1.0', { uris: [] }))
    })
    expect(toOutcome(await send(method, path, body, { approves: tag }))).toEqual([
      404,
      'approval-unknown',
    ])
    expect(await readChanged()).toEqual(before)
    expect(await list()).toMatchObject([{ who: { name: 'second' }, changedSince: true }])
  },
)

test.each<[string, string, string, Json]>([
  ['other installers', 'PATCH', '/v3/versions/1.1.0', { uris: elsewhere }],
  ['a whole version', 'PUT', '/v3/versions', createVersionBody({ id: '1.1.0', uris: elsewhere })],
  ['a suggestion', 'PATCH', '/v3/versions/1.1.0', { recommended: true }],
])('%s: refused when a rollout starts at that moment', async (_, method, path, body) => {
  proves('rollout-bypassed', 'one-administrator')
  await arrange()
  const { id } = await draft()
  const before = await read('/v3/versions/1.1.0')
  if (body.recommended)
    getData(await ds.request('DELETE', `/v3/rollouts/${id}`, { token: await ds.login() }))
  meanwhile.once(/^(update|insert into) "versions"/, async () => {
    if (body.recommended) await draft()
    else getData(await send('PUT', `/v3/rollouts/${id}/state?maxReach=9`, { state: 'running' }))
  })
  expect(toOutcome(await send(method, `${path}?force=true&maxReach=9`, body))).toEqual([
    409,
    'version-in-rollout',
  ])
  expect(await read('/v3/versions/1.1.0')).toEqual(before)
})

test('a rollout is not planned for a version that everyone gets from that moment on', async () => {
  proves('rollout-bypassed')
  await arrange()
  meanwhile.once(/^insert into "rollouts"/, async () => {
    getData(await send('PATCH', '/v3/versions/1.1.0?maxReach=9', { recommended: true }))
  })
  const body = { version: '1.1.0', flag: 'recommended', stages: [{ share: 100, holdS: 86_400 }] }
  const planned = await send('PUT', `/v3/rollouts/${crypto.randomUUID()}`, body)
  expect(toOutcome(planned)).toEqual([409, 'version-unsuitable'])
})

test('a version is not removed when a rollout of it is planned at that moment', async () => {
  proves('rollout-bypassed')
  await arrange()
  meanwhile.once(/^delete from "versions"/, draft)
  expect(toOutcome(await send('DELETE', '/v3/versions/1.1.0', undefined))).toEqual([
    ...[409, 'version-in-rollout'],
  ])
  expect(await read('/v3/versions/1.1.0')).toMatchObject({ id: '1.1.0' })
})
