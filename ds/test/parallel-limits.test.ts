/** Limits hold for requests that arrive together: each of them has found room. */
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../test/bed/service-request.ts'
import { approvals } from '../src/db/schema.ts'
import { createRollout, createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
let token: string
afterEach(() => ds?.stop())

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const send = (method: string, path: string, body?: Json) =>
  ds.request(method, path, { token, ...(body !== undefined && { body }) })
const uuid = () => crypto.randomUUID()

async function start(settings: Record<string, string> = {}): Promise<void> {
  ds = await startInProcess(settings)
  token = await ds.login()
}

const putGroup = (mark: string) =>
  send('PUT', `/v3/groups/${uuid()}`, { name: mark, rules: [{ tags: [`t-${mark}`] }] })

/** 0.75 MB. */
const files = numbers(1500).map((at) => ({
  ...{ path: `${at}-${'p'.repeat(400)}`, digest: `sha256:${'a'.repeat(64)}` },
}))

/** A change of two devices, each another one. */
const requestApproval = (at: number) =>
  send('PATCH', '/v3/versions/1.1.0?maxReach=9', {
    ...{ recommended: true, uris: [{ os: 'UNIX', uri: `https://downloads.example/${at}.deb` }] },
  })

async function arrangeApprovals(waiting: number): Promise<void> {
  await start({ DS_TWO_ADMINISTRATORS: '1' })
  const version = await createVersion(ds, token, { id: '1.0.0' })
  await createVersion(ds, token, { id: '1.1.0' })
  for (const _ of [1, 2]) await createDevice(ds, version)
  for (const at of numbers(waiting))
    await ds.services.db.insert(approvals).values({
      ...{ id: `${at}`, operation: 'patchVersion', params: {}, query: {}, body: null, reach: 2 },
      ...{ maxReach: 2, subject: `other ${at}`, issuer: null, name: 'other', isLocal: true },
      ...{ sequence: 0, createdAt: ds.now },
    })
}

/** What is limited: how it is made ready, what one request adds, and how many there may be. */
const limits: readonly {
  readonly limit: string
  readonly arrange: () => Promise<(at: number) => Promise<ServiceResponse>>
  readonly count: () => Promise<number>
  readonly max: number
  readonly refused: readonly [number, string]
  /** What answers a request that is stored, where that is no success. */
  readonly stored?: readonly [number, string]
}[] = [
  {
    limit: 'the bytes of the configurations of a version',
    async arrange() {
      await start()
      await createVersion(ds, token, { id: '1.0.0' })
      const ids = await Promise.all(
        numbers(16).map(async (at) => getData(await putGroup(`g${at}`)).id as string),
      )
      return (at) =>
        send('PUT', '/v3/configurations', {
          ...{ type: 'FILE_DIGESTS', versionId: '1.0.0', groupId: ids[at], config: { files } },
        })
    },
    count: async () =>
      getData(await send('GET', '/v3/configurations?versionId=1.0.0&size=100')).items.length,
    max: 5,
    refused: [409, 'configurations-large'],
  },
  {
    limit: 'the groups',
    async arrange() {
      await start()
      for (const at of numbers(97)) getData(await putGroup(`before-${at}`))
      return (at) => putGroup(`g${at}`)
    },
    count: async () => getData(await send('GET', '/v3/groups')).total,
    max: 100,
    refused: [409, 'group-limit'],
  },
  {
    limit: 'the rollouts that run',
    async arrange() {
      await start({ DS_MAX_REACH: 'any' })
      for (const _ of numbers(17)) await createRollout(ds, token, 'running')
      const drafts: Json[] = []
      for (const _ of numbers(16)) drafts.push(await createRollout(ds, token))
      return (at) => send('PUT', `/v3/rollouts/${drafts[at].id}/state`, { state: 'running' })
    },
    count: async () => {
      const { items } = getData(await send('GET', '/v3/rollouts?size=100'))
      return items.filter(({ state }: Json) => state === 'running').length
    },
    max: 20,
    refused: [409, 'rollout-state'],
  },
  {
    limit: 'the changes that wait for a second administrator',
    async arrange() {
      await arrangeApprovals(47)
      return requestApproval
    },
    count: async () => getData(await send('GET', '/v3/approvals')).items.length,
    max: 50,
    stored: [403, 'second-administrator'],
    refused: [409, 'approval-limit'],
  },
  {
    limit: 'those of one account',
    async arrange() {
      await arrangeApprovals(0)
      return requestApproval
    },
    count: async () => getData(await send('GET', '/v3/approvals')).items.length,
    max: 10,
    stored: [403, 'second-administrator'],
    refused: [409, 'approval-limit'],
  },
  {
    limit: 'the files with tags',
    async arrange() {
      await start()
      return () =>
        ds.request('PUT', `/v3/tag-imports/${uuid()}`, {
          ...{
            token,
            body: 'hostname,tags\npc-1,berlin\n',
            headers: { 'content-type': 'text/csv' },
          },
        })
    },
    count: async () => {
      const [[count] = []] = await ds.driver.run({
        sql: 'select count(*) from tag_imports',
        params: [],
      })
      return Number(count)
    },
    max: 10,
    refused: [429, 'too-many-requests'],
  },
]

test.each(limits)('$limit: sixteen requests at once do not pass the limit', async (one) => {
  proves('limits-together', 'approvals-flood', 'imports-flood')
  const act = await one.arrange()
  const before = await one.count()
  const answers = await Promise.all(numbers(16).map(act))
  expect(await one.count()).toBeLessThanOrEqual(one.max)
  expect(await one.count()).toBeGreaterThan(before)
  const allowed = [200, 201, one.stored?.join(' '), one.refused.join(' ')]
  const outcomes = answers.map(({ status, json }) =>
    status < 300 ? status : `${status} ${json.code}`,
  )
  for (const outcome of outcomes) expect(allowed).toContain(outcome)
  expect(outcomes).toContain(one.refused.join(' '))
})

test('an account that has ten changes pending approval has to cancel one', async () => {
  proves('approvals-flood')
  await arrangeApprovals(0)
  for (const at of numbers(10)) expect((await requestApproval(at)).json.reach).toBe(2)
  const refused = await requestApproval(10)
  expect([refused.status, refused.json.code]).toEqual([409, 'approval-limit'])
  expect(refused.json.description).toContain('10 changes of this account are already pending')
  // The same request again is not one more.
  expect((await requestApproval(3)).json.description).toContain('another administrator has to send')
  const [{ id }] = getData(await send('GET', '/v3/approvals')).items
  getData(await send('DELETE', `/v3/approvals?id=${id}`))
  expect((await requestApproval(10)).json.description).toContain(
    'another administrator has to send',
  )
})

test('a file with tags takes the place of the oldest one, but not of one that is being applied', async () => {
  proves('imports-flood')
  await start({ DS_MAX_REACH: 'any' })
  const version = await createVersion(ds, token)
  const devices = [await createDevice(ds, version), await createDevice(ds, version)]
  const rows = devices.map(({ id }, at) => `${id},tag-${at}\n`).join('')
  const putFile = async () => {
    ds.now += 1000
    const id = uuid()
    const headers = { 'content-type': 'text/csv' }
    const path = `/v3/tag-imports/${id}`
    getData(await ds.request('PUT', path, { token, body: `id,tags\n${rows}`, headers }))
    return id
  }
  const isKept = async (id: string) => (await send('GET', `/v3/tag-imports/${id}`)).status === 200
  const applied = await putFile()
  await ds.driver.run({
    sql: `insert into device_changes (id, change, filter, reach, done, last_id, step, created_at)
      values (?, 'importTags', '', 2, 1, ?, '', ?)`,
    params: [applied, devices[0]?.id ?? '', ds.now],
  })
  const [oldest = '', next = ''] = [await putFile(), await putFile()]
  for (const _ of numbers(7)) await putFile()
  expect([await isKept(applied), await isKept(oldest)]).toEqual([true, true])
  await putFile()
  expect([await isKept(applied), await isKept(oldest), await isKept(next)]).toEqual([
    ...[true, false, true],
  ])
  const [[left] = []] = await ds.driver.run({
    sql: 'select count(*) from planned_tags where import_id = ?',
    params: [oldest],
  })
  expect(left).toBe(0)
})
