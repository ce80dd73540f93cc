/** Sends prepared requests over several connections, each once, and tells rate and latencies. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncDevice } from '@cardwire/client/protocol'
import { output } from './child.ts'
import type { Requests } from './fleet-devices.ts'
import { connections } from './load.ts'

export interface Load {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

export async function latencies(
  wrk: string,
  folder: string,
  url: string,
  { body, tokens }: Requests,
  seconds: number,
): Promise<Load> {
  const [script, list] = [join(folder, 'fleet.lua'), join(folder, 'fleet.tokens')]
  writeFileSync(list, tokens.join('\n'))
  // A JSON string of ASCII is a Lua string too.
  writeFileSync(
    script,
    `local tokens, at = {}, 0
    for line in io.lines(${JSON.stringify(list)}) do tokens[#tokens + 1] = line end
    request = function()
      at = at + 1
      local headers = { ['authorization'] = 'Bearer ' .. tokens[at], ['content-type'] = 'application/json' }
      return wrk.format('POST', '${syncDevice.path}', headers, ${JSON.stringify(body)})
    end`,
  )
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '--latency', '-s', script, url]
  const text = await output(wrk, args)
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`Cannot load ${url}:\n${text}`)
  return {
    perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1]),
    p50: milliseconds(/ 50% +([\d.]+)(\w+)/.exec(text)),
    p99: milliseconds(/ 99% +([\d.]+)(\w+)/.exec(text)),
  }
}

const units: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }
const milliseconds = (found: RegExpExecArray | null) =>
  Number(found?.[1]) * (units[found?.[2] ?? ''] ?? Number.NaN)
