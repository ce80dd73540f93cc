/** Sends prepared requests over several connections, each once, and measures rate and latencies. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncDevice } from '@cardwire/client/protocol'
import { output } from './child-process.ts'
import type { Requests } from './devices-requests.ts'
import { connections } from './load-generator.ts'

export interface LoadResult {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

export async function measureLatencies(
  wrk: string,
  folder: string,
  url: string,
  { bodies, devices, tokens }: Requests,
  seconds: number,
): Promise<LoadResult> {
  const [script, list] = [join(folder, 'devices.lua'), join(folder, 'devices.tokens')]
  writeFileSync(list, tokens.join('\n'))
  // A JSON string of ASCII is a Lua string too.
  writeFileSync(
    script,
    `local tokens, at, bodies = {}, 0, { ${bodies.map((body) => JSON.stringify(body)).join(', ')} }
    for line in io.lines(${JSON.stringify(list)}) do tokens[#tokens + 1] = line end
    request = function()
      at = at + 1
      local headers = { ['authorization'] = 'Bearer ' .. tokens[at], ['content-type'] = 'application/json' }
      return wrk.format('POST', '${syncDevice.path}', headers, bodies[math.floor((at - 1) / ${devices}) % #bodies + 1])
    end`,
  )
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '--latency', '-s', script, url]
  const text = await output(wrk, args)
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`Cannot load ${url}:\n${text}`)
  return {
    perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1]),
    p50: parseMilliseconds(/ 50% +([\d.]+)(\w+)/.exec(text)),
    p99: parseMilliseconds(/ 99% +([\d.]+)(\w+)/.exec(text)),
  }
}

const units: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }
const parseMilliseconds = (found: RegExpExecArray | null) =>
  Number(found?.[1]) * (units[found?.[2] ?? ''] ?? Number.NaN)
