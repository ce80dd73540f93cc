/** Whose requests for the metrics come from this machine, when a proxy on it forwards others. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createApp } from '../src/app.ts'
import { createPrometheusMetrics } from '../src/self-hosted/prometheus.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
beforeAll(async () => {
  ds = await startInProcess({}, undefined, {
    url: 'https://ds.example',
    getPeerAddress: () => '127.0.0.1',
    metrics: createPrometheusMetrics(),
  })
})
afterAll(() => ds.stop())

test.each<[string, Record<string, string>, number]>([
  ['to localhost', {}, 200],
  ['that kept the public name', { host: 'ds.example' }, 401],
  ['with X-Forwarded-For', { 'x-forwarded-for': '198.51.100.9' }, 401],
  ['with X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }, 401],
  ['with Forwarded', { forwarded: 'for=198.51.100.9' }, 401],
  ['with X-Real-IP', { 'x-real-ip': '198.51.100.9' }, 401],
  ['with Via', { via: '1.1 proxy' }, 401],
])('GET /metrics answers a request %s with %j by %i', async (_, headers, status) => {
  proves('metrics-published')
  const request = new Request('http://localhost:8080/metrics', {
    headers: { host: 'localhost:8080', ...headers },
  })
  expect((await createApp(ds.services).fetch(request)).status).toBe(status)
})
