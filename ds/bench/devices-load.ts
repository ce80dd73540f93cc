/** Sends prepared requests over several connections, each once, and measures rate and latencies. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncDevice } from '@cardwire/protocol'
import { output } from './child-process.ts'
import type { Requests } from './devices-requests.ts'
import { connections } from './load-generator.ts'

export interface LoadResult {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** `urls`: of the nodes, each of which gets the requests of its share of the devices, in their order. */
export async function measureLatencies(
  wrk: string,
  folder: string,
  urls: readonly string[],
  { bodies, devices, tokens }: Requests,
  seconds: number,
): Promise<LoadResult> {
  const [script, list] = [join(folder, 'devices.lua'), join(folder, 'devices.tokens')]
  writeFileSync(list, tokens.join('\n'))
  // A JSON string of ASCII is a Lua string too.
  writeFileSync(
    script,
    `local ports, started = { ${urls.map((url) => JSON.stringify(new URL(url).port)).join(', ')} }, 0
    local bodies = { ${bodies.map((body) => JSON.stringify(body)).join(', ')} }
    local tokens, places, at = {}, {}, 0
    function setup(thread)
      thread.addr = wrk.lookup('127.0.0.1', ports[started + 1])[1]
      thread:set('share', started)
      started = started + 1
    end
    function init()
      local n = 0
      for line in io.lines(${JSON.stringify(list)}) do
        if n % ${devices} % #ports == share then
          tokens[#tokens + 1] = line
          places[#places + 1] = math.floor(n / ${devices}) % #bodies + 1
        end
        n = n + 1
      end
    end
    function request()
      at = at + 1
      local headers = { ['authorization'] = 'Bearer ' .. tokens[at], ['content-type'] = 'application/json' }
      return wrk.format('POST', '${syncDevice.path}', headers, bodies[places[at]])
    end`,
  )
  const options = [`-t${urls.length}`, `-c${connections}`, `-d${seconds}`, '--latency']
  const text = await output(wrk, [...options, '-s', script, urls[0] ?? ''])
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`Cannot load ${urls}:\n${text}`)
  return {
    perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1]),
    p50: parseMilliseconds(/ 50% +([\d.]+)(\w+)/.exec(text)),
    p99: parseMilliseconds(/ 99% +([\d.]+)(\w+)/.exec(text)),
  }
}

const units: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }
const parseMilliseconds = (found: RegExpExecArray | null) =>
  Number(found?.[1]) * (units[found?.[2] ?? ''] ?? Number.NaN)
