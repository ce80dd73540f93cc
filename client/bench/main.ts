/** `npm run bench -w client`: the library in Chromium against the bare calls that it is made of, and its weight. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { tool } from '../test/journeys/program.ts'
import { bareCalls, readersFrom, store, stored } from './in-page.ts'
import { median, ms, row } from './table.ts'
import { openVisits, run, type Visits } from './visits.ts'

const warmRounds = 20
const coldRounds = 5
/** Bytes, minified and gzipped. */
const ceiling = 12_000

async function main(): Promise<void> {
  const visits = await openVisits()
  try {
    const { bare, entries } = await warm(visits)
    await cold(visits, bare, entries)
  } finally {
    await visits.close()
  }
  const bytes = await weight()
  row(
    'the library, minified and gzipped',
    `${(bytes / 1000).toFixed(2)} kB`,
    `≤ ${ceiling / 1000} kB`,
  )
}

/** Gives the bare calls that belong to one initialisation, and the consent that is stored. */
async function warm(visits: Visits) {
  const browser = await visits.consenting()
  await browser.first.close()
  const tab = await browser.tab()
  const { registryPort } = visits
  const took = { ours: [] as number[], bare: [] as number[] }
  const ours = () => run(tab, readersFrom, { registryPort, jwt: visits.token() })
  const { asked, readers } = await ours()
  if (readers === 0) throw new Error('Cannot measure a list of readers: it is empty')
  const bare = asked.map((address, at) => bareOf(address, registryPort, at))
  await run(tab, bareCalls, bare)
  for (let round = 0; round < warmRounds; round += 1) {
    took.bare.push(await run(tab, bareCalls, bare))
    took.ours.push((await ours()).tookMs)
  }
  const entries = await run(tab, stored, null)
  await browser.close()
  compare('warm', bare.length, took)
  return { bare, entries }
}

/** New connections each time: every measurement has a browser of its own. */
async function cold(
  visits: Visits,
  bare: readonly string[],
  entries: readonly (readonly [string, string])[],
): Promise<void> {
  const { registryPort } = visits
  const took = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < coldRounds; round += 1) {
    const one = await visits.silent()
    took.bare.push(await run(one.first, bareCalls, bare))
    await one.close()
    const other = await visits.silent()
    await run(other.first, store, entries)
    const given = { registryPort, jwt: visits.token() }
    took.ours.push((await run(other.first, readersFrom, given)).tookMs)
    await other.close()
  }
  compare('cold', bare.length, took)
}

/** The cheapest call of the same server; numbered, because a browser asks once for leave for each address. */
function bareOf(address: string, registryPort: string, at: number): string {
  const { origin, port } = new URL(address)
  return `${origin}${port === registryPort ? '/info' : '/device-key'}?${at}`
}

function compare(
  kind: string,
  calls: number,
  took: { readonly ours: readonly number[]; readonly bare: readonly number[] },
): void {
  const [ours, bare] = [median(took.ours), median(took.bare)]
  row(`${calls} bare calls of the same ports, ${kind}, median`, ms(bare))
  row(
    `initialize to a reader list, ${kind}, median`,
    ms(ours),
    `${(ours / bare).toFixed(1)} × bare`,
  )
}

/** What was built, in one file, as a page gets it. */
async function weight(): Promise<number> {
  const entry = fileURLToPath(new URL('../dist/index.js', import.meta.url))
  const options = ['--minify', '--target=browser', '--format=esm']
  const { stdout } = await promisify(execFile)(tool('bun'), ['build', entry, ...options])
  return gzipSync(stdout, { level: 9 }).length
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
