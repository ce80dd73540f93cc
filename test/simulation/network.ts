/** The one network: it loses, delays, doubles and reorders what devices and the service send each other. */

import type { SeededRandom } from '../bed/random.ts'
import {
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
  Unreachable,
} from './connector-code.ts'
import type { EventQueue } from './event-queue.ts'
import type { FaultRates } from './faults.ts'
import type { Report } from './report.ts'

/** As connectors wait for an answer, in milliseconds. */
const overallMs = 15_000

/** What the service does with a request; undefined: it is not there, or died over it. */
export type Receive = (request: HttpRequest) => Promise<HttpResponse | undefined>

export interface NetworkParts {
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly report: Report
  /** Those of now: none when the faults have ended. */
  readonly rates: () => Pick<
    FaultRates,
    'lost' | 'doubled' | 'late' | 'answeredByProxy' | 'swapped'
  >
  readonly receive: Receive
}

export interface Network {
  /** The way of one machine to the service. */
  transportOf(machine: number): HttpTransport
  /** Cuts machines off, or ends that. */
  setCutOff(isCutOff: (machine: number) => boolean): void
}

export function createNetwork({ queue, random, report, rates, receive }: NetworkParts): Network {
  let isCutOff = (_: number): boolean => false
  /** The newest answer of the service to anybody: what a broken proxy may give to another one. */
  let newest: HttpResponse | undefined

  const delayMs = () =>
    random.chance(rates().late) ? random.integer(50, 30_000) : random.integer(1, 80)

  return {
    setCutOff(next) {
      isCutOff = next
    },
    transportOf: (machine) => (request) =>
      new Promise((resolve, reject) => {
        const path = new URL(request.url).pathname
        report.event(`asked ${path}`, `machine ${machine}`)
        const fail = (reason: string) =>
          reject(new Unreachable(`Cannot reach ds.example: ${reason}`))
        const stop = queue.after(overallMs, () => fail('no response in 15 s'))
        const lose = (what: string) => report.fault(`${what} lost`, `machine ${machine} ${path}`)

        if (isCutOff(machine)) {
          stop()
          queue.after(random.integer(1, 10_000), () => fail('no connection'))
          return
        }
        if (random.chance(rates().answeredByProxy)) {
          report.fault('answered by a proxy', `machine ${machine} ${path}`)
          queue.after(delayMs(), () => {
            stop()
            resolve(random.pick(proxyResponses))
          })
          return
        }
        const send = () => {
          if (random.chance(rates().lost)) return lose('request')
          queue.after(delayMs(), async () => {
            const answer = await receive(request)
            if (answer === undefined) {
              stop()
              queue.after(random.integer(1, 80), () => fail('connection reset'))
              return
            }
            const swapped = newest && random.chance(rates().swapped) ? newest : undefined
            if (path.endsWith('/sync') && answer.status === 200) newest = answer
            if (random.chance(rates().lost)) return lose('reply')
            if (swapped) report.fault('reply swapped', `machine ${machine} ${path}`)
            queue.after(delayMs(), () => {
              stop()
              resolve(swapped ?? answer)
            })
          })
        }
        send()
        if (random.chance(rates().doubled)) {
          report.fault('request doubled', `machine ${machine} ${path}`)
          send()
        }
      }),
  }
}

const bytes = (text: string) => new TextEncoder().encode(text)
const html = { 'content-type': 'text/html' }

/** A refusal that the service did not sign. */
const forge = (status: number, code: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/problem+json', date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
  body: bytes(JSON.stringify({ success: false, code, description: 'No.' })),
})

/** What stands between says in the service's place. */
const proxyResponses: readonly HttpResponse[] = [
  forge(404, 'device-unknown'),
  forge(401, 'clock-skewed'),
  { status: 200, headers: html, body: bytes('<html>Log in to this network</html>') },
  { status: 302, headers: { location: 'https://portal.example/' }, body: bytes('') },
  { status: 407, headers: html, body: bytes('<html>Who are you?</html>') },
  { status: 429, headers: { ...html, 'retry-after': '120' }, body: bytes('') },
  { status: 502, headers: html, body: bytes('<html>Bad gateway</html>') },
  { status: 503, headers: { ...html, 'retry-after': '600' }, body: bytes('') },
]
