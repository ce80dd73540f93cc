/** A process of devices that wait for news, over a connection each, and synchronize when the service says so. */
import { connect } from 'node:net'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { serviceAudience, syncDevice, waitForNews } from '@cardwire/protocol'
import { createAssertionSigner, createDevice, type SimulatedDevice } from './devices-requests.ts'
import type { DeviceRow } from './devices-rows.ts'

export type ToWaiting =
  | { readonly kind: 'create'; readonly count: number }
  | {
      readonly kind: 'wait'
      readonly url: string
      readonly node: string
      readonly since: number
      readonly perSecond: number
    }
  | { readonly kind: 'report' }

export type FromWaiting =
  | { readonly kind: 'created'; readonly rows: readonly DeviceRow[] }
  | { readonly kind: 'waiting' }
  | ({ readonly kind: 'report' } & WaitingReport)

export interface WaitingReport {
  /** When the syncs that followed news were answered, in milliseconds since 1970, and how long each took. */
  readonly syncs: readonly { readonly at: number; readonly ms: number }[]
  /** Waits that ended without news, and were asked again. */
  readonly again: number
  /** Requests that the service was too busy for, and connections that were lost. */
  readonly busy: number
  readonly lost: number
}

interface Response {
  readonly status: number
  readonly body: string
  /** When it may ask again, in seconds; 0: the response does not say. */
  readonly retryAfterS: number
}

/** Of this process: another source address for each, so that none runs out of ports. */
const localAddress = `127.0.0.${2 + (process.pid % 200)}`

const report = { syncs: [] as { at: number; ms: number }[], again: 0, busy: 0, lost: 0 }
const devices: SimulatedDevice[] = []

process.on('message', (message: ToWaiting) => {
  if (message.kind === 'create') void create(message.count)
  else if (message.kind === 'wait') void waitAll(message)
  else send({ kind: 'report', ...report })
})
process.once('disconnect', () => process.exit())

const send = (message: FromWaiting) => process.send?.(message)

async function create(count: number): Promise<void> {
  const rows: DeviceRow[] = []
  while (devices.length < count) {
    const { row, ...device } = await createDevice()
    devices.push(device)
    rows.push(row)
  }
  send({ kind: 'created', rows })
}

async function waitAll({ url, node, since, perSecond }: Extract<ToWaiting, { kind: 'wait' }>) {
  const createAssertion = createAssertionSigner(serviceAudience(url))
  const began = performance.now()
  for (const [index, device] of devices.entries()) {
    const dueMs = (index / perSecond) * 1000 - (performance.now() - began)
    if (dueMs > 1) await sleep(dueMs)
    void run(device)
  }
  send({ kind: 'waiting' })

  async function run(device: SimulatedDevice): Promise<void> {
    let known = since
    for (;;) {
      const token = createAssertion(device, '', waitForNews)
      const answer = await ask(node, 'GET', `${waitForNews.path}?since=${known}`, token)
      if (answer?.status !== 200) {
        await retryLater(answer)
        continue
      }
      const { data } = JSON.parse(answer.body)
      await sleep(data.afterS * 1000)
      if (data.sync) known = await synchronize(device)
      else {
        report.again += 1
        known = data.since ?? known
      }
    }
  }

  async function synchronize(device: SimulatedDevice) {
    const body = JSON.stringify({ version: '4.0.0', platform: 'UNIX' })
    for (;;) {
      const began = performance.now()
      const token = createAssertion(device, body, syncDevice)
      const answer = await ask(node, 'POST', syncDevice.path, token, body)
      if (answer?.status === 200) {
        report.syncs.push({ at: Date.now(), ms: performance.now() - began })
        const jws: string = JSON.parse(answer.body).data
        const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
        return JSON.parse(payload).wait?.since ?? since
      }
      await retryLater(answer)
    }
  }
}

/** Waits as a connector does: as long as the service says. */
async function retryLater(answer: Response | undefined): Promise<void> {
  if (answer) report.busy += 1
  else report.lost += 1
  await sleep((answer?.retryAfterS ?? 0) * 1000 + 2000 + Math.random() * 10_000)
}

/**
 * One request on a connection of its own, as a connector sends it; undefined: the connection was lost. A client of Node takes
 * more memory for each than there is for a fleet.
 */
function ask(
  node: string,
  method: string,
  path: string,
  token: string,
  body = '',
): Promise<Response | undefined> {
  const { hostname, port } = new URL(node)
  const { promise, resolve } = Promise.withResolvers<Response | undefined>()
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  let text = ''
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    'connection: close',
    `authorization: Bearer ${token}`,
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
  ]
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    text += part
  })
  socket.on('error', () => resolve(undefined))
  socket.on('close', () => {
    const [, response] = /\r\n\r\n(.*)$/s.exec(text) ?? []
    const [, retryAfter = '0'] = /\r\nretry-after: (\d+)/i.exec(text) ?? []
    const [status, retryAfterS] = [Number(text.slice(9, 12)), Number(retryAfter)]
    resolve(response ? { status, body: response, retryAfterS } : undefined)
  })
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return promise
}
