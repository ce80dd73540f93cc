/** A real Prometheus reads the metrics with the token of an API client, and takes the rules and the queries of the dashboard. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type Program, startProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../../../test/bed/repository.ts'
import { getData } from '../harness/arrange.ts'
import { listExpressions } from './dashboard.ts'

const clientId = 'prometheus'

let service: DistributionService
let proxy: Server
let prometheus: Program
let folder: string
let api: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-prometheus-'))
  service = await startDistributionService()
  proxy = await startProxy(service.url)
  const { port } = proxy.address() as AddressInfo
  await writeFile(join(folder, 'secret'), await createViewer(), { mode: 0o600 })
  const path = join(folder, 'prometheus.json')
  await writeFile(path, JSON.stringify(createConfiguration(port)))
  const own = await findFreePort()
  api = `http://127.0.0.1:${own}/api/v1`
  prometheus = startProgram([
    'prometheus',
    `--config.file=${path}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${own}`,
  ])
  await prometheus.waitForOutput(/Server is ready to receive web requests/)
})
afterAll(async () => {
  await prometheus?.stopGroup()
  proxy?.close()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Passes requests on as a proxy for the public name does: none of them comes from the machine itself. */
async function startProxy(target: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '198.51.100.9' }
    const options = { method: incoming.method, headers }
    const passed = send(new URL(incoming.url ?? '/', target), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.once('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

/** An API client that may only read; its secret. */
async function createViewer(): Promise<string> {
  const token = await service.login()
  const clients = '/v3/api-clients'
  await service.request('POST', clients, { token, body: { id: clientId, role: 'viewer' } })
  const body = { kind: 'secret' }
  return getData(
    await service.request('POST', `${clients}/${clientId}/credentials`, { token, body }),
  ).secret
}

/** As docs/deploy.md has it, and a job without the token. JSON is YAML. */
function createConfiguration(port: number) {
  const targets = [{ targets: [`127.0.0.1:${port}`] }]
  const oauth2 = {
    client_id: clientId,
    client_secret_file: join(folder, 'secret'),
    token_url: `http://127.0.0.1:${port}/v3/oauth/token`,
  }
  return {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(root, 'docs/prometheus-alerts.yml')],
    scrape_configs: [
      { job_name: 'cardwire-ds', oauth2, static_configs: targets },
      { job_name: 'without-token', static_configs: targets },
    ],
  }
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

async function ask(path: string, parameters: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${api}/${path}?${new URLSearchParams(parameters)}`)
  return (await response.json()) as { status: string; error?: string; data: never }
}

const query = async (expression: string): Promise<readonly Sample[]> =>
  ((await ask('query', { query: expression })).data as { result: Sample[] }).result

test('Prometheus reads the metrics behind a proxy with the token of an API client, and not without', async () => {
  proves('metrics-scrape', 'metrics-published')
  await expect
    .poll(async () =>
      Object.fromEntries((await query('up')).map(({ metric, value }) => [metric['job'], value[1]])),
    )
    .toEqual({ 'cardwire-ds': '1', 'without-token': '0' })
  const [keys] = await query('cardwire_ds_keys{kind="signing"}')
  expect(keys?.value[1]).toBe('3')
  const { data } = await ask('targets')
  const { activeTargets } = data as { activeTargets: { scrapePool: string; lastError: string }[] }
  expect(
    activeTargets.find(({ scrapePool }) => scrapePool === 'without-token')?.lastError,
  ).toContain('401')
})

test('the token of the API client may read, and change nothing', async () => {
  proves('metrics-scrape')
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: await readFile(join(folder, 'secret'), 'utf8'),
  }
  const { json } = await service.request('POST', '/v3/oauth/token', { form })
  const token = json.access_token as string
  const headers = { 'x-forwarded-for': '198.51.100.9' }
  const read = await service.request('GET', '/metrics', { token, headers })
  expect([read.status, read.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const body = { use: 'reply' }
  expect((await service.request('POST', '/v3/signing-keys', { token, body })).status).toBe(403)
})

test('Prometheus evaluates every rule', async () => {
  proves('alert-rules')
  const readHealth = async () => {
    const { groups } = (await ask('rules')).data as { groups: { rules: { health: string }[] }[] }
    return new Set(groups.flatMap(({ rules }) => rules.map(({ health }) => health)))
  }
  await expect.poll(readHealth).toEqual(new Set(['ok']))
})

test('Prometheus answers every query of docs/grafana-dashboard.json', async () => {
  proves('dashboard')
  const expressions = await listExpressions()
  expect(expressions.length).toBeGreaterThan(30)
  for (const expression of expressions) {
    const { status, error } = await ask('query', { query: expression })
    expect([expression, status, error]).toEqual([expression, 'success', undefined])
  }
})
