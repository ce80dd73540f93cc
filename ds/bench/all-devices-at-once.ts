/** Simulates devices that all synchronize in the same second: how often they have to retry, and when all are served. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncDevice } from '@cardwire/protocol'
import type { SimulatedDevices } from './devices-requests.ts'
import type { Line } from './table.ts'

/** Sockets of the simulator: more than the service takes at once. */
const sockets = 256

/** In place of a status: the connection was lost. */
const connectionLost = 0

interface WaitingDevice {
  readonly device: number
  readonly tries: number
  /** When it tries again, in milliseconds of `performance.now()`. */
  readonly due: number
}

export async function measureAllAtOnce(
  url: string,
  simulated: SimulatedDevices,
  devices: number,
): Promise<Line[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const began = performance.now()
  let waiting: WaitingDevice[] = Array.from({ length: devices }, (_, device) => ({
    device,
    tries: 1,
    due: began,
  }))
  let [rejected, mostTries, served] = [0, 0, 0]

  const synchronize = async ({ device, tries }: WaitingDevice): Promise<void> => {
    mostTries = Math.max(mostTries, tries)
    const { status, retryAfterS } = await send(agent, url, simulated.request(device))
    if (status === 200) served += 1
    else if (status === 503 || status === 429 || status === connectionLost) {
      if (status !== connectionLost) rejected += 1
      waiting.push({ device, tries: tries + 1, due: performance.now() + retryAfterS * 1000 })
    } else throw new Error(`Cannot wake device ${device}: the service answered ${status}`)
  }

  while (waiting.length > 0) {
    const now = performance.now()
    const due = waiting.filter((one) => one.due <= now)
    waiting = waiting.filter((one) => one.due > now)
    const turns = Array.from({ length: sockets }, async () => {
      for (let one = due.pop(); one; one = due.pop()) await synchronize(one)
    })
    await Promise.all(turns)
    if (waiting.length > 0) await sleep(20)
  }
  agent.destroy()
  const seconds = (performance.now() - began) / 1000
  return [
    {
      what: `${devices.toLocaleString('en')} devices that wake at once`,
      figure: `${served.toLocaleString('en')} served`,
      note: `in ${seconds.toFixed(0)} s, retried ${rejected.toLocaleString('en')} times`,
    },
    { what: '  most tries of a device', figure: String(mostTries), target: '≤ 3' },
  ]
}

function send(
  agent: Agent,
  url: string,
  { body, token }: { readonly body: string; readonly token: string },
): Promise<{ status: number; retryAfterS: number }> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    request(url + syncDevice.path, { agent, method: 'POST', headers }, (response) => {
      response.resume()
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfterS: Number(response.headers['retry-after']),
        }),
      )
    })
      // The service closes idle connections; a device that sends at that moment tries again.
      .once('error', () => resolve({ status: connectionLost, retryAfterS: 1 }))
      .end(body)
  })
}
