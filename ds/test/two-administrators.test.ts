/** Changes that a second administrator has to approve: what waits, who counts as a second one, and what never waits. */
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../test/bed/service-request.ts'
import { logIn } from './harness/accounts.ts'
import { createRollout, createVersion, createVersionBody, getData } from './harness/arrange.ts'
import { createDevice, createIdentity, register } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'

let ds: InProcess
afterEach(() => ds?.stop())

const dayMs = 86_400_000
const password = 'a password of the second one'
const next = 'another password of the second one'

/** A fleet of two devices with 1.0.0, version 1.1.0, and a second administrator who was added today. */
async function arrange(settings: Record<string, string> = { DS_TWO_ADMINISTRATORS: '1' }) {
  ds = await startInProcess(settings)
  const token = await ds.login()
  const version = await createVersion(ds, token, { id: '1.0.0' })
  await createVersion(ds, token, { id: '1.1.0' })
  for (const _ of [1, 2]) await createDevice(ds, version)
  const body = { name: 'second', role: 'administrator', password }
  getData(await ds.request('POST', '/v3/administrators', { token, body }))
  const first = (await logIn(ds, 'second', password)).json.access_token
  const change = { password, newPassword: next }
  await ds.request('PUT', '/v3/account/password', { token: first, body: change })
  return version
}

const second = async () => (await logIn(ds, 'second', next)).json.access_token as string
const later = (days: number) => {
  ds.now += days * dayMs
}
const toOutcome = ({ status, json }: ServiceResponse) => [status, json.code, json.reach]
const waits = (reach: number) => [403, 'second-administrator', reach]
const list = async (): Promise<Json[]> =>
  getData(await ds.request('GET', '/v3/approvals', { token: await ds.login() })).items
const draft = async () => createRollout(ds, await ds.login(), 'draft', { version: '1.1.0' })
const read = async (path: string) =>
  getData(await ds.request('GET', path, { token: await ds.login() }))

const startAs = (token: string, id: string, query = '?maxReach=9') =>
  ds.request('PUT', `/v3/rollouts/${id}/state${query}`, { token, body: { state: 'running' } })

test('without the setting, one administrator is enough', async () => {
  await arrange({})
  const { id } = await draft()
  expect((await startAs(await ds.login(), id)).status).toBe(200)
})

test('a rollout to more devices starts when a second administrator sends the same request, and the audit names both', async () => {
  proves('second-administrator', 'one-administrator')
  await arrange()
  later(8)
  const { id } = await draft()
  expect(toOutcome(await startAs(await ds.login(), id))).toEqual(waits(2))
  expect(await list()).toMatchObject([
    {
      ...{ operation: 'changeRollout', params: { id }, body: { state: 'running' } },
      ...{ reach: 2, maxReach: 9, changedSince: false, who: { name: 'admin' } },
    },
  ])
  expect(toOutcome(await startAs(await ds.login(), id))).toEqual(waits(2))
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('draft')
  expect(await list()).toHaveLength(1)

  expect(getData(await startAs(await second(), id))).toMatchObject({ state: 'running' })
  expect(await list()).toEqual([])
  const { items } = await read('/v3/audit?size=20')
  const changes = items.filter(({ kind }: Json) => kind === 'rollout' || kind === 'approval')
  expect(
    changes.slice(0, 3).map(({ kind, who, fields }: Json) => [kind, who.name, fields]),
  ).toEqual([
    ['approval', 'second', ['approved', 'admin']],
    ['rollout', 'second', ['state']],
    ['approval', 'admin', ['requested']],
  ])
  // Used up: the next change is another one.
  getData(
    await ds.request('PUT', `/v3/rollouts/${id}/state`, {
      token: await second(),
      body: { state: 'paused' },
    }),
  )
  expect(toOutcome(await startAs(await second(), id))).toEqual(waits(2))
})

test('an account that another one added or changed lately neither asks nor approves', async () => {
  proves('second-administrator', 'one-administrator')
  await arrange()
  const { id } = await draft()
  expect(toOutcome(await startAs(await second(), id))).toEqual([
    403,
    'second-administrator',
    undefined,
  ])
  expect(await list()).toEqual([])
  expect(toOutcome(await startAs(await ds.login(), id))).toEqual(waits(2))
  expect(toOutcome(await startAs(await second(), id))).toEqual([
    403,
    'second-administrator',
    undefined,
  ])
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('draft')
  later(8)
  expect(toOutcome(await startAs(await second(), id))).toEqual(waits(2))
  // The first administrator takes over the account of the one that has asked.
  const body = { password: 'a password that the first one knows' }
  const token = await ds.login()
  getData(await ds.request('PUT', '/v3/administrators/second/password', { token, body }))
  expect(toOutcome(await startAs(token, id))).toEqual(waits(2))
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('draft')
})

test('an API client asks and never approves, and the administrator who made it does not approve what it asks', async () => {
  proves('second-administrator', 'program-approves')
  await arrange()
  later(8)
  const client = { id: 'pipeline', role: 'publisher' }
  getData(await ds.request('POST', '/v3/api-clients', { token: await ds.login(), body: client }))
  const path = '/v3/api-clients/pipeline/credentials'
  const added = await ds.request('POST', path, {
    ...{ token: await ds.login(), body: { kind: 'secret' } },
  })
  const form = {
    ...{ grant_type: 'client_credentials', client_id: 'pipeline' },
    client_secret: getData(added).secret,
  }
  const program = async (): Promise<string> =>
    (await ds.request('POST', '/v3/oauth/token', { form })).json.access_token
  const { id } = await draft()
  const isDraft = async () => (await read(`/v3/rollouts/${id}`)).state === 'draft'

  // What a person has asked for, a program does not approve.
  expect(toOutcome(await startAs(await second(), id))).toEqual(waits(2))
  expect(toOutcome(await startAs(await program(), id))).toEqual(waits(2))
  expect(await isDraft()).toBe(true)
  expect(await list()).toMatchObject([{ who: { name: 'pipeline' } }])
  // It was made by the first administrator.
  expect(toOutcome(await startAs(await ds.login(), id))).toEqual(waits(2))
  expect(await isDraft()).toBe(true)

  expect(toOutcome(await startAs(await program(), id))).toEqual(waits(2))
  getData(
    await ds.request('PUT', '/v3/api-clients/pipeline', {
      ...{ token: await ds.login(), body: { role: 'viewer' } },
    }),
  )
  // It may no longer ask.
  expect(toOutcome(await startAs(await second(), id))).toEqual(waits(2))
  getData(
    await ds.request('PUT', '/v3/api-clients/pipeline', {
      ...{ token: await ds.login(), body: { role: 'publisher' } },
    }),
  )
  expect(toOutcome(await startAs(await program(), id))).toEqual(waits(2))
  expect(getData(await startAs(await second(), id)).state).toBe('running')
})

test('a request ends after a day', async () => {
  proves('second-administrator')
  await arrange()
  later(8)
  const { id } = await draft()
  expect(toOutcome(await startAs(await ds.login(), id))).toEqual(waits(2))
  later(1)
  expect(await list()).toEqual([])
  expect(toOutcome(await startAs(await second(), id))).toEqual(waits(2))
  expect(await list()).toMatchObject([{ who: { name: 'second' } }])
})

test('a change is requested again when something else has changed since, and when it reaches more devices', async () => {
  proves('second-administrator', 'one-administrator')
  const version = await arrange()
  later(8)
  const { id } = await draft()
  expect(toOutcome(await startAs(await ds.login(), id, '?maxReach=2'))).toEqual(waits(2))
  await createVersion(ds, await ds.login(), { id: '0.9.0' })
  expect(await list()).toMatchObject([{ changedSince: true, who: { name: 'admin' } }])
  expect(toOutcome(await startAs(await second(), id, '?maxReach=2'))).toEqual(waits(2))
  expect(await list()).toMatchObject([{ changedSince: false, who: { name: 'second' } }])
  await createDevice(ds, version)
  expect(toOutcome(await startAs(await ds.login(), id, '?maxReach=3'))).toEqual(waits(3))
  expect(await list()).toMatchObject([{ reach: 3, maxReach: 3, who: { name: 'admin' } }])
  expect(getData(await startAs(await second(), id, '?maxReach=3')).state).toBe('running')
})

test('neither a device that brings a version nor the next stage of a rollout ends a request', async () => {
  proves('second-administrator', 'one-administrator')
  const settings = { DS_TWO_ADMINISTRATORS: '1', DS_IMPLICIT_VERSIONS: 'on' }
  const version = await arrange(settings)
  later(8)
  const { id } = await draft()
  expect(toOutcome(await startAs(await ds.login(), id))).toEqual(waits(2))
  const [first] = (await list()) as [Json]
  const identity = await createIdentity()
  const body = { version: '66.0.0', clock: () => ds.now }
  const registered = await register(ds, identity, version.installationApiKey, body)
  expect(registered.status).toBeLessThan(300)
  expect((await read('/v3/audit?size=1&kind=version')).items).toMatchObject([{ id: '66.0.0' }])
  const enter = (operation: string, fields: string) =>
    ds.driver.run({
      sql: `insert into audit (at, subject, name, operation, kind, id, fields)
        values (1, 'local', 'local', ?, 'rollout', 'another', ?)`,
      params: [operation, fields],
    })
  await enter('advanceRollout', 'stage')
  expect(await list()).toEqual([{ ...first, changedSince: false }])
  await enter('advanceRollout', 'state')
  expect(await list()).toMatchObject([{ changedSince: true }])
  expect(toOutcome(await startAs(await second(), id))).toEqual(waits(2))
  await enter('haltRollout', 'state')
  expect(toOutcome(await startAs(await ds.login(), id))).toEqual(waits(2))
  await enter('syncDevice', 'id')
  await enter('advanceRollout', 'stage')
  expect(getData(await startAs(await second(), id, '?maxReach=9')).state).toBe('running')
})

test('a request is withdrawn or declined', async () => {
  proves('second-administrator')
  await arrange()
  later(8)
  const { id } = await draft()
  const token = await ds.login()
  await startAs(token, id)
  const [{ id: approval }] = (await list()) as [Json]
  const remove = () => ds.request('DELETE', `/v3/approvals?id=${approval}`, { token })
  expect((await remove()).status).toBe(200)
  expect(toOutcome(await startAs(await second(), id))).toEqual(waits(2))
  expect((await remove()).status).toBe(200)
  expect(toOutcome(await remove())).toEqual([404, 'approval-unknown', undefined])
})

test.each<[string, string, string, Json]>([
  ['a suggestion', 'PATCH', '/v3/versions/1.1.0', { recommended: true }],
  ['a requirement', 'PATCH', '/v3/versions/1.1.0', { mandatory: true }],
  ['a block', 'PATCH', '/v3/versions/1.0.0', { allowed: false }],
  ['a removal of the own version', 'DELETE', '/v3/versions/1.0.0', undefined],
  ['a whole version', 'PUT', '/v3/versions', createVersionBody({ id: '1.1.0', mandatory: true })],
  ['a new version', 'PUT', '/v3/versions', createVersionBody({ id: '1.2.0', recommended: true })],
])(
  '%s waits for the second one, with and without a limit in the request',
  async (_, method, path, body) => {
    proves('second-administrator', 'one-administrator')
    await arrange({ DS_TWO_ADMINISTRATORS: '1', DS_MAX_REACH: 'any' })
    later(8)
    const force = method === 'DELETE' ? '' : 'force=true&'
    for (const limit of ['', 'maxReach=9']) {
      const answer = await ds.request(method, `${path}?${force}${limit}`, {
        token: await ds.login(),
        body,
      })
      expect(toOutcome(answer)).toEqual(waits(2))
    }
    expect(await list()).toHaveLength(1)
    const approved = await ds.request(method, `${path}?${force}`, { token: await second(), body })
    expect(approved.status).toBeLessThan(300)
  },
)

test('to stop is always one administrator: halts, pauses and the block of the emergency stop', async () => {
  proves('second-administrator', 'emergency-stop')
  await arrange()
  later(8)
  const { id } = await draft()
  await startAs(await ds.login(), id)
  getData(await startAs(await second(), id))
  const token = await ds.login()
  for (const state of ['paused', 'halted'])
    getData(await ds.request('PUT', `/v3/rollouts/${id}/state`, { token, body: { state } }))
  expect(toOutcome(await startAs(token, id))).toEqual(waits(2))
  const stop = (version: string) =>
    ds.request('POST', '/v3/rollouts/halt?maxReach=9', { token, body: { version } })
  getData(await stop('1.0.0'))
  expect(await read('/v3/versions/1.0.0')).toMatchObject({ allowed: false })
})

test('the emergency stop releases no later version', async () => {
  proves('second-administrator', 'one-administrator')
  await arrange()
  const token = await ds.login()
  const stop = (version: string) =>
    ds.request('POST', '/v3/rollouts/halt?maxReach=9', { token, body: { version } })
  expect(toOutcome(await stop('1.0.0'))).toEqual(waits(2))
  expect(await read('/v3/versions/1.0.0')).toMatchObject({ allowed: true })
  getData(await stop('1.1.0'))
  getData(await stop('1.0.0'))
})

test('in the admin console, the first one sees that it has to wait, and the second one approves', async () => {
  proves('approvals-page')
  await arrange()
  later(8)
  const { id } = await draft()
  const session = await openPageSession(ds)
  const { etag } = await session.get(`rollouts/${id}`).then(({ text }) => ({
    etag: /name="etag" value="([^"]*)"/.exec(text)?.[1] ?? '"1"',
  }))
  const sent = await session.post(`rollouts/${id}/start`, { etag, maxReach: '2', confirm: '2' })
  expect([
    sent.status,
    sent.text.includes('Another administrator or publisher has to approve this'),
  ]).toEqual([...[403, true]])
  const own = (await session.get('approvals')).text
  expect(own).toContain('Cancel request')
  expect(own).not.toContain('approvals/approve')
  expect((await session.get('')).text).toContain('Review changes pending approval')

  const other = await openPageSession(ds, { name: 'second', password: next })
  const [{ id: request }] = (await list()) as [Json]
  const declined = await other.post('approvals/remove', { id: request })
  expect(declined.headers.get('set-cookie')).toContain('cardwire-done=declineChange;')
  expect(await list()).toEqual([])
  await session.post(`rollouts/${id}/start`, { etag, maxReach: '2', confirm: '2' })
  const [{ id: second }] = (await list()) as [Json]
  const canceled = await session.post('approvals/remove', { id: second })
  expect(canceled.headers.get('set-cookie')).toContain('cardwire-done=removeApproval;')
  await session.post(`rollouts/${id}/start`, { etag, maxReach: '2', confirm: '2' })
  const page = (await other.get('approvals')).text
  expect(page).toContain('Requested by admin')
  expect(page).toContain('It would now affect 2 devices.')
  const [{ tag }] = (await list()) as [Json]
  expect(page).toContain('&quot;state&quot;: &quot;running&quot;')
  expect((await other.post('approvals/approve', { tag })).status).toBe(303)
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('running')
  expect(await list()).toEqual([])
})

test('a request that was made again after it was shown is not approved, and the approval is not stored as a request', async () => {
  proves('second-administrator', 'one-administrator')
  await arrange()
  later(8)
  const { id } = await draft()
  await startAs(await ds.login(), id)
  const other = await openPageSession(ds, { name: 'second', password: next })
  const [{ tag }] = (await list()) as [Json]
  // Other installers, which the page did not show; then the same request again.
  const uris = [{ os: 'UNIX', uri: 'https://elsewhere.example/connector.deb' }]
  const token = await ds.login()
  getData(await ds.request('PATCH', '/v3/versions/1.1.0', { token, body: { uris } }))
  expect((await other.post('approvals/approve', { tag })).status).toBe(404)
  expect(await list()).toMatchObject([{ who: { name: 'admin' }, changedSince: true }])
  ds.now += 1000
  await startAs(await ds.login(), id)
  expect((await other.post('approvals/approve', { tag })).text).toContain('Requested by admin')
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('draft')
  // Nor by a request that names what it has seen.
  const old = await ds.request('PUT', `/v3/rollouts/${id}/state?maxReach=9`, {
    ...{ token: await second(), body: { state: 'running' }, headers: { approves: tag } },
  })
  expect(toOutcome(old)).toEqual([404, 'approval-unknown', undefined])
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('draft')
  const [again] = (await list()) as [Json]
  expect(again.who.name).toBe('admin')
  expect((await other.post('approvals/approve', { tag: again.tag })).status).toBe(303)
  expect((await read(`/v3/rollouts/${id}`)).state).toBe('running')
})

test('an account with the name of the command on the server is no exception', async () => {
  proves('second-administrator', 'one-administrator')
  await arrange()
  later(8)
  const token = await ds.login()
  const add = { name: 'local', role: 'administrator', password }
  getData(await ds.request('POST', '/v3/administrators', { token, body: add }))
  const first = (await logIn(ds, 'local', password)).json.access_token
  const change = { password, newPassword: next }
  await ds.request('PUT', '/v3/account/password', { token: first, body: change })
  const local = (await logIn(ds, 'local', next)).json.access_token
  const third = { name: 'third', role: 'administrator', password }
  getData(await ds.request('POST', '/v3/administrators', { token: local, body: third }))
  const own = (await logIn(ds, 'third', password)).json.access_token
  await ds.request('PUT', '/v3/account/password', { token: own, body: change })
  const { id } = await draft()
  await startAs(await ds.login(), id)
  const made = await startAs((await logIn(ds, 'third', next)).json.access_token, id)
  expect([made.status, made.json.code]).toEqual([403, 'second-administrator'])
  expect(made.json.description).toContain('another administrator has added your account')
})

test('the emergency stop gives devices no version that the same account has just changed, later or earlier', async () => {
  proves('second-administrator', 'one-administrator')
  const version = await arrange()
  later(8)
  const token = await ds.login()
  await createVersion(ds, token, { id: '2.0.0' })
  for (const _ of [1, 2, 3]) await createDevice(ds, version, { version: '2.0.0' })
  await createVersion(ds, token, { id: '1.9.9' })
  const stop = async (by: string) =>
    ds.request('POST', '/v3/rollouts/halt?maxReach=9', { token: by, body: { version: '2.0.0' } })
  expect(toOutcome(await stop(token))).toEqual(waits(3))
  expect(await read('/v3/versions/2.0.0')).toMatchObject({ allowed: true })
  // Another administrator sees what devices get, and a week later everybody could have.
  getData(await stop(await second()))
  const allow = async (by: string) =>
    ds.request('PATCH', '/v3/versions/2.0.0?maxReach=9&force=true', {
      ...{ token: by, body: { allowed: true } },
    })
  expect(toOutcome(await allow(token))).toEqual(waits(3))
  getData(await allow(await second()))
  later(8)
  getData(await stop(await ds.login()))
})

test('the installers of a version stay as they are while a rollout offers it', async () => {
  proves('second-administrator', 'one-administrator')
  await arrange({})
  const { id } = await draft()
  const token = await ds.login()
  const uris = [{ os: 'UNIX', uri: 'https://elsewhere.example/connector.deb' }]
  const patch = () =>
    ds.request('PATCH', '/v3/versions/1.1.0?maxReach=9', { token, body: { uris } })
  getData(await startAs(token, id))
  expect(toOutcome(await patch())).toEqual([409, 'version-in-rollout', undefined])
  const halt = { token, body: { state: 'halted' } }
  getData(await ds.request('PUT', `/v3/rollouts/${id}/state`, halt))
  getData(await patch())
})

test('devices that are blocked for the time of a change count', async () => {
  proves('second-administrator', 'one-administrator')
  await arrange()
  later(8)
  const token = await ds.login()
  const change = (name: string) =>
    ds.request('PUT', `/v3/device-changes/${crypto.randomUUID()}?maxReach=9`, {
      ...{ token, body: { change: name } },
    })
  getData(await change('block'))
  const body = { mandatory: true }
  const required = () =>
    ds.request('PATCH', '/v3/versions/1.1.0?maxReach=9&force=true', { token, body })
  expect(toOutcome(await required())).toEqual(waits(2))
  expect(await read('/v3/versions/1.1.0')).toMatchObject({ mandatory: false })
})

test('while a required version is rolled out, no other version reaches its devices by one administrator', async () => {
  proves('one-administrator', 'rollout-bypassed')
  await arrange({ DS_MAX_REACH: '0' })
  const token = await ds.login()
  const stages = [{ share: 100, holdS: 864_000 }]
  const device = await createDevice(ds, await createVersion(ds, token, { id: '1.0.1' }))
  const path = `?maxReach=9&force=true`
  const { id } = await createRollout(ds, token, 'draft', {
    ...{ version: '1.1.0', flag: 'mandatory', stages },
  })
  const offered = async () => {
    ds.now += 120_000
    return ((await device.sync()).reply as Json).verdict
  }
  expect((await startAs(token, id, path)).status).toBe(200)
  const given = { action: 'require', offer: { version: '1.1.0' } }
  expect(await offered()).toMatchObject(given)
  const send = async (method: string, to: string, body?: object) =>
    (await ds.request(method, to, { token: await ds.login(), body })).status
  const host = 'https://other.example/connector.deb'
  const later = createVersionBody({ id: '1.2.0', uris: [{ os: 'UNIX', uri: host }] })
  expect(await send('PUT', '/v3/versions', later)).toBe(201)
  expect(await offered()).toMatchObject(given)
  expect(await send('PATCH', '/v3/versions/1.2.0', { allowed: false })).toBe(200)
  expect(await send('PATCH', '/v3/versions/1.2.0', { allowed: true })).toBe(200)
  expect(await offered()).toMatchObject(given)
  expect(await send('DELETE', '/v3/versions/1.2.0')).toBe(200)
  expect(await offered()).toMatchObject(given)
})

test('a change that reaches only devices of a rollout is counted', async () => {
  proves('one-administrator', 'rollout-bypassed')
  await arrange({ DS_MAX_REACH: '0' })
  const token = await ds.login()
  const body = createVersionBody({ id: '1.0.5', allowed: false })
  expect((await ds.request('PUT', '/v3/versions', { token, body })).status).toBe(201)
  const { id } = await createRollout(ds, token, 'draft', {
    ...{ version: '1.1.0', stages: [{ share: 100, holdS: 864_000 }] },
  })
  expect((await startAs(token, id)).status).toBe(200)
  // A blocked version is required where a later one is there, which 1.1.0 is only for those that the rollout reaches.
  const change = { mandatory: true }
  expect(
    toOutcome(await ds.request('PATCH', '/v3/versions/1.0.5?force=true', { token, body: change })),
  ).toEqual([409, 'reach-exceeded', 2])
})
