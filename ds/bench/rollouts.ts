/** Synchronizations while the versions are read again and again, without a rollout and with one that has many devices. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from './engine.ts'
import { median } from './medians.ts'
import { measureTimes, pick99, send, size, startFleet } from './reads.ts'
import type { Service } from './service.ts'
import type { Line } from './table.ts'

/** What a million devices send in a cycle of eight hours. */
const perSecond = 35
const rounds = 6
/** Devices of the rollout. */
const noted = 100_000

export async function measureRollouts(
  folder: string,
  packages: string,
  engine: Engine,
): Promise<Line[]> {
  const { service, devices } = await startFleet(folder, packages, engine)
  const measureRound = async () => {
    const changing = changeVersion(service)
    const times = await measureTimes(service, devices, perSecond)
    await changing.stop()
    return times
  }
  const measureRounds = async () => {
    await measureRound()
    const found: (readonly number[])[] = []
    while (found.length < rounds) found.push(await measureRound())
    return found
  }
  const without = await measureRounds()
  await engine.storeRolloutDevices(await startRollout(service), noted)
  const during = await measureRounds()
  const describe = (what: string, found: readonly (readonly number[])[]): Line[] => [
    { what, figure: `${median(found.flat()).toFixed(1)} ms`, note: 'median' },
    { what: '  p99 of a round', figure: `${median(found.map(pick99)).toFixed(1)} ms` },
    { what: '  longest', figure: `${Math.max(...found.flat()).toFixed(0)} ms` },
  ]
  const all = size.toLocaleString('en')
  return [
    ...describe(`synchronisation, ${perSecond}/s, ${all} devices, no rollout`, without),
    ...describe(`with a rollout that notes ${noted.toLocaleString('en')} of them`, during),
  ]
}

/** Each second until it is stopped, a version changes: the next synchronization has the service read all of them. */
function changeVersion(service: Service): { stop(): Promise<void> } {
  let isStopped = false
  const change = async () => {
    while (!isStopped) {
      await put(service, '/v3/versions', service.version)
      await sleep(1000)
    }
  }
  const changing = change()
  return {
    async stop() {
      isStopped = true
      await changing
    },
  }
}

/** Resolves with its id. The first stage lasts longer than the measurement. */
async function startRollout(service: Service): Promise<string> {
  const id = crypto.randomUUID()
  const version = { ...service.version, id: '4.1.0', recommended: false }
  await put(service, '/v3/versions', version)
  const stages = [10, 100].map((share) => ({ share, holdS: 86_400 }))
  const rollout = { version: '4.1.0', flag: 'recommended', stages }
  await put(service, `/v3/rollouts/${id}`, rollout)
  await put(service, `/v3/rollouts/${id}/state?maxReach=${size}`, { state: 'running' })
  return id
}

const put = (service: Service, path: string, body: object): Promise<void> =>
  send(service, service.token, { method: 'PUT', path, body: JSON.stringify(body) })
