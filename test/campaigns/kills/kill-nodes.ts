/** Ends one of three nodes of the service each second, under load through the proxy in front of them. */
import { setTimeout } from 'node:timers/promises'
import type { DistributionService } from '../../bed/distribution-service.ts'
import { waitFor } from '../../bed/wait-for.ts'
import { checkAnswers, type KillOptions, startAgain, withoutLimits } from './kill-service.ts'
import { type Failure, startNodeLoad } from './node-load.ts'
import { startNodes } from './nodes.ts'
import type { Results } from './results.ts'

const intervalMs = 1000
/** As docs/deploy.md has it: nginx may send a request on a connection that had none for almost two seconds. */
const drainSeconds = '5'

interface NodeOptions extends Pick<KillOptions, 'kills' | 'random' | 'results'> {
  /** A node that is told to stop loses no request; one that is killed, those that it was handling. */
  readonly signal?: 'SIGKILL' | 'SIGTERM'
}

export async function killNodes({
  kills,
  random,
  results,
  signal = 'SIGKILL',
}: NodeOptions): Promise<void> {
  const nodes = await startNodes({ ...withoutLimits, DS_DRAIN: drainSeconds })
  try {
    const [service] = nodes.all
    const load = await startNodeLoad(service, results)
    const running = new Set<DistributionService>(nodes.all)
    const moments: Period[] = []
    const starting: Promise<void>[] = []
    for (let killed = 0; killed < kills; killed += 1) {
      await setTimeout(intervalMs)
      // One is always there.
      await waitFor(() => running.size > 1)
      const node = [...running][random.integer(0, running.size - 1)] ?? service
      running.delete(node)
      const from = performance.now()
      await node.pause(signal)
      if (signal === 'SIGKILL') moments.push({ from, to: performance.now() })
      starting.push(startAgain(node, results).then(() => void running.add(node)))
    }
    await Promise.all(starting)
    await load.finish()
    checkFailures(load.failures, moments, results)
    await checkAnswers(service, load.devices, load.tags, results)
    results.count('batches acknowledged', load.tags.size)
  } finally {
    await nodes.stop()
  }
}

interface Period {
  readonly from: number
  readonly to: number
}

/** A request may fail only when a node ended while it was handled. */
export function checkFailures(
  failures: readonly Failure[],
  kills: readonly Period[],
  results: Pick<Results, 'check' | 'count'>,
): void {
  for (const { what, from, to } of failures) {
    const wasInFlight = kills.some((kill) => from <= kill.to && to >= kill.from)
    results.check('fails-with-its-node', wasInFlight, () => `${what} failed, and no node ended`)
  }
  results.count('failed in flight', failures.length)
}
