/** Synchronizations at a steady rate, alone and while an administrator pages through all devices. */
import { setTimeout as sleep } from 'node:timers/promises'
import { syncDevice } from '@cardwire/protocol'
import { createSimulatedDevices, type SimulatedDevices } from './devices-requests.ts'
import type { Engine } from './engine.ts'
import { median } from './medians.ts'
import { startNodes } from './nodes.ts'
import type { Service } from './service.ts'
import type { Line } from './table.ts'

export const size = 1_000_000
const senders = 5000
/** Three times what a million devices send in a cycle of eight hours. */
const perSecond = 100
const roundMs = 5000
const rounds = 5

export async function measureReads(
  folder: string,
  packages: string,
  engine: Engine,
): Promise<Line[]> {
  const { service, devices } = await startFleet(folder, packages, engine)
  await measureRound(service, devices)
  const [alone, together, pages]: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    alone?.push(await measureRound(service, devices))
    const reading = readEverything(service)
    together?.push(await measureRound(service, devices))
    pages?.push(await reading.stop())
  }
  const [without, during] = [median(alone ?? []), median(together ?? [])]
  return [
    {
      what: `p99 of synchronisations, ${perSecond}/s, ${size.toLocaleString('en')} devices`,
      figure: `${without.toFixed(1)} ms`,
    },
    {
      what: '  while an administrator pages through them',
      figure: `${during.toFixed(1)} ms`,
      note: `ratio ${(during / without).toFixed(2)}`,
      target: '≤ 1.50',
    },
    {
      what: '  lists, searches and summaries answered meanwhile',
      figure: `${median(pages ?? [])} in ${roundMs / 1000} s`,
    },
  ]
}

/** One node with a million devices, of which some send. `nameDevice`: the hostname of one by its number. */
export async function startFleet(
  folder: string,
  packages: string,
  engine: Engine,
  nameDevice?: (at: number) => string,
) {
  const { service } = await startNodes(folder, packages, engine, 1)
  const devices = await createSimulatedDevices(service.url, engine.store)
  await devices.growTo(senders)
  await devices.fillTo(size, nameDevice)
  return { service, devices }
}

/** Resolves with the p99 in milliseconds. */
export async function measureRound(
  service: Service,
  devices: SimulatedDevices,
  rate = perSecond,
): Promise<number> {
  return pick99(await measureTimes(service, devices, rate))
}

/** Of times with the least first. */
export const pick99 = (times: readonly number[]): number =>
  times[Math.floor(times.length * 0.99)] ?? Number.NaN

/** Sends at fixed times, whether or not the requests before were answered; resolves with the milliseconds, the least first. */
export async function measureTimes(
  service: Service,
  devices: SimulatedDevices,
  rate: number,
): Promise<readonly number[]> {
  const times: number[] = []
  const sent: Promise<void>[] = []
  const began = performance.now()
  for (let n = 0; n < (rate * roundMs) / 1000; n += 1) {
    const { body, token } = devices.request(n % senders)
    const due = began + (n * 1000) / rate
    await sleep(Math.max(0, due - performance.now()))
    sent.push(
      send(service, token, { method: 'POST', path: syncDevice.path, body }).then(() => {
        times.push(performance.now() - due)
      }),
    )
  }
  await Promise.all(sent)
  return times.toSorted((a, b) => a - b)
}

/** What the pages of the admin console read, one after the other until it is stopped; resolves with how many they were. */
function readEverything(service: Service): { stop(): Promise<number> } {
  let [isStopped, count] = [false, 0]
  const read = async () => {
    for (let page = 1; !isStopped; page += 100) {
      const paths = [
        `/v3/devices?size=100&page=${page}`,
        `/v3/devices?hostname=nowhere&page=${page}`,
        '/v3/devices/summary',
        '/v3/audit?size=100',
      ]
      for (const path of paths) {
        if (isStopped) return
        await send(service, service.token, { method: 'GET', path })
        count += 1
      }
    }
  }
  const reading = read()
  return {
    async stop() {
      isStopped = true
      await reading
      return count
    },
  }
}

export async function send(
  { url }: Service,
  token: string,
  { path, ...options }: { readonly method: string; readonly path: string; readonly body?: string },
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { ...options, headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`Cannot ${options.method} ${path}: ${response.status} ${text}`)
}
