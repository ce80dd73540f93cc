/** Sends one request again and again over several connections, and counts the answers per second. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { output } from './child.ts'
import { find } from './tools.ts'

export interface Load {
  readonly url: string
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Enough for the service never to wait, few enough for two cores. */
export const connections = 16

// Measured on two cores: 11 µs of processor time per request against autocannon's 19, left to what is measured.
const wrk = find('wrk')
export const generator = wrk ? 'wrk' : 'autocannon (wrk, which costs less, is not installed)'

/** Requests answered with 2xx per second; `folder` is for scratch files. Anything else answered is an error. */
export function rate(folder: string, load: Load, seconds: number): Promise<number> {
  return wrk ? rateOfWrk(wrk, folder, load, seconds) : rateOfAutocannon(load, seconds)
}

async function rateOfWrk(wrk: string, folder: string, load: Load, seconds: number) {
  const script = join(folder, 'request.lua')
  const lines = [
    `wrk.method = ${quoted(load.method ?? 'GET')}`,
    ...Object.entries(load.headers).map(
      ([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`,
    ),
    ...(load.body === undefined ? [] : [`wrk.body = ${quoted(load.body)}`]),
  ]
  writeFileSync(script, lines.join('\n'))
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, load.url]
  const text = await output(wrk, args)
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`Cannot load ${load.url}:\n${text}`)
  return Number(/Requests\/sec: +([\d.]+)/.exec(text)?.[1])
}

/** A JSON string of ASCII is a Lua string too. */
const quoted = (text: string) => JSON.stringify(text)

async function rateOfAutocannon(load: Load, seconds: number) {
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
