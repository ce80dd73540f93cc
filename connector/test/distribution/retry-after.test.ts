/** Retry-After of a service or of a proxy: the connector sends no request before. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { HttpTransport } from '../../src/distribution/client/transport.ts'
import { createFaults } from '../../src/distribution/sync/faults.ts'
import { createSchedule } from '../../src/distribution/sync/schedule.ts'
import { createSynchronizer } from '../../src/distribution/sync/synchronizer.ts'
import { createManualClock } from '../registry/manual-clock.ts'
import { openDevice, type TestDevice } from './device.ts'

const version = '4.0.0'
const second = 1000

let service: DistributionService
let device: TestDevice
let answer: { readonly status: number; readonly headers: Record<string, string>; body: string }
const busy = createServer((_, response) => {
  response.writeHead(answer.status, answer.headers).end(answer.body)
})

beforeAll(async () => {
  service = await startDistributionService()
  const { installationApiKey: installationKey } = await service.registerVersion(version)
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
  let registered = false
  const wrapTransport =
    (link: HttpTransport): HttpTransport =>
    (call) =>
      link(registered ? { ...call, url: call.url.replace(service.url, elsewhere) } : call)
  device = await openDevice({ dsUrl: service.url, version, installationKey, wrapTransport })
  await device.syncOnce()
  registered = true
})
afterAll(async () => {
  device?.close()
  busy.close()
  await service?.stop()
})

const problem = (code: string) =>
  JSON.stringify({
    success: false,
    code,
    description: 'Come back later',
    type: `urn:cardwire:${code}`,
    title: code,
    status: 503,
    detail: 'Come back later',
    instance: 'urn:uuid:0',
  })
const page = '<html>Service Unavailable</html>'
/** Ten minutes on, of a proxy whose clock is `slowS` slow: one look at it for both. */
function inTenMinutes(slowS: number) {
  const date = Date.now() - slowS * second
  return {
    date: new Date(date).toUTCString(),
    'retry-after': new Date(date + 600 * second).toUTCString(),
  }
}

/** Milliseconds from an attempt to the next, when chance is always this. */
async function measureWait(chance: number): Promise<number> {
  const clock = createManualClock()
  const callsBefore = device.calls.length
  const synchronizer = createSynchronizer({
    session: device,
    faults: createFaults(clock.now),
    log: createLog([]),
    schedule: createSchedule(() => chance),
    clock: clock.now,
    startTimer: clock.after,
  })
  await synchronizer.synchronize()
  expect(device.calls.length - callsBefore).toBe(1)
  return (synchronizer.nextAt() ?? 0) - clock.now()
}

test.each<[string, number, string, () => Record<string, string>, number, number]>([
  [
    'the service, in seconds',
    503,
    problem('service-busy'),
    () => ({ 'retry-after': '120' }),
    120,
    144,
  ],
  [
    'the service, of a limit',
    429,
    problem('too-many-requests'),
    () => ({ 'retry-after': '60' }),
    60,
    72,
  ],
  ['a proxy, in seconds', 503, page, () => ({ 'retry-after': '30' }), 30, 36],
  ['a proxy, at a time', 503, page, () => inTenMinutes(0), 598, 720],
  [
    ...(['a proxy whose clock is a day slow, at a time', 503, page] as const),
    () => inTenMinutes(86_400),
    ...([598, 720] as const),
  ],
  ['nobody: an invalid time', 503, page, () => ({ 'retry-after': 'soon' }), 15, 30],
])(
  'no request is sent before a Retry-After of %s',
  async (_, status, body, headers, earliestS, latestS) => {
    proves('retry-after')
    for (const chance of [0, 0.999]) {
      answer = { status, body, headers: headers() }
      const next = await measureWait(chance)
      expect(next).toBeGreaterThanOrEqual(earliestS * second)
      expect(next).toBeLessThanOrEqual(latestS * second)
    }
  },
)
