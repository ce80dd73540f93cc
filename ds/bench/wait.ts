/** Devices that wait for news: what one takes while nothing happens, and how long all take when something does. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createServiceClient } from '../../test/bed/service-request.ts'
import type { DeviceRow } from './devices-rows.ts'
import type { Engine } from './engine.ts'
import { readResidentMb } from './memory.ts'
import { startNodes } from './nodes.ts'
import { readProcessorUs } from './processor.ts'
import type { Line } from './table.ts'
import type { FromWaiting, ToWaiting, WaitingReport } from './waiting-devices.ts'

/** How many begin to wait in a second, at all nodes: what two cores do beside the devices. */
const perSecond = 400
/** What is looked at while nothing happens, in milliseconds; and after that, until memory is what it stays. */
const [idleMs, settleMs] = [30_000, 10_000]
/** How long all may take to synchronize, in milliseconds. */
const wakeMs = 150_000

interface WaitMeasurement {
  readonly folder: string
  readonly packages: string
  readonly engine: Engine
  readonly nodes: number
  readonly devices: number
}

export async function measureWaiting(measurement: WaitMeasurement): Promise<Line[]> {
  const { folder, packages, engine, devices } = measurement
  const { service, nodes } = await startNodes(folder, packages, engine, measurement.nodes, {
    DS_WAITS: '1000000',
    // Nothing ends while it is looked at.
    DS_WAIT_S: '290',
  })
  const share = Math.ceil(devices / nodes.length)
  const groups = await Promise.all(nodes.map(() => startGroup(share, engine)))
  try {
    const readNodes = () => ({
      us: nodes.reduce((sum, { pid }) => sum + readProcessorUs(pid), 0),
      serverUs: engine.readServerUs?.() ?? 0,
      mb: nodes.map(({ pid }) => readResidentMb(pid)),
    })
    const request = createServiceClient(service.url, 'x-forwarded-for')
    const { token } = service
    const audit = await request('GET', '/v3/audit?size=1', { token })
    const since: number = audit.json.data.items[0].sequence
    const before = readNodes()
    await Promise.all(
      groups.map((group, index) =>
        group.wait(service.url, nodes[index]?.url ?? '', since, perSecond / nodes.length),
      ),
    )
    await sleep(settleMs)
    const waiting = readNodes()
    await sleep(idleMs)
    const idle = readNodes()
    const lostBefore = await readAll(groups)
    const changedAt = Date.now()
    const path = '/v3/versions/4.0.0?force=true&maxReach=999999999'
    // It may no longer run: what all have to know.
    const blocked = await request('PATCH', path, { token, body: { allowed: false } })
    if (blocked.status !== 200) throw new Error(`Cannot block the version: ${blocked.text}`)
    const reports = await readUntilSynced(groups, share * nodes.length)
    const after = readNodes()
    return [
      ...describeWait(before, waiting, idle, share, nodes.length),
      { what: '  busy or lost meanwhile', figure: `${lostBefore.busy}, ${lostBefore.lost}` },
      ...describeWake(reports, changedAt, share * nodes.length),
      {
        what: '  memory afterward, of each node',
        figure: after.mb.map((mb) => mb.toFixed(0)).join(', '),
        note: 'MB',
      },
    ]
  } finally {
    for (const group of groups) group.end()
  }
}

interface Reading {
  readonly us: number
  readonly serverUs: number
  readonly mb: readonly number[]
}

function describeWait(
  before: Reading,
  waiting: Reading,
  idle: Reading,
  share: number,
  nodes: number,
): Line[] {
  const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)
  const devices = share * nodes
  const kb = ((sum(idle.mb) - sum(before.mb)) * 1000) / devices
  const percent = (us: number) => `${((us / (idleMs * 1000)) * 100).toFixed(1)}%`
  return [
    {
      what: `${devices.toLocaleString('en')} devices wait at ${nodes} nodes`,
      figure: `${kb.toFixed(1)} KB`,
      note: `each; ${before.mb.map((mb) => mb.toFixed(0)).join(', ')} MB before, ${idle.mb.map((mb) => mb.toFixed(0)).join(', ')} now`,
    },
    {
      what: '  processor time of one request to wait',
      figure: `${((waiting.us - before.us) / devices).toFixed(0)} µs`,
      note: `${((waiting.serverUs - before.serverUs) / devices).toFixed(0)} of the database's server`,
    },
    {
      what: `  while nothing happens, of a core, all nodes`,
      figure: percent(idle.us - waiting.us),
      note: `${percent(idle.serverUs - waiting.serverUs)} of the database's server`,
    },
  ]
}

function describeWake(reports: WaitingReport, changedAt: number, devices: number): Line[] {
  const times = reports.syncs.map(({ at }) => (at - changedAt) / 1000).toSorted((a, b) => a - b)
  const latencies = reports.syncs.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (list: readonly number[], share: number, of = list.length) =>
    list[Math.ceil(of * share) - 1]
  const format = (value: number | undefined, unit: string) =>
    value === undefined ? 'not reached' : `${value.toFixed(1)} ${unit}`
  return [
    {
      what: '  99% of all have synchronized after',
      figure: format(at(times, 0.99, devices), 's'),
      note: `half after ${format(at(times, 0.5, devices), 's')}, ${times.length.toLocaleString('en')} in all, the last after ${format(times.at(-1), 's')}`,
      target: '60 s',
    },
    {
      what: '  p99 of these syncs',
      figure: format(at(latencies, 0.99), 'ms'),
      note: `p50 ${format(at(latencies, 0.5), 'ms')}`,
    },
    {
      what: '  busy, lost; waits without news',
      figure: `${reports.busy}, ${reports.lost}; ${reports.again}`,
    },
  ]
}

async function readUntilSynced(groups: readonly Group[], devices: number): Promise<WaitingReport> {
  const end = performance.now() + wakeMs
  for (;;) {
    const reports = await readAll(groups)
    if (reports.syncs.length >= devices || performance.now() > end) return reports
    await sleep(1000)
  }
}

async function readAll(groups: readonly Group[]): Promise<WaitingReport> {
  const reports = await Promise.all(groups.map((group) => group.report()))
  const sum = (name: 'again' | 'busy' | 'lost') =>
    reports.reduce((all, report) => all + report[name], 0)
  return {
    syncs: reports.flatMap(({ syncs }) => syncs),
    ...{ again: sum('again'), busy: sum('busy'), lost: sum('lost') },
  }
}

type Group = Awaited<ReturnType<typeof startGroup>>

/** A process of so many devices, which are stored. */
async function startGroup(count: number, engine: Engine) {
  const child = fork(fileURLToPath(import.meta.resolve('./waiting-devices.ts')))
  const ask = async <K extends FromWaiting['kind']>(message: ToWaiting, kind: K) => {
    child.send(message)
    return receive(child, kind)
  }
  const { rows } = await ask({ kind: 'create', count }, 'created')
  await engine.store(rows as readonly DeviceRow[])
  return {
    wait: (url: string, node: string, since: number, rate: number) =>
      ask({ kind: 'wait', url, node, since, perSecond: rate }, 'waiting'),
    report: () => ask({ kind: 'report' }, 'report'),
    end: () => child.kill(),
  }
}

async function receive<K extends FromWaiting['kind']>(child: ChildProcess, kind: K) {
  for (;;) {
    const [message]: [FromWaiting] = (await once(child, 'message')) as [FromWaiting]
    if (message.kind === kind) return message as Extract<FromWaiting, { kind: K }>
  }
}
