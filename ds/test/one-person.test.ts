/** Accounts and API clients that one person can have: where two administrators are needed, they count as one. */
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { ServiceResponse } from '../../test/bed/service-request.ts'
import { logIn } from './harness/accounts.ts'
import { createRollout, createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
afterEach(() => ds?.stop())

const dayMs = 86_400_000
const password = 'a password of another one'
const next = 'a later password of another one'
const clientPath = '/v3/api-clients/pipeline'

const toOutcome = ({ status, json }: ServiceResponse) => [status, json.code, json.reach]
const waits = (reach?: number) => [403, 'second-administrator', reach]
const as = async (name: string): Promise<string> =>
  name === 'admin' ? ds.login() : (await logIn(ds, name, next)).json.access_token
const send = async (by: string, method: string, path: string, body?: object) =>
  ds.request(method, path, { token: await as(by), ...(body && { body: { ...body } }) })

async function addAccount(name: string, by = 'admin') {
  const account = { name, role: 'administrator', password }
  getData(await send(by, 'POST', '/v3/administrators', account))
  const token = (await logIn(ds, name, password)).json.access_token
  const body = { password, newPassword: next }
  await ds.request('PUT', '/v3/account/password', { token, body })
}

/** Two devices with 1.0.0, version 1.1.0, and a second administrator who has been there for a week. */
async function arrange() {
  ds = await startInProcess({ DS_TWO_ADMINISTRATORS: '1' })
  const token = await ds.login()
  const version = await createVersion(ds, token, { id: '1.0.0' })
  await createVersion(ds, token, { id: '1.1.0' })
  for (const _ of [1, 2]) await createDevice(ds, version)
  await addAccount('second')
  ds.now += 8 * dayMs
  return version
}

/** Adds an API client; resolves with what gets a token of it. */
async function addClient(by: string): Promise<() => Promise<string>> {
  getData(await send(by, 'POST', '/v3/api-clients', { id: 'pipeline', role: 'publisher' }))
  return addSecret(by)
}
async function addSecret(by: string): Promise<() => Promise<string>> {
  const added = await send(by, 'POST', `${clientPath}/credentials`, { kind: 'secret' })
  const form = {
    ...{ grant_type: 'client_credentials', client_id: 'pipeline' },
    client_secret: getData(added).secret,
  }
  return async () => (await ds.request('POST', '/v3/oauth/token', { form })).json.access_token
}

const draft = async () =>
  (await createRollout(ds, await ds.login(), 'draft', { version: '1.1.0' })).id
const start = (token: string, id: string) =>
  ds.request('PUT', `/v3/rollouts/${id}/state?maxReach=9`, { token, body: { state: 'running' } })
const readState = async (id: string) =>
  getData(await send('admin', 'GET', `/v3/rollouts/${id}`)).state

test('an API client of an account that was added lately asks for nothing that counts', async () => {
  proves('one-administrator', 'program-approves')
  await arrange()
  await addAccount('puppet')
  const program = await addClient('puppet')
  const id = await draft()
  expect((await start(await program(), id)).status).toBe(403)
  expect(toOutcome(await start(await as('admin'), id))).toEqual(waits(2))
  expect(await readState(id)).toBe('draft')
  // Nor does one that it has changed.
  getData(await send('second', 'PUT', clientPath, { role: 'publisher', description: 'a' }))
  expect((await start(await program(), id)).status).toBe(403)
  expect(toOutcome(await start(await as('admin'), id))).toEqual(waits(2))
  expect(await readState(id)).toBe('draft')
})

test('a request of an API client ends when the client is changed, as when its stolen secret is removed', async () => {
  proves('one-administrator', 'program-approves')
  await arrange()
  const program = await addClient('second')
  const id = await draft()
  expect(toOutcome(await start(await program(), id))).toEqual(waits(2))
  const [{ id: credential }] = getData(await send('admin', 'GET', clientPath)).credentials
  await addAccount('third')
  ds.now += 8 * dayMs
  expect(toOutcome(await start(await program(), id))).toEqual(waits(2))
  getData(await send('second', 'DELETE', `${clientPath}/credentials/${credential}`))
  expect(toOutcome(await start(await as('third'), id))).toEqual(waits(2))
  expect(await readState(id)).toBe('draft')
})

const stop = (token: string) =>
  ds.request('POST', '/v3/rollouts/halt?maxReach=9', { token, body: { version: '2.0.0' } })

test.each([
  ['an account that another one has just added', 'admin', 'puppet'],
  ['the maker of the API client that added it', 'program', 'admin'],
  ['an API client of the account that added it', 'admin', 'program'],
])('the emergency stop of %s gives devices no version from today', async (_, adder, stopper) => {
  proves('one-administrator')
  const version = await arrange()
  await addAccount('puppet')
  const program = await addClient('admin')
  const by = (who: string) => (who === 'program' ? program() : as(who))
  await createVersion(ds, await ds.login(), { id: '2.0.0' })
  for (const _device of [1, 2, 3]) await createDevice(ds, version, { version: '2.0.0' })
  await createVersion(ds, await by(adder), { id: '1.9.9' })
  expect(toOutcome(await stop(await by(stopper)))).toEqual(waits(3))
  expect(getData(await send('admin', 'GET', '/v3/versions/2.0.0')).allowed).toBe(true)
  getData(await stop(await as('second')))
})
