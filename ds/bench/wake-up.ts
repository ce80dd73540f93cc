/** Devices that all wake at the same second: how many are told to come back, and when everybody is through. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncDevice } from '@cardwire/client/protocol'
import type { Fleet } from './fleet-devices.ts'
import type { Line } from './table.ts'

/** Sockets of the simulator: more than the service takes at once. */
const sockets = 256

/** In place of a status: the connection was gone. */
const lost = 0

interface Waiting {
  readonly device: number
  readonly tries: number
  /** When it asks again, in milliseconds of `performance.now()`. */
  readonly due: number
}

export async function wakeUp(url: string, fleet: Fleet, devices: number): Promise<Line[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const began = performance.now()
  let waiting: Waiting[] = Array.from({ length: devices }, (_, device) => ({
    device,
    tries: 1,
    due: began,
  }))
  let [shed, mostTries, through] = [0, 0, 0]

  const ask = async ({ device, tries }: Waiting): Promise<void> => {
    mostTries = Math.max(mostTries, tries)
    const { status, retryAfterS } = await send(agent, url, fleet.request(device))
    if (status === 200) through += 1
    else if (status === 503 || status === 429 || status === lost) {
      if (status !== lost) shed += 1
      waiting.push({ device, tries: tries + 1, due: performance.now() + retryAfterS * 1000 })
    } else throw new Error(`Cannot wake device ${device}: the service answered ${status}`)
  }

  while (waiting.length > 0) {
    const now = performance.now()
    const due = waiting.filter((one) => one.due <= now)
    waiting = waiting.filter((one) => one.due > now)
    const turns = Array.from({ length: sockets }, async () => {
      for (let one = due.pop(); one; one = due.pop()) await ask(one)
    })
    await Promise.all(turns)
    if (waiting.length > 0) await sleep(20)
  }
  agent.destroy()
  const seconds = (performance.now() - began) / 1000
  return [
    {
      what: `${devices.toLocaleString('en')} devices that wake at once`,
      figure: `${through.toLocaleString('en')} through`,
      note: `in ${seconds.toFixed(0)} s, told to wait ${shed.toLocaleString('en')} times`,
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
      // The service closes connections that idle; whoever sends at that moment sends again.
      .once('error', () => resolve({ status: lost, retryAfterS: 1 }))
      .end(body)
  })
}
