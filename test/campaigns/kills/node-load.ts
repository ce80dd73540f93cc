/** 200 requests a second through the proxy, half of them exchanges of a token, half synchronizations that count; and how each ended. */
import { setTimeout } from 'node:timers/promises'
import { createTokenCheck } from '../../../ds/test/harness/application-token.ts'
import { createDevice } from '../../../ds/test/harness/device.ts'
import type { DistributionService } from '../../bed/distribution-service.ts'
import type { ServiceResponse } from '../../bed/service-request.ts'
import { attempt } from './attempt.ts'
import type { Results } from './results.ts'
import { type CountingDevice, createCountingDevice } from './service-load.ts'

/** A request that was not served; milliseconds of `performance.now()`. */
export interface Failure {
  readonly what: string
  readonly from: number
  readonly to: number
}

export interface NodeLoad {
  readonly devices: ReadonlySet<string>
  /** Of the batches that were acknowledged. */
  readonly tags: ReadonlySet<string>
  readonly failures: readonly Failure[]
  /** Sends the batches that wait, and ends. */
  finish(): Promise<void>
}

const perSecond = 200
const deviceCount = 25
/** Milliseconds after which a connector gives up a request to the service (docs/conformance.md). */
const deadlineMs = 15_000

export async function startNodeLoad(
  service: DistributionService,
  results: Results,
): Promise<NodeLoad> {
  const version = await service.registerVersion('4.0.0')
  const { apiKey: apikey } = await service.createLabel('shop')
  const devices = new Set<string>()
  const tags = new Set<string>()
  const idle: CountingDevice[] = []
  for (let at = 0; at < deviceCount; at += 1) {
    const device = await createDevice(service, version)
    devices.add(device.id)
    idle.push(createCountingDevice(device, `device ${at}`, tags))
  }
  const failures: Failure[] = []
  const isToken = createTokenCheck(service.url)

  /** Whether it was served; what is neither that nor a failure of a node is a wrong answer. */
  async function send(what: string, work: () => Promise<ServiceResponse>): Promise<boolean> {
    const from = performance.now()
    const response = await attempt(results, what, deadlineMs, work)
    if (response && response.status < 300) return true
    // A node that has too much to do says so, and is there: other work may need the processors of this machine.
    if (response?.json?.code === 'service-busy') {
      results.count(`${what}: busy`)
      return false
    }
    failures.push({ what, from, to: performance.now() })
    results.check('answers-right', !response || response.status >= 502, () => response?.text ?? '')
    results.count(`${what}: ${response?.status ?? 'no answer'}`)
    return false
  }
  const exchange = async () => {
    let token: string | undefined
    await send('token', async () => {
      const response = await service.request('GET', '/v3/tokens/application', {
        headers: { apikey },
      })
      token = response.json?.data
      return response
    })
    if (token === undefined) return
    results.check('answers-right', await isToken(token), () => 'a token has no valid signature')
  }
  const synchronize = async () => {
    const device = idle.shift()
    if (!device) return results.count('no device was free')
    device.use()
    await send('synchronization', device.synchronize)
    idle.push(device)
  }

  let isEnding = false
  const pending = new Set<Promise<void>>()
  const run = async () => {
    const startedAt = performance.now()
    for (let sent = 0; !isEnding; sent += 1) {
      const request = sent % 2 === 0 ? exchange() : synchronize()
      pending.add(request)
      void request.finally(() => pending.delete(request))
      await setTimeout(Math.max(startedAt + (sent * 1000) / perSecond - performance.now(), 0))
    }
  }
  const running = run()
  return {
    devices,
    tags,
    failures,
    async finish() {
      isEnding = true
      await running
      await Promise.all(pending)
      for (const device of idle)
        while (device.waits() > 0) await send('last synchronization', device.synchronize)
    },
  }
}
