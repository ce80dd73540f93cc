/** Token exchange against what a bare route and bare signing allow together. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { program, start } from './child.ts'
import { connections, rate } from './load.ts'
import { medians } from './rounds.ts'
import type { Service } from './service.ts'
import { count, type Line, ratio } from './table.ts'

const path = '/v3/tokens/application'
const bareSigning = import.meta.resolve('./bare-signing.ts')

export async function tokens(folder: string, service: Service): Promise<Line[]> {
  const bare = start(folder, process.execPath, [
    fileURLToPath(import.meta.resolve('./bare-route.ts')),
  ])
  const bareUrl = await bare.said(/(http\S+)/)
  const headers = { apikey: service.apiKey }
  const { exchange, route, signing, together } = await medians(
    {
      exchange: () => rate(folder, { url: service.url + path, headers }, 2),
      route: () => rate(folder, { url: bareUrl + path, headers }, 1),
      signing: async () => Number(await program(bareSigning, '1', '1')),
      together: async () => Number(await program(bareSigning, '1', String(connections))),
    },
    5,
  )
  const allowed = 1 / (1 / route + 1 / signing)
  return [
    { what: 'token exchange', figure: count(exchange) },
    { what: '  bare Hono route', figure: count(route), note: ratio(exchange, route) },
    { what: '  bare ES256, one at a time', figure: count(signing), note: ratio(exchange, signing) },
    {
      what: '  allowed by both together',
      figure: count(allowed),
      note: ratio(exchange, allowed),
      target: '≥ 0.85',
    },
    {
      what: `  bare ES256, ${connections} at once, both cores`,
      figure: count(together),
      note: ratio(exchange, together),
    },
  ]
}
