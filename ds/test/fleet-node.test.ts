/** The fleet of a service that is killed, and of one that comes back from a backup: the real program on Node. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aDevice, type Far } from './harness/device.ts'
import { freePort } from './harness/free-port.ts'
import { node } from './harness/node.ts'
import {
  type Answer,
  type Ask,
  administrator,
  type Json,
  parsed,
  passwordGrant,
} from './harness/service.ts'

let folder: string
let port: number
let url: string
let child: ChildProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-fleet-'))
  // The same after each start: devices know it.
  port = await freePort()
  await start()
})
afterEach(async () => {
  await end()
  await rm(folder, { recursive: true, force: true })
})

/** The last moment at which the service wrote to its database, as far as the file system tells. */
const written = () => {
  const { mtimeNs, size } = statSync(join(folder, 'ds.sqlite-wal'), { bigint: true })
  return `${mtimeNs} ${size}`
}

async function start(): Promise<void> {
  const settings = { DS_PORT: String(port), DS_ADMIN_PASSWORD: administrator.password }
  const started = await node({ folder, settings, packages: {} })
  url = started.url
  child = started.child
}

async function end(): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function ask(method: string, path: string, options: Ask = {}): Promise<Answer> {
  const { token, body, form } = options
  const headers = new Headers(options.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/json')
  const sent = form
    ? new URLSearchParams(form)
    : typeof body === 'string'
      ? body
      : JSON.stringify(body)
  const init = { method, headers, ...(sent !== undefined && { body: sent }) }
  const response = await fetch(new URL(path, url), init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

const far = (): Far => ({ url, ask })

async function admin(method: string, path: string, body?: Json): Promise<Json> {
  const login = '/auth/realms/cardwire/protocol/openid-connect/token'
  const { json } = await ask('POST', login, { form: passwordGrant })
  const answer = await ask(method, path, { token: json.access_token, body })
  return answer.json.data
}

const aVersion = (flags: Json = {}) =>
  admin('PUT', '/v3/versions', {
    ...{ id: '4.0.0', recommended: false, mandatory: false, allowed: true, uris: [] },
    ...flags,
  })
const aBatch = (tag: string) => ({
  id: crypto.randomUUID(),
  entries: [
    { label: 'shop', module: 'eid', useCase: 'signature', day: '2026-01-01', tag, count: 1 },
  ],
})

test('every count is there once after a hundred rounds of kill -9 in the middle of a synchronisation', async () => {
  const device = await aDevice(far(), await aVersion())
  const rounds = 100
  let waiting: ReturnType<typeof aBatch>[] = []
  const acknowledge = (ids: readonly string[]) => {
    waiting = waiting.filter(({ id }) => !ids.includes(id))
  }
  for (let round = 0; round < rounds; round += 1) {
    waiting.push(aBatch(`round ${round % 10}`))
    const before = written()
    let answered = false
    const sent = device
      .sync({ batches: waiting })
      .catch(() => undefined)
      .finally(() => {
        answered = true
      })
    // The blow falls the moment something is written, or a while after: before the answer, mostly.
    while (!answered && written() === before) await new Promise(setImmediate)
    for (let late = 0; late < round % 10; late += 1) await new Promise(setImmediate)
    await end()
    const answer = await sent
    acknowledge(answer?.reply?.acknowledged ?? [])
    await start()
    // The oldest that wait, as many as a request holds, and always all that was sent before.
    if (waiting.length >= 10)
      acknowledge((await device.sync({ batches: waiting })).reply.acknowledged)
  }
  acknowledge((await device.sync({ batches: waiting })).reply.acknowledged)
  expect(waiting).toEqual([])
  const { items } = await admin('GET', '/v3/counters?size=100')
  expect(Object.fromEntries(items.map(({ tag, count }: Json) => [tag, count]))).toEqual(
    Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`round ${at}`, rounds / 10])),
  )
}, 180_000)

test('a service restored from a backup is believed, and serves every device it knew', async () => {
  const version = await aVersion()
  const device = await aDevice(far(), version)
  const config = (cors: string[], id?: string) =>
    admin('PUT', '/v3/configurations', {
      ...{ type: 'CONTEXT_CONFIG', versionId: '4.0.0', config: { cors } },
      ...(id && { id }),
    })
  const { id } = await config(['https://yesterday.example'])
  const before = (await device.sync()).reply
  const [data, backup] = [join(folder, 'ds.sqlite'), join(folder, 'backup.sqlite')]
  const connection = new Sqlite(data)
  connection.exec(`vacuum into '${backup}'`)
  connection.close()

  await config(['https://today.example'], id)
  await admin('POST', '/v3/signing-keys', { use: 'reply' })
  const later = await aDevice(far(), version)
  const today = (await device.sync({ state: before.state })).reply
  expect(today.revision).toBe(before.revision + 1)
  await end()
  await cp(backup, data)
  for (const rest of ['-wal', '-shm']) await rm(data + rest, { force: true })

  await start()
  const restored = await device.sync({ state: today.state })
  expect(restored.reply).toMatchObject({
    unchanged: false,
    revision: before.revision,
    cors: ['https://yesterday.example'],
  })
  expect((await later.sync()).json.code).toBe('device-unknown')
})
