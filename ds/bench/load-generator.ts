/** Sends one request again and again over several connections, and counts the responses per second. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { output } from './child-process.ts'
import { findProgram } from './required-programs.ts'

export interface LoadRequest {
  readonly url: string
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Sent in turn as the header `apikey`; by wrk alone. */
  readonly apiKeys?: readonly string[]
}

/** Enough for the service never to wait, few enough for two cores. */
export const connections = 16

// Measured on two cores: 11 µs of processor time per request against autocannon's 19, left to what is measured.
const wrk = findProgram('wrk')
export const generator = wrk ? 'wrk' : 'autocannon (wrk, which costs less, is not installed)'

/** Requests answered with 2xx per second; `folder` is for scratch files. Anything else answered is an error. */
export function measureRate(folder: string, load: LoadRequest, seconds: number): Promise<number> {
  return wrk ? measureWithWrk(wrk, folder, load, seconds) : measureWithAutocannon(load, seconds)
}

async function measureWithWrk(wrk: string, folder: string, load: LoadRequest, seconds: number) {
  const script = join(folder, 'request.lua')
  const lines = [
    `wrk.method = ${quote(load.method ?? 'GET')}`,
    ...Object.entries(load.headers).map(
      ([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`,
    ),
    ...(load.body === undefined ? [] : [`wrk.body = ${quote(load.body)}`]),
    ...(load.apiKeys ? [sendInTurn(load.apiKeys)] : []),
  ]
  writeFileSync(script, lines.join('\n'))
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, load.url]
  const text = await output(wrk, args)
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`Cannot load ${load.url}:\n${text}`)
  return Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1])
}

const sendInTurn = (
  keys: readonly string[],
) => `local keys, at = { ${keys.map(quote).join(', ')} }, 0
  request = function()
    at = at % #keys + 1
    wrk.headers['apikey'] = keys[at]
    return wrk.format()
  end`

/** A JSON string of ASCII is a Lua string too. */
const quote = (text: string) => JSON.stringify(text)

async function measureWithAutocannon(load: LoadRequest, seconds: number) {
  const args = [
    fileURLToPath(import.meta.resolve('autocannon')),
    '--json',
    '--no-progress',
    ...['-c', String(connections), '-d', String(seconds), '-m', load.method ?? 'GET'],
    ...Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
    ...(load.body === undefined ? [] : ['-b', load.body]),
    load.url,
  ]
  const result = JSON.parse(await output(process.execPath, args)) as Record<string, number>
  if (result['non2xx'] || result['errors']) throw new Error(`Cannot load ${load.url}`)
  return (result['2xx'] ?? 0) / (result['duration'] || seconds)
}
