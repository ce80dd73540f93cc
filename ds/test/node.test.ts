/** The service on Node: errors at start, metrics, durable writes, and requests that are no HTTP. */
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { findFreePort } from '../../test/bed/free-port.ts'
import { createEnvironment, runProgram, startProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root, toolPath } from '../../test/bed/repository.ts'
import { createNodeRuntime, runtimes } from '../../test/bed/service-runtimes.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createVersionBody, getData } from './harness/arrange.ts'

/** As someone starts it who sees what it prints. */
const onTerminal = createNodeRuntime({
  prefix: ['sh', '-c', 'exec script --quiet --return --flush --command "$*" /dev/null', 'sh'],
})

/** Runs the program to its end. */
async function run(
  settings: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  // A service that starts all the same would keep this process from ending.
  const command = ['timeout', '30', toolPath('node'), 'ds/dist/node.js']
  const { status, out, err } = await runProgram(command, {
    cwd: root,
    env: createEnvironment('/nonexistent', settings),
  })
  return { code: status, output: out + err }
}

describe('running service', () => {
  let service: DistributionService
  beforeAll(async () => {
    service = await startDistributionService()
  })
  afterAll(() => service.stop())

  test('database, secret and folders are readable by their owner alone', async () => {
    const mode = async (path: string) => (await stat(path)).mode & 0o777
    expect(await mode(service.database)).toBe(0o600)
    expect(await mode(`${service.database}.secret`)).toBe(0o600)
  })

  test('GET /metrics answers only this machine and administrators', async () => {
    proves('metrics-rebinding')
    await service.request('GET', '/health')
    const mine = await service.request('GET', '/metrics')
    expect(mine.status).toBe(200)
    expect(mine.text).toMatch(/cardwire_ds_requests_total\{/)
    const proxied = await service.request('GET', '/metrics', { from: '198.51.100.9' })
    expect(proxied.status).toBe(401)
    const token = await service.login()
    expect((await service.request('GET', '/metrics', { from: '198.51.100.9', token })).status).toBe(
      200,
    )
  })

  test.each([
    ['evil.example', 401],
    ['localhost.evil.example:80', 401],
    ['localhost', 200],
  ])('GET /metrics under the name %s answers %i to this machine', async (name, status) => {
    proves('metrics-rebinding')
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /metrics HTTP/1.1\r\nHost: ${name}\r\nconnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
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

  test.each([
    '/v3/gateway/check/app/../../../../health',
    '/v3/gateway/check/%2e%2E/.%2e/%2e./health',
    '/v3/gateway/check/./x',
    'http://localhost/v3/gateway/check/../../../health?x',
  ])(
    'a proxy that asks with the path %s of its client does not ask something else',
    async (path) => {
      proves('gateway-path-escapes')
      const { hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nconnection: close\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*body-malformed/s)
    },
  )

  test.each(['/health?/../x', '/health?a=..', '/health#/..'])(
    'dots behind the path are nothing special: %s',
    async (path) => {
      const { hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nconnection: close\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /)
    },
  )

  test('X-Forwarded-For counts from trusted proxies alone', async () => {
    proves('forwarded-for-forged')
    const untrusting = await startDistributionService(runtimes.Node, {
      DS_TRUST_PROXY: '192.0.2.1',
    })
    const wrong = () =>
      untrusting.request('GET', '/v3/tokens/application', {
        headers: { apikey: 'x' },
        from: `203.0.113.${Math.trunc(performance.now()) % 250}`,
      })
    const statuses = []
    for (let n = 0; n < 21; n += 1) statuses.push((await wrong()).status)
    await untrusting.stop()
    expect(statuses.at(-1)).toBe(429)
    // One line, with what to do.
    expect(untrusting.output().match(/.*untrusted peer ignored.*/g)).toEqual([
      expect.stringMatching(/"level":"WARN".*"peer":"127.0.0.1".*DS_TRUST_PROXY/),
    ])
  })
})

test('downloads that are not read take a place of their address until they end, and nobody else’s', async () => {
  proves('downloads-unread')
  const limited = await startDistributionService(
    runtimes.Node,
    { DS_DOWNLOAD_LIMIT: '4' },
    { 'large.bin': new Uint8Array(32 * 1024 * 1024) },
  )
  const uris = [{ os: 'UNIX', uri: 'file:///large.bin' }]
  const token = await limited.login()
  await limited.request('PUT', '/v3/versions', { token, body: createVersionBody({ uris }) })
  const path = '/v3/downloads/installers/unix'
  const range = { range: 'bytes=0-9' }
  const ask = (from: string) => limited.request('GET', path, { from, headers: range })
  const sockets: Socket[] = []
  for (let n = 0; n < 4; n += 1) {
    const { hostname, port, host } = new URL(limited.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: 192.0.2.7\r\n\r\n`)
    await once(socket, 'readable')
    sockets.push(socket)
  }
  const refused = await ask('192.0.2.7')
  expect([refused.status, refused.json.code]).toEqual([429, 'too-many-requests'])
  expect(refused.headers.get('retry-after')).toBe('30')
  expect((await ask('192.0.2.8')).status).toBe(206)
  sockets.pop()?.destroy()
  await expect.poll(async () => (await ask('192.0.2.7')).status).toBe(206)
  for (const socket of sockets) socket.destroy()
  await limited.stop()
})

test('first start without a password and a terminal creates no administrator, and says how to add one', async () => {
  proves('first-password-logged')
  const service = await startDistributionService(runtimes.Node, { DS_ADMIN_PASSWORD: '' })
  expect(service.output()).toContain('There is no administrator yet.')
  expect(service.output()).toMatch(/^ {2}\S.* add admin --keep-password$/m)
  expect(service.output()).not.toMatch(/First administrator|password {2}/)
  const database = new Sqlite(service.database)
  expect(database.prepare('select count(*) from administrators').pluck().get()).toBe(0)
  database.close()
  await service.stop()
})

test('first start without a password on a terminal generates one and prints it once', async () => {
  proves('first-password-logged')
  const service = await startDistributionService(onTerminal, { DS_ADMIN_PASSWORD: '' })
  const printed = /password +(\S+)/.exec(service.output())?.[1] ?? ''
  expect(printed).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
  const form = {
    client_id: 'cardwire',
    grant_type: 'password',
    username: 'admin',
    password: printed,
  }
  const answer = await service.request(
    'POST',
    '/auth/realms/cardwire/protocol/openid-connect/token',
    {
      form,
    },
  )
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

test('Ctrl-C stops the service cleanly, and the next start keeps everything and speaks of no first administrator', async () => {
  const service = await startDistributionService()
  expect(await service.pause('SIGINT')).toBe(0)
  await service.resume()
  expect(service.output()).not.toMatch(/password|administrator yet/)
  await service.stop()
})

test('a service that is told to stop says so, answers what still comes, and ends each connection', async () => {
  const service = await startDistributionService(runtimes.Node, { DS_DRAIN: '5' })
  // As a client that keeps its connections.
  const send = (path: string) => fetch(service.url + path)
  const before = await send('/health')
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])
  const ended = service.pause()
  await expect
    .poll(async () => (await service.request('GET', '/health')).json)
    .toMatchObject({ status: 503, code: 'service-stopping' })
  const answer = await send('/v3/system/status')
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await ended).toBe(0)
  await expect(service.request('GET', '/health')).rejects.toThrow()
  await service.stop()
})

test('kill -9 during upserts loses nothing that was answered', async () => {
  const service = await startDistributionService()
  const token = await service.login()
  const answered: string[] = []
  const writer = async (lane: number) => {
    for (let n = 0; ; n += 1) {
      const id = `${lane}.${n}.0`
      const uris = [{ os: 'UNIX', uri: 'https://downloads.example/x' }]
      const body = { id, recommended: false, mandatory: false, allowed: true, uris }
      const answer = await service
        .request('PUT', '/v3/versions', { token, body })
        .catch(() => undefined)
      if (answer?.status !== 201) return
      answered.push(id)
    }
  }
  const lanes = [1, 2, 3, 4].map(writer)
  await expect.poll(() => answered.length).toBeGreaterThan(100)
  await service.pause('SIGKILL')
  await Promise.all(lanes)

  await service.resume()
  service.forgetSession()
  const fresh = await service.login()
  const stored = new Set<string>()
  for (let page = 1; ; page += 1) {
    const list = getData(
      await service.request('GET', `/v3/versions?size=100&page=${page}`, { token: fresh }),
    )
    for (const { id } of list.items) stored.add(id)
    if (page * 100 >= list.total) break
  }
  expect(answered.filter((id) => !stored.has(id))).toEqual([])
  await service.stop()
})

test.each([
  ['was closed', '| head -1'],
  ['is a full disk', '> /dev/full'],
  ['is a pipe that nobody reads', '| sleep 60'],
])('service goes on when its standard output %s', async (_, output) => {
  proves('log-reader-gone')
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const port = await findFreePort()
  const program = startProgram(['sh', '-c', `${toolPath('node')} ds/dist/node.js ${output}`], {
    cwd: root,
    env: createEnvironment('/nonexistent', {
      DS_PORT: String(port),
      DS_DATABASE: join(folder, 'ds.sqlite'),
      DS_PACKAGES_DIR: join(folder, 'packages'),
      DS_ADMIN_PASSWORD: administrator.password,
    }),
  })
  const readHealth = () => fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
  await expect.poll(async () => (await readHealth())?.status).toBe(200)
  // More lines than a pipe takes.
  for (let n = 0; n < 500; n += 1) expect((await readHealth())?.status).toBe(200)
  await program.stopGroup()
  await rm(folder, { recursive: true })
})

test('lines of the last moment are written when the service ends by an error that nobody caught', async () => {
  // A line that waits for others waits for ever.
  const wait =
    'const{setTimeout:t}=globalThis;globalThis.setTimeout=(f,ms,...a)=>t(f,ms===50?1e9:ms,...a)'
  const crash = "process.once('SIGUSR2',()=>{throw(new(Error)('crash'))})"
  const service = await startDistributionService(runtimes.Node, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`${wait};${crash}`)}`,
  })
  const { headers } = await service.request('GET', '/health')
  process.kill(service.pid(), 'SIGUSR2')

  await expect
    .poll(() => service.output())
    .toContain(`"requestId":"${headers.get('x-request-id')}"`)
  expect(service.output()).toContain('Error: crash')
  await service.stop()
})

test('taken port is reported, with exit status 1', async () => {
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

test('missing or different secret is refused at start, and no new one is created', async () => {
  const service = await startDistributionService()
  const environment = {
    DS_PORT: '0',
    DS_DATABASE: service.database,
    DS_PACKAGES_DIR: join(service.folder, 'packages'),
  }
  await service.login()
  const other = await run({ ...environment, DS_SECRET: Buffer.alloc(32, 7).toString('base64') })
  expect([other.code, other.output]).toEqual([
    1,
    expect.stringContaining('it was stored under another DS_SECRET'),
  ])
  await rm(`${service.database}.secret`)
  const lost = await run(environment)
  expect([lost.code, lost.output]).toEqual([1, expect.stringContaining('restore it from a backup')])
  await expect(stat(`${service.database}.secret`)).rejects.toThrow()
  await service.stop()
})

test.each([
  ['DS_DATABASE', { DS_DATABASE: '/proc/self/environ' }],
  ['DS_PACKAGES_DIR', { DS_PACKAGES_DIR: '/proc/self/environ' }],
  ['DS_KEYSTORES_DIR', { DS_KEYSTORES_DIR: '/proc/self/environ' }],
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
  ['below the packages', 'packages', 'packages/keystores'],
  ['that are the packages', 'files', 'files'],
  ['above the packages', 'files/packages', 'files'],
  ['that a link leads into the packages', 'packages', 'link/keystores'],
])('keystores %s are refused at start, with exit status 1', async (_, packages, keystores) => {
  proves('keystore-as-installer')
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  await mkdir(join(folder, 'packages'))
  await symlink('packages', join(folder, 'link'))
  const { code, output } = await run({
    DS_DATABASE: join(folder, 'x.sqlite'),
    DS_PACKAGES_DIR: join(folder, packages),
    DS_KEYSTORES_DIR: join(folder, keystores),
    DS_PORT: '0',
  })
  await rm(folder, { recursive: true })
  expect([code, output]).toEqual([1, expect.stringContaining('neither may be in the other')])
  expect(output).not.toMatch(/\n\s+at /)
})

test.each([
  ['the folder of the packages', '.', '../keystores', 'DS_PACKAGES_DIR'],
  ['a folder below the packages', '..', '../../keystores', 'DS_PACKAGES_DIR'],
  ['the folder of the keystores', '../packages', '.', 'DS_KEYSTORES_DIR'],
])(
  'a database in %s is refused at start, with exit status 1',
  async (_, packages, keystores, setting) => {
    proves('database-as-installer')
    const top = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
    const folder = join(top, 'files/data')
    const { code, output } = await run({
      DS_DATABASE: join(folder, 'x.sqlite'),
      DS_PACKAGES_DIR: join(folder, packages),
      DS_KEYSTORES_DIR: join(folder, keystores),
      DS_PORT: '0',
    })
    const names = await readdir(folder)
    await rm(top, { recursive: true })
    expect([code, output]).toEqual([1, expect.stringContaining(`(${setting}) can be downloaded`)])
    expect(names.filter((name) => name.startsWith('x.sqlite'))).toEqual([])
  },
)

test('a database that a link leads into the packages is refused at start', async () => {
  proves('database-as-installer')
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const [database, packages] = [join(folder, 'data/x.sqlite'), join(folder, 'packages')]
  await mkdir(join(folder, 'data'))
  await mkdir(packages)
  await symlink('../packages/x.sqlite', database)
  const { code, output } = await run({
    DS_DATABASE: database,
    DS_PACKAGES_DIR: packages,
    DS_PORT: '0',
  })
  const names = await readdir(packages)
  await rm(folder, { recursive: true })
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('(DS_PACKAGES_DIR) can be downloaded'),
  ])
  expect(names).toEqual([])
})

describe('a database that is not as this version made it', () => {
  let folder: string
  let environment: Record<string, string>
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
    environment = {
      DS_PORT: '0',
      DS_DATABASE: join(folder, 'ds.sqlite'),
      DS_PACKAGES_DIR: join(folder, 'packages'),
      DS_ADMIN_USER: 'planted-user',
      DS_ADMIN_PASSWORD: administrator.password,
    }
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function change(sql: string): Promise<void> {
    const driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
    await applyMigrations(driver)
    await driver.run({ sql, params: [] })
    await driver.close()
  }

  test('is refused at start when a later version has migrated it', async () => {
    proves('database-of-later-version')
    await change(
      `insert into __drizzle_migrations (hash, created_at) values ('later', 99999999999999)`,
    )
    const { code, output } = await run(environment)
    expect([code, output]).toEqual([
      1,
      'Cannot use the database: a later version of the service has migrated it (99999999999999). Install that version, or restore a backup from before\n',
    ])
  })

  test.each(['ds/dist/node.js', 'ds/dist/admin.js'])(
    'shows no value of the statement that fails, at the end of %s',
    async (program) => {
      proves('secrets-on-stderr')
      await change('alter table administrators rename column totp_secret to other')
      await change('alter table signing_keys rename column private_key to other')
      const args = program.endsWith('admin.js') ? ['password', 'planted-user', '--generate'] : []
      const { status, out, err } = await runProgram([toolPath('node'), program, ...args], {
        cwd: root,
        env: createEnvironment('/nonexistent', environment),
      })
      expect(status).toBe(1)
      expect(err).toMatch(/no such column: "?(totp_secret|private_key)/)
      expect(out + err).not.toMatch(/planted-user|params|application/)
    },
  )
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
