/** What only Node promises: a start that explains itself, metrics, durable answers, an answer to what is no HTTP. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf } from './harness/arrange.ts'
import { node } from './harness/node.ts'
import {
  administrator,
  bin,
  cleanEnvironment,
  root,
  type Service,
  startService,
} from './harness/service.ts'

/** Runs the program to its end. */
async function run(
  settings: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(bin('node'), ['ds/dist/node.js'], {
    cwd: root,
    env: { ...cleanEnvironment(), ...settings },
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'exit')
  return { code, output: (await output).join('') }
}

describe('running service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService(node)
  })
  afterAll(() => service.stop())

  test('database, secret and folders are their owner’s alone', async () => {
    const mode = async (name: string) => (await stat(join(service.folder, name))).mode & 0o777
    expect(await mode('ds.sqlite')).toBe(0o600)
    expect(await mode('ds.sqlite.secret')).toBe(0o600)
  })

  test('GET /metrics is for this machine and administrators', async () => {
    await service.ask('GET', '/health')
    const mine = await service.ask('GET', '/metrics')
    expect(mine.status).toBe(200)
    expect(mine.text).toMatch(/cardwire_ds_requests_total\{/)
    const proxied = await service.ask('GET', '/metrics', { from: '198.51.100.9' })
    expect(proxied.status).toBe(401)
    const token = await service.login()
    expect((await service.ask('GET', '/metrics', { from: '198.51.100.9', token })).status).toBe(200)
  })

  test.each([
    [
      'a header over Node’s limit',
      `GET /health HTTP/1.1\r\nHost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'header-too-large',
    ],
    ['what is no HTTP', 'HELLO\r\n\r\n', 400, 'body-malformed'],
    [
      'a request without Host',
      'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n',
      400,
      'body-malformed',
    ],
    [
      'a Host that is none',
      'GET /health HTTP/1.1\r\nHost: a b\r\nconnection: close\r\n\r\n',
      400,
      'body-malformed',
    ],
  ])('%s is answered with a problem, not with an empty body', async (_, request, status, code) => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(request)
    const answer = await text(socket)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      success: false,
      code,
      status,
    })
  })

  test('X-Forwarded-For counts from trusted proxies alone', async () => {
    const untrusting = await startService(node, { DS_TRUST_PROXY: '192.0.2.1' })
    const wrong = () =>
      untrusting.ask('GET', '/v3/tokens/application', {
        headers: { apikey: 'x' },
        from: `203.0.113.${Math.trunc(performance.now()) % 250}`,
      })
    const statuses = []
    for (let n = 0; n < 21; n += 1) statuses.push((await wrong()).status)
    await untrusting.stop()
    expect(statuses.at(-1)).toBe(429)
  })
})

test('first start without a password makes one, prints it once, and it logs in', async () => {
  const service = await startService(node, { DS_ADMIN_PASSWORD: '' })
  const printed = /password +(\S+)/.exec(service.output())?.[1] ?? ''
  expect(printed).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
  const form = {
    client_id: 'cardwire',
    grant_type: 'password',
    username: 'admin',
    password: printed,
  }
  const answer = await service.ask('POST', '/auth/realms/cardwire/protocol/openid-connect/token', {
    form,
  })
  expect(answer.status).toBe(200)
  expect(service.output().split(printed)).toHaveLength(2)
  for (const address of [
    '/docs',
    '/health',
    '/auth/realms/cardwire/protocol/openid-connect/token',
  ]) {
    expect(service.output()).toContain(service.url + address)
  }
  await service.stop()
})

test('Ctrl-C ends it cleanly, and the next start finds everything and prints no password', async () => {
  const service = await startService(node, { DS_ADMIN_PASSWORD: '' })
  const ended = once(service.child, 'exit')
  service.child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  const again = await startService(
    async ({ settings }) => node({ folder: service.folder, settings, packages: {} }),
    { DS_ADMIN_PASSWORD: '' },
  )
  expect(again.output()).not.toMatch(/password/)
  await again.stop()
  await service.stop()
})

test('kill -9 in the middle of upserts loses nothing that was answered', async () => {
  const service = await startService(node)
  const token = await service.login()
  const answered: string[] = []
  const writer = async (lane: number) => {
    for (let n = 0; ; n += 1) {
      const id = `${lane}.${n}.0`
      const uris = [{ os: 'UNIX', uri: 'https://downloads.example/x' }]
      const body = { id, recommended: false, mandatory: false, allowed: true, uris }
      const answer = await service
        .ask('PUT', '/v3/versions', { token, body })
        .catch(() => undefined)
      if (answer?.status !== 201) return
      answered.push(id)
    }
  }
  const lanes = [1, 2, 3, 4].map(writer)
  await expect.poll(() => answered.length, { timeout: 20_000 }).toBeGreaterThan(100)
  service.child.kill('SIGKILL')
  await Promise.all(lanes)

  const again = await startService(async ({ settings }) =>
    node({ folder: service.folder, settings, packages: {} }),
  )
  const fresh = await again.login()
  const stored = new Set<string>()
  for (let page = 1; ; page += 1) {
    const list = dataOf(
      await again.ask('GET', `/v3/versions?size=100&page=${page}`, { token: fresh }),
    )
    for (const { id } of list.items) stored.add(id)
    if (page * 100 >= list.total) break
  }
  expect(answered.filter((id) => !stored.has(id))).toEqual([])
  await again.stop()
  await service.stop()
})

test('taken port is named, with exit status 1', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = address && typeof address === 'object' ? String(address.port) : ''
  const { code, output } = await run({
    DS_PORT: port,
    DS_DATABASE: join(tmpdir(), `cardwire-${process.pid}-unused.sqlite`),
    DS_ADMIN_PASSWORD: administrator.password,
  })
  holder.close()
  expect(code).toBe(1)
  expect(output).toContain(port)
  expect(output).not.toMatch(/\n\s+at /)
})

test('secret that is lost or another is refused at start, and none is made in its place', async () => {
  const service = await startService(node)
  const environment = {
    DS_PORT: '0',
    DS_DATABASE: join(service.folder, 'ds.sqlite'),
    DS_PACKAGES_DIR: service.folder,
  }
  await service.login()
  const other = await run({ ...environment, DS_SECRET: Buffer.alloc(32, 7).toString('base64') })
  expect([other.code, other.output]).toEqual([
    1,
    expect.stringContaining('it was stored under another DS_SECRET'),
  ])
  await rm(join(service.folder, 'ds.sqlite.secret'))
  const lost = await run(environment)
  expect([lost.code, lost.output]).toEqual([1, expect.stringContaining('restore it from a backup')])
  await expect(stat(join(service.folder, 'ds.sqlite.secret'))).rejects.toThrow()
  await service.stop()
})

test.each([
  ['DS_DATABASE', { DS_DATABASE: '/proc/self/environ' }],
  ['DS_PACKAGES_DIR', { DS_PACKAGES_DIR: '/proc/self/environ' }],
  ['DS_HOST', { DS_HOST: '203.0.113.1' }],
])('%s that cannot be used is named, with exit status 1', async (name, settings) => {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const usable = {
    DS_DATABASE: join(folder, 'x.sqlite'),
    DS_PACKAGES_DIR: join(folder, 'p'),
    DS_PORT: '0',
  }
  const { code, output } = await run({ ...usable, ...settings })
  await rm(folder, { recursive: true })
  expect([code, output]).toEqual([1, expect.stringContaining(`(${name}`)])
  expect(output).not.toMatch(/\n\s+at /)
})

test.each([
  ['an unknown name', { DS_PROT: '1' }, 'DS_PROT'],
  ['a port that is none', { DS_PORT: 'http' }, 'DS_PORT'],
  ['a secret that is too short', { DS_SECRET: 'AAAA' }, 'DS_SECRET'],
])('settings with %s are refused by name, with exit status 1', async (_, settings, name) => {
  const { code, output } = await run(settings as Record<string, string>)
  expect(code).toBe(1)
  expect(output).toContain(name)
  expect(output).not.toMatch(/\n\s+at /)
})
