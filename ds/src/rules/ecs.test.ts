/** What each field of the log is called in the Elastic Common Schema. */
import { expect, test } from 'vitest'
import { toEcs } from './ecs.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const fixed = {
  '@timestamp': '2026-01-02T03:04:05.006Z',
  'ecs.version': '8.11.0',
  'service.name': 'cardwire-ds',
  'service.version': '4.0.0',
  'event.dataset': 'cardwire-ds.log',
}
const map = (level: string, event: string, fields: object) =>
  toEcs({ level, event, timestamp: at }, { ...fields }, '4.0.0')

test('a request has its actor, address, route, status and duration', () => {
  const request = {
    ...{ requestId: 'a-request', method: 'GET', route: '/v3/devices/{id}', operation: 'getDevice' },
    ...{ status: 404, ms: 1.25, address: '198.51.100.9' },
    ...{ actor: 'account', actorId: 'subject-1', actorName: 'ada' },
  }
  const mapped = map('info', 'request', request)
  expect(mapped).toEqual({
    ...fixed,
    'log.level': 'info',
    message: 'request',
    'event.action': 'getDevice',
    'event.duration': 1_250_000,
    'event.outcome': 'failure',
    'http.request.id': 'a-request',
    'http.request.method': 'GET',
    'url.path': '/v3/devices/{id}',
    'http.response.status_code': 404,
    'client.ip': '198.51.100.9',
    'labels.actor': 'account',
    'user.id': 'subject-1',
    'user.name': 'ada',
  })
  expect(Object.keys(mapped).slice(0, 4)).toEqual([
    '@timestamp',
    'log.level',
    'message',
    'ecs.version',
  ])
})

test.each([
  ['api-client', 'user.id'],
  ['device', 'device.id'],
  ['application', 'labels.actor_id'],
  ['installation-key', 'labels.actor_id'],
])('the ID of an actor of kind %s is in %s', (actor, name) => {
  expect(map('info', 'request', { actor, actorId: 'x' })).toMatchObject({
    'labels.actor': actor,
    [name]: 'x',
  })
})

test('an error has its type, message and stack; other fields are labels, each a text', () => {
  const error = {
    ...{ name: 'DrizzleQueryError', message: 'a statement failed', stack: ['at a', 'at b'] },
    ...{ statement: 'select 1', cause: { name: 'Error', message: 'disk I/O error', stack: [] } },
  }
  expect(map('error', 'devices not removed', { error, devices: 3, removalsFrom: 'x' })).toEqual({
    ...fixed,
    'log.level': 'error',
    message: 'devices not removed',
    'event.action': 'devices-not-removed',
    'error.type': 'DrizzleQueryError',
    'error.message': 'a statement failed',
    'error.stack_trace': 'at a\nat b',
    'labels.statement': 'select 1',
    'labels.cause': '{"name":"Error","message":"disk I/O error","stack":[]}',
    'labels.devices': '3',
    'labels.removals_from': 'x',
  })
})

test('an entry of the audit has its own time and dataset', () => {
  const entry = {
    at: '2026-01-01T00:00:00.000Z',
    sequence: 7,
    operation: 'putVersion',
    kind: 'version',
  }
  expect(map('info', 'audit', entry)).toMatchObject({
    '@timestamp': '2026-01-01T00:00:00.000Z',
    'event.dataset': 'cardwire-ds.audit',
    'event.sequence': 7,
    'event.action': 'putVersion',
    'labels.kind': 'version',
  })
})
