/** The log as programs read it: ECS field names, who sent each request, and the entries of the audit. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { proves } from '../../test/bed/proves.ts'
import { createLabel, createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { openPageSession } from './harness/page-session.ts'

let service: DistributionService
beforeAll(async () => {
  service = await startDistributionService(undefined, { DS_LOG_FORMAT: 'ecs', DS_LOG_AUDIT: 'on' })
})
afterAll(() => service.stop())

type Line = Readonly<Record<string, unknown>>

const readLines = (): Line[] =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/** Lines of the request with this id. */
const expectLine = (headers: Headers) => {
  const id = headers.get('x-request-id')
  return expect.poll(() =>
    readLines().find((line) => line['http.request.id'] === id && line['message'] === 'request'),
  )
}

test('each request has a line in ECS names, with who sent it, from where, and to which route', async () => {
  proves('log-ecs')
  const token = await service.login()
  const version = await createVersion(service, token)
  const read = await service.request('GET', `/v3/versions/${version.id}`, { token })
  await expectLine(read.headers).toMatchObject({
    '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    'log.level': 'info',
    'ecs.version': '8.11.0',
    'service.name': 'cardwire-ds',
    'event.action': expect.stringMatching(/version/i),
    'event.duration': expect.any(Number),
    'event.outcome': 'success',
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'url.path': '/v3/versions/{id}',
    'client.ip': '127.0.0.1',
    'labels.actor': 'account',
    'user.name': administrator.name,
    'user.id': expect.any(String),
  })
  const device = await createDevice(service, version)
  const synced = await device.sync()
  await expectLine(synced.headers).toMatchObject({
    'labels.actor': 'device',
    'device.id': device.id,
    'event.action': 'syncDevice',
  })
  const { id, apiKey } = await createLabel(service, token)
  const issued = await service.request('GET', '/v3/tokens/application', {
    headers: { apikey: apiKey },
  })
  await expectLine(issued.headers).toMatchObject({
    'labels.actor': 'application',
    'labels.actor_id': id,
  })
  const refused = await service.request('GET', '/v3/versions/4.0.0', { token: 'no-token' })
  await expectLine(refused.headers).toMatchObject({
    'http.response.status_code': 401,
    'event.outcome': 'failure',
    'client.ip': '127.0.0.1',
  })
  const [line] = readLines().filter(
    (each) => each['http.request.id'] === refused.headers.get('x-request-id'),
  )
  expect(Object.keys(line ?? {}).filter((name) => /actor|user/.test(name))).toEqual([])
})

test('a request of an API client names the client', async () => {
  proves('log-ecs')
  const token = await service.login()
  const clients = '/v3/api-clients'
  await service.request('POST', clients, { token, body: { id: 'pipeline', role: 'viewer' } })
  const body = { kind: 'secret' }
  const { secret } = getData(
    await service.request('POST', `${clients}/pipeline/credentials`, { token, body }),
  )
  const form = { grant_type: 'client_credentials', client_id: 'pipeline', client_secret: secret }
  const { json } = await service.request('POST', '/v3/oauth/token', { form })
  const read = await service.request('GET', '/v3/organizations', { token: json.access_token })
  await expectLine(read.headers).toMatchObject({
    'labels.actor': 'api-client',
    'user.id': 'pipeline',
  })
  expect(service.output()).not.toContain(secret)
})

test('a request of a page has the pattern of the page and the account of the session, and no query', async () => {
  proves('log-ecs')
  const session = await openPageSession(service)
  const page = await session.get('devices/a-device?q=what-is-typed')
  await expectLine(page.headers).toMatchObject({
    'url.path': '/admin/devices/:id',
    'user.name': administrator.name,
  })
  expect(service.output()).not.toContain('what-is-typed')
})

test('every line has names of ECS, or labels that are texts', async () => {
  proves('log-ecs')
  await service.request('GET', '/nowhere')
  const known =
    /^(@timestamp|message|(log|ecs|service|event|http|url|client|user|device|error)\.[a-z_.]+)$/
  const wrong = readLines().flatMap((line) =>
    Object.entries(line).filter(([name, value]) =>
      name.startsWith('labels.') ? typeof value !== 'string' : !known.test(name),
    ),
  )
  expect(readLines().length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

test('the log has each entry of the audit once, with who, what and from where', async () => {
  proves('log-audit')
  const token = await service.login()
  const version = await createVersion(service, token)
  const { headers } = await service.request('DELETE', `/v3/versions/${version.id}`, { token })
  const readAudit = async () =>
    getData(await service.request('GET', '/v3/audit?size=100', { token })).items as {
      sequence: number
      operation: string
      at: string
    }[]
  const entries = await readAudit()
  const findLogged = () =>
    readLines().filter((line) => line['event.dataset'] === 'cardwire-ds.audit')
  await expect
    .poll(() =>
      findLogged()
        .map((line) => line['event.sequence'])
        .toSorted((a, b) => Number(b) - Number(a)),
    )
    .toEqual(
      entries
        .map(({ sequence }) => sequence)
        .filter((sequence) => sequence >= Number(findLogged()[0]?.['event.sequence'])),
    )
  const line = findLogged().find((each) => each['http.request.id'] === headers.get('x-request-id'))
  const entry = entries.find(({ sequence }) => sequence === line?.['event.sequence'])
  expect(line).toMatchObject({
    '@timestamp': entry?.at,
    'event.action': 'deleteVersion',
    'labels.kind': 'version',
    'labels.id': version.id,
    'user.name': administrator.name,
    'client.ip': '127.0.0.1',
  })
})

test('a change that is refused has no line of the audit', async () => {
  proves('log-audit')
  const token = await service.login()
  const { headers, status } = await service.request('DELETE', '/v3/versions/9.9.9', { token })
  expect(status).toBe(404)
  await expectLine(headers).toMatchObject({ 'http.response.status_code': 404 })
  const id = headers.get('x-request-id')
  expect(readLines().filter((line) => line['http.request.id'] === id)).toHaveLength(1)
})
