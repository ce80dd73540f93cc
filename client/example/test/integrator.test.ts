/** An integrator with a page and a back end of their own: allowed by an option, with what the back end needs in a file. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { clientId, issueToken } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runConsents,
  runSync,
  startExample,
} from './example-start.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-integrator-'))
const data = join(folder, 'data')
const anyPorts = { DS_PORT: '0', EXAMPLE_PORT: '0', CARDWIRE_REGISTRY_PORT: '0' }
const ownOrigin = 'http://localhost:5173'
const laterOrigin = 'https://later.example'
const envFile = join(data, 'example/.env')

let environment: Readonly<Record<string, string>>
let example: RunningExample
beforeAll(async () => {
  await mkdir(join(folder, 'home'))
  environment = await createExampleEnvironment(folder, anyPorts)
  example = await startExample(environment, '--data', data, '--allow', ownOrigin)
})
afterAll(async () => {
  await example?.stop()
  rmSync(folder, { recursive: true })
})

test('npm start prints what an integrator needs, and no key', () => {
  proves('start-back-end')
  const output = example.output()
  const lines = output.split('\n')
  expect(lines).toContain(`  allowed          ${example.origin}`)
  expect(lines).toContain(`  allowed          ${ownOrigin}`)
  expect(output).toMatch(
    /\n {2}connector {8}https:\/\/localhost:26\d+, with the registry on port \d+\n/,
  )
  expect(output).toMatch(/\n {2}service {10}http:\/\/127\.0\.0\.1:\d+\n/)
  expect(lines).toContain(
    `  API key          in ${envFile}, with all of this; only you can read it`,
  )
  expect(lines).toContain(`  node --env-file=${envFile} server.js`)
  expect(output).toContain(`then restart your browser: npm run trust -- --data ${data}\n`)
  expect(output).not.toContain(readBackEnd('process.env.CARDWIRE_API_KEY'))
})

test('a back end gets a token with the file, and reaches the connector by its CA', () => {
  proves('start-back-end')
  expect(statSync(envFile).mode & 0o777).toBe(0o600)
  const token = readBackEnd(
    "await (await import('@cardwire/server')).applicationTokens({ dsUrl: process.env.CARDWIRE_DS_URL, apiKey: process.env.CARDWIRE_API_KEY }).token()",
  )
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  const roots = "require('node:fs').readFileSync(process.env.CARDWIRE_CARD_ROOTS, 'utf8')"
  expect(readBackEnd(roots)).toContain('BEGIN CERTIFICATE')
  expect(readBackEnd('process.env.CARDWIRE_ORIGINS')).toBe(`${example.origin},${ownOrigin}`)
})

test('the page of the integrator can use the connector at once, and no other', () => {
  proves('start-allow')
  expect(readAllowedOrigins()).toEqual([example.origin, ownOrigin])
})

test('npm run sync makes an allowlist work at once that was changed in the administration', async () => {
  proves('start-sync')
  await allowInAdministration(laterOrigin)
  const { status, output } = runSync(environment, '--data', data)
  expect([status, output]).toEqual([0, expect.stringContaining('\nallowlist   3 origins\n')])
  expect(output).toContain('✓ synced\n')
  await expect.poll(readAllowedOrigins).toEqual([example.origin, ownOrigin, laterOrigin])
})

test('a second start with the same data says what to do, and one with other data works beside it', async () => {
  proves('start-second')
  await expect(startExample(environment, '--data', data)).rejects.toThrow(
    [
      `ended with 1:`,
      `Cardwire is already running with the data in ${data}/example (process ${example.child.pid}). To stop it, press Ctrl-C in its terminal.`,
      'To run another one at the same time, give it a separate data folder: npm start -- --data data/another',
    ].join('\n'),
  )
  const second = await startExample(environment, '--data', join(folder, 'second'))
  expect(second.origin).not.toBe(example.origin)
  expect(readAllowedOrigins()).toContain(ownOrigin)
  expect(runConsents(environment, '--data', join(folder, 'second')).status).toBe(0)
  expect(await second.stop()).toBe(0)
})

test('npm run sync says when nothing runs, and which option it has', async () => {
  proves('start-sync')
  expect(runSync(environment, 'now')).toEqual({
    status: 2,
    output: 'Cannot use "now": npm run sync only has --data FOLDER\n',
  })
  expect(runSync(environment, '--data', join(folder, 'second'))).toEqual({
    status: 1,
    output: `Nothing to sync: Cardwire isn’t running with the data in ${folder}/second/example. Start it with npm start\n`,
  })
})

test('a connector that pages cannot find ends the start, with the reason of the connector', async () => {
  proves('start-not-ready')
  const damaged = join(folder, 'damaged')
  // As if a registry service were installed, which does not run.
  await mkdir(join(damaged, 'example/connector/machine/public'), { recursive: true })
  writeFileSync(join(damaged, 'example/connector/machine/public/localhost.pem'), '')
  const started = startExample(environment, '--data', damaged)
  await expect(started).rejects.toThrow(
    /ended with 1:[\s\S]*Cannot start: the connector isn’t ready\. Its log \(.*connector\.log\) ends with:\n[\s\S]*the registry service is not responding on port/,
  )
})

/** The value of an expression in a Node that has the file, as a back end of the integrator. */
function readBackEnd(expression: string, more: Readonly<Record<string, string>> = {}): string {
  const script = `process.stdout.write(String(${expression}))`
  const isModule = expression.includes('await')
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [`--env-file=${envFile}`, ...(isModule ? ['--input-type=module'] : []), '-e', script],
    { env: { PATH: environment['PATH'], ...more }, encoding: 'utf8' },
  )
  if (stdout === '') throw new Error(stderr)
  return stdout
}

/** The origins of which the connector serves pages. */
function readAllowedOrigins(): readonly string[] {
  const origins = [example.origin, ownOrigin, laterOrigin]
  const ask = `await Promise.all(${JSON.stringify(origins)}.map(async (origin) =>
    (await fetch(process.env.CARDWIRE_CONNECTOR_URL + '/info', { headers: { origin } }))
      .headers.get('access-control-allow-origin')))`
  const ca = readBackEnd('process.env.CARDWIRE_CONNECTOR_CA')
  const allowed = readBackEnd(ask, { NODE_EXTRA_CA_CERTS: ca }).split(',')
  return origins.filter((origin, at) => allowed[at] === origin)
}

const Login = z.object({ access_token: z.string() })
const Listed = z.object({
  data: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        versionId: z.string(),
        config: z.looseObject({ cors: z.array(z.string()) }),
      }),
    ),
  }),
})

/** As an administrator, with the password that npm start has shown. */
async function allowInAdministration(origin: string): Promise<void> {
  const output = example.output()
  const dsUrl = readBackEnd('process.env.CARDWIRE_DS_URL')
  const password = / password +(\S+)/.exec(output)?.[1] ?? ''
  const body = new URLSearchParams({
    client_id: clientId,
    grant_type: 'password',
    username: 'admin',
    password,
  })
  const login = await fetch(`${dsUrl}${issueToken.path}`, { method: 'POST', body })
  const { access_token: token } = z.parse(Login, await login.json())
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const listed = await fetch(`${dsUrl}/v3/configurations?type=CONTEXT_CONFIG`, { headers })
  const [found] = z.parse(Listed, await listed.json()).data.items
  if (!found) throw new Error('Cannot find the allowlist')
  const { id, versionId, config } = found
  const changed = { ...config, cors: [...config.cors, origin] }
  const { status } = await fetch(`${dsUrl}/v3/configurations`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ id, type: 'CONTEXT_CONFIG', versionId, config: changed }),
  })
  expect(status).toBe(200)
}
