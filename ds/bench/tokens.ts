/** Token exchange against what a bare route and bare signing allow together. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runNodeProgram, start } from './child-process.ts'
import type { Engine } from './engine.ts'
import { connections, measureRate } from './load-generator.ts'
import { measureMedians } from './medians.ts'
import type { Service } from './service.ts'
import { formatRate, formatRatio, type Line } from './table.ts'

const path = '/v3/tokens/application'
const bareSigning = import.meta.resolve('./bare-signing.ts')

export async function measureTokens(
  folder: string,
  service: Service,
  engine: Engine,
): Promise<Line[]> {
  const bare = start(folder, process.execPath, [
    fileURLToPath(import.meta.resolve('./bare-route.ts')),
  ])
  const bareUrl = await bare.waitForOutput(/(http\S+)/)
  const headers = { apikey: service.apiKey }
  // So many that almost every request is the first of its label in a second, and is signed. The warm-up notes their day.
  const apiKeys = await engine.storeLabels(5000)
  const { exchange, signed, route, signing, together } = await measureMedians(
    {
      exchange: () => measureRate(folder, { url: service.url + path, headers }, 2),
      signed: () => measureRate(folder, { url: service.url + path, headers: {}, apiKeys }, 2),
      route: () => measureRate(folder, { url: bareUrl + path, headers }, 1),
      signing: async () => Number(await runNodeProgram(bareSigning, '1', '1')),
      together: async () => Number(await runNodeProgram(bareSigning, '1', String(connections))),
    },
    5,
  )
  const allowed = 1 / (1 / route + 1 / signing)
  return [
    { what: 'token exchange of one label', figure: formatRate(exchange) },
    { what: '  bare Hono route', figure: formatRate(route), note: formatRatio(exchange, route) },
    {
      what: '  bare ES256, one at a time',
      figure: formatRate(signing),
      note: formatRatio(exchange, signing),
    },
    {
      what: '  allowed by both together',
      figure: formatRate(allowed),
      note: formatRatio(exchange, allowed),
      target: '≥ 0.85',
    },
    {
      what: '  exchange of 5,000 labels, each signed',
      figure: formatRate(signed),
      note: formatRatio(signed, allowed),
    },
    {
      what: `  bare ES256, ${connections} at once, both cores`,
      figure: formatRate(together),
      note: formatRatio(exchange, together),
    },
  ]
}
