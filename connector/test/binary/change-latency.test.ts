/** The time from a change of readers to the response of a waiting page: the compiled connector over the scripted card service. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { type Connector, startConnector } from '../../../test/bed/connector.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { buildScriptedCardService } from '../scripted-card-service/build.ts'
import {
  type ScriptedCardService,
  startScriptedCardService,
} from '../scripted-card-service/service.ts'

const atr = '3B9813400AA503010101AD1311'
/** The limit from the change to the response of a waiting request, in milliseconds. */
const changeLimitMs = 20
/** Other processes take the processor now and then: the best of so many rounds counts. */
const rounds = 10

let folder: string
let service: ScriptedCardService
let connector: Connector
let agent: Agent

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-changes-'))
  service = await startScriptedCardService()
  connector = await startConnector({
    ...service.env,
    CARDWIRE_PCSC_LIBRARY: await buildScriptedCardService('linux', folder),
  })
  agent = new Agent({ keepAlive: true, ca: connector.ca, servername: 'localhost' })
})
afterAll(async () => {
  agent?.destroy()
  await connector?.stop()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const headers = () => ({
  'x-csrf-token': 't1c-js',
  authorization: `Bearer ${connector.token}`,
})

/** Sends a request over a kept-alive connection. */
const request = (path: string) =>
  new Promise<{ status: number; json: Json }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: connector.port, path, agent, headers: headers() }
    get(options, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }),
      )
      response.once('error', reject)
    }).once('error', reject)
  })

/** Opens a stream of events, which is closed when the test ends, and returns its lines. */
async function openEventStream(): Promise<AsyncIterator<string>> {
  const options = {
    host: '127.0.0.1',
    port: connector.port,
    ca: connector.ca,
    servername: 'localhost',
    path: '/v3/readers/events',
    headers: headers(),
  }
  const [response] = await once(get(options), 'response')
  onTestFinished(() => void response.destroy())
  return createInterface(response)[Symbol.asyncIterator]()
}

const listReaders = async (query = '') => (await request(`/v3/readers${query}`)).json.data
const readerWithCard = { name: 'Two', card: { atr } }

/** The readers that every test begins with: two, without cards. */
beforeEach(async () => {
  service.plug({ name: 'One' }, { name: 'Two' })
  await expect.poll(listReaders).toMatchObject([{ name: 'One' }, { name: 'Two' }])
})
afterEach(async () => {
  for (const name of ['One', 'Two', 'Three']) service.unplug(name)
  await expect.poll(listReaders).toEqual([])
})

describe('waiting pages are answered within 20 ms of the change', () => {
  /** Measures the shortest time from a change until `reported` resolves, in milliseconds. */
  async function measureShortest(
    round: () => Promise<{ reported: Promise<unknown>; change: () => void }>,
  ) {
    const times: number[] = []
    for (let at = 0; at < rounds; at += 1) {
      const { reported, change } = await round()
      const from = performance.now()
      change()
      await reported
      times.push(performance.now() - from)
    }
    return Math.min(...times)
  }

  /** Starts a poll, and waits until the API handles it: a later request has its response by then. */
  const startPoll = async (path: string, change: () => void, expected: object) => {
    const reported = request(`${path}?timeout=20`).then(({ json }) =>
      expect(json.data).toMatchObject(expected),
    )
    await request('/v3/version')
    return { reported, change }
  }
  const insert = () => service.insert('Two', atr)
  const removeCard = async () => {
    service.remove('Two')
    await expect.poll(() => listReaders('?cardInserted=true')).toEqual([])
  }
  const createCardRound = (path: string) => async () => {
    await removeCard()
    return startPoll(path, insert, readerWithCard)
  }

  test('of a card in any reader', async () => {
    proves('waiting-request-prompt')
    expect(await measureShortest(createCardRound('/v3/readers/detect-card'))).toBeLessThan(
      changeLimitMs,
    )
  })

  test('of a card in one reader', async () => {
    const [, { id }] = await listReaders()
    expect(await measureShortest(createCardRound(`/v3/readers/${id}/detect-card`))).toBeLessThan(
      changeLimitMs,
    )
  })

  test('of a reader, where there was none', async () => {
    const plug = () => service.plug({ name: 'One' })
    const best = await measureShortest(async () => {
      for (const name of ['One', 'Two']) service.unplug(name)
      await expect.poll(listReaders).toEqual([])
      return startPoll('/v3/readers/detect', plug, [{ name: 'One' }])
    })
    expect(best).toBeLessThan(changeLimitMs)
  })

  test('by the stream of events', async () => {
    proves('waiting-request-prompt')
    const lines = await openEventStream()
    const next = async (type: string): Promise<Json> => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`The stream ended without ${type}`)
        const event = value.startsWith('data: ') ? JSON.parse(value.slice(6)) : undefined
        if (event?.type === type) return event
      }
    }
    await next('snapshot')
    const best = await measureShortest(async () => {
      await removeCard()
      return { reported: next('card-inserted'), change: insert }
    })
    expect(best).toBeLessThan(changeLimitMs)
  })
})

describe('a sandbox that is killed while clients list the readers', () => {
  test('leaves no request without the right answer, and the next change is listed within a second', async () => {
    proves('sandbox-managed-by-api')
    service.insert('Two', atr)
    await expect.poll(() => listReaders('?cardInserted=true')).toMatchObject([readerWithCard])
    const sandbox = async () => (await request('/info')).json.data.t1CInfoAPI.sandbox.pid
    const responses = new Map<string, number>()
    let over = false
    const clients = Array.from({ length: 4 }, async () => {
      while (!over) {
        const { status, json } = await request('/v3/readers')
        const found = json.data?.map(({ name, card }: Json) => `${name} ${card?.atr ?? '-'}`)
        const summary = `${status} ${found ?? json.code}`
        responses.set(summary, (responses.get(summary) ?? 0) + 1)
      }
    })
    for (let round = 0; round < 3; round += 1) {
      const pid = await sandbox()
      process.kill(pid, 'SIGKILL')
      const from = performance.now()
      const comes = round % 2 === 0
      if (comes) service.plug({ name: 'Three' })
      else service.unplug('Three')
      await expect.poll(listReaders).toHaveLength(comes ? 3 : 2)
      expect(performance.now() - from).toBeLessThan(1000)
      expect(await sandbox()).not.toBe(pid)
    }
    over = true
    await Promise.all(clients)
    const before = `200 One -,Two ${atr}`
    // Nothing but what there was before the change, and after it: no half list, no failure.
    expect([...responses.keys()].toSorted()).toEqual([before, `${before},Three -`])
  })
})

describe('while nothing happens', () => {
  test('a stream of events has a comment within five seconds, and stays', async () => {
    const lines = await openEventStream()
    const from = performance.now()
    const next = async (holds: RegExp) => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error('The stream ended')
        if (holds.test(value)) return
      }
    }
    await next(/^: /)
    // Some room for a machine that is busy.
    expect(performance.now() - from).toBeLessThan(7000)
    service.insert('Two', atr)
    await next(/card-inserted/)
  })

  /** Milliseconds: longer than the longest poll of the registry. */
  const idleMs = 10_000

  test('API, sandbox and registry use next to no processor time', async () => {
    await expect.poll(() => connector.output()).toContain('registry found')
    const { sandbox, registry } = (await request('/info')).json.data.t1CInfoAPI
    const pids = [connector.child.pid ?? 0, sandbox.pid, registry.pid]
    expect(pids.every((pid) => pid > 0)).toBe(true)
    // What a start leaves to be done is done when a second has passed without any of it.
    await expect.poll(() => countTicks(1000, pids)).toEqual([0, 0, 0])

    const used = await countTicks(idleMs, pids)

    // Of the thousand ticks that a loop takes. The runtime tidies up for half a minute after a start; then it is 0 to 2.
    for (const ticks of used) expect(ticks).toBeLessThanOrEqual(15)
  })
})

/** Ticks (10 ms) of processor time that processes use in an interval (proc_pid_stat(5)). */
async function countTicks(ms: number, pids: readonly number[]): Promise<readonly number[]> {
  const ticks = (pid: number) =>
    readFile(`/proc/${pid}/stat`, 'utf8').then((stat) => {
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(fields[11]) + Number(fields[12])
    })
  const before = await Promise.all(pids.map(ticks))
  await setTimeout(ms)
  const after = await Promise.all(pids.map(ticks))
  return after.map((count, at) => count - (before[at] ?? 0))
}
