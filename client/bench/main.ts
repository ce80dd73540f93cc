/** `npm run bench -w @cardwire/client`: measures the library in Chromium against its bare requests, and the size of its bundle. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { formatMs, getMedian, printRow } from '../../test/bed/bench-table.ts'
import { toolPath } from '../../test/bed/repository.ts'
import { measureBareCalls, measureReaderList, readStorage, writeStorage } from './in-page.ts'
import { openVisits, runInPage, type Visits } from './visits.ts'

const warmRounds = 20
const coldRounds = 5
/** Bytes, minified and gzipped. */
const maxBytes = 13_000

async function main(): Promise<void> {
  const visits = await openVisits()
  try {
    const { bare, entries } = await measureWarm(visits)
    await measureCold(visits, bare, entries)
  } finally {
    await visits.close()
  }
  const bytes = await measureSize()
  printRow(
    'the library, minified and gzipped',
    `${(bytes / 1000).toFixed(2)} kB`,
    `≤ ${maxBytes / 1000} kB`,
  )
}

/** Returns the bare requests of one initialization, and the entries of localStorage with the consent. */
async function measureWarm(visits: Visits) {
  const browser = await visits.openWithConsent()
  await browser.first.close()
  const tab = await browser.tab()
  const { registryPort } = visits
  const took = { ours: [] as number[], bare: [] as number[] }
  const ours = () => runInPage(tab, measureReaderList, { registryPort, jwt: visits.token() })
  const { addresses, readers } = await ours()
  if (readers === 0) throw new Error('Cannot measure a list of readers: it is empty')
  const bare = addresses.map((address, at) => toBareAddress(address, registryPort, at))
  await runInPage(tab, measureBareCalls, bare)
  for (let round = 0; round < warmRounds; round += 1) {
    took.bare.push(await runInPage(tab, measureBareCalls, bare))
    took.ours.push((await ours()).tookMs)
  }
  const entries = await runInPage(tab, readStorage, null)
  await browser.close()
  printComparison('warm', bare.length, took)
  return { bare, entries }
}

/** Opens new connections each time: every measurement has a browser of its own. */
async function measureCold(
  visits: Visits,
  bare: readonly string[],
  entries: readonly (readonly [string, string])[],
): Promise<void> {
  const { registryPort } = visits
  const took = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < coldRounds; round += 1) {
    const one = await visits.openIdle()
    took.bare.push(await runInPage(one.first, measureBareCalls, bare))
    await one.close()
    const other = await visits.openIdle()
    await runInPage(other.first, writeStorage, entries)
    const given = { registryPort, jwt: visits.token() }
    took.ours.push((await runInPage(other.first, measureReaderList, given)).tookMs)
    await other.close()
  }
  printComparison('cold', bare.length, took)
}

/** The cheapest request of the same server; numbered, because a browser sends one preflight request for each address. */
function toBareAddress(address: string, registryPort: string, at: number): string {
  const { origin, port } = new URL(address)
  return `${origin}${port === registryPort ? '/info' : '/device-key'}?${at}`
}

function printComparison(
  kind: string,
  calls: number,
  took: { readonly ours: readonly number[]; readonly bare: readonly number[] },
): void {
  const [ours, bare] = [getMedian(took.ours), getMedian(took.bare)]
  printRow(`${calls} bare calls of the same ports, ${kind}, median`, formatMs(bare))
  printRow(
    `initialize to a reader list, ${kind}, median`,
    formatMs(ours),
    `${(ours / bare).toFixed(1)} × bare`,
  )
}

/** Bundles the package into one file, as for a page. */
async function measureSize(): Promise<number> {
  const entry = fileURLToPath(new URL('../dist/index.js', import.meta.url))
  const options = ['--minify', '--target=browser', '--format=esm']
  const { stdout } = await promisify(execFile)(toolPath('bun'), ['build', entry, ...options])
  return gzipSync(stdout, { level: 9 }).length
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
