/** Kills the sandboxes and the registry of connectors, and pcscd, while pages ask and cards come and go. */
import { setTimeout } from 'node:timers/promises'
import { readerNames } from '../../bed/pcscd.ts'
import type { SeededRandom } from '../../bed/random.ts'
import { type Connectors, startConnectors } from './connectors.ts'
import { startPageLoad } from './page-load.ts'
import type { Results } from './results.ts'

export interface PartKillOptions {
  readonly kills: number
  readonly random: SeededRandom
  readonly results: Results
  /** How many connectors run; default: 3. */
  readonly connectorCount?: number
  /** Milliseconds in which everything is as it was before; default: what the target promises. */
  readonly settleMs?: number
  /** What a test breaks before the first kill, to see that it is noticed. */
  readonly breakTruth?: (connectors: Connectors) => void
}

/** A round of kills; how many there were. */
type Kill = (connectors: Connectors, options: PartKillOptions) => Promise<number>

/** A sandbox that ends again and again is started after 5 s, and needs a moment for its first report. */
const sandboxSettleMs = 7000
/** Another registry is there within 5 s (docs/conformance.md). */
const registrySettleMs = 5000
/** Readers are listed within 2 s of the return of pcscd (docs/conformance.md). */
const pcscdSettleMs = 2000

export const killSandboxes = (options: PartKillOptions) =>
  killParts(options, sandboxSettleMs, async ({ findChildren, pages }, { random, kills }) => {
    const pids = findChildren('sandbox')
    const chosen = pids.slice(0, Math.min(kills, pages.length))
    await Promise.all(chosen.map((pid) => killSoon(pid, random.integer(0, 300))))
    return chosen.length
  })

export const killRegistry = (options: PartKillOptions) =>
  killParts(options, registrySettleMs, async ({ findChildren }, { random }) => {
    const pids = findChildren('registry')
    await Promise.all(pids.map((pid) => killSoon(pid, random.integer(0, 300))))
    return pids.length
  })

export const killPcscd = (options: PartKillOptions) =>
  killParts(options, pcscdSettleMs, async ({ pcscd, truth, forgetCards }, { random }) => {
    await setTimeout(random.integer(5, 300))
    const ends = readerNames.map((name) => truth.begin(name, 'absent'))
    forgetCards()
    await pcscd.stop('SIGKILL')
    for (const end of ends) end()
    await setTimeout(random.integer(0, 1000))
    const begins = readerNames.map((name) => truth.begin(name, 'empty'))
    await pcscd.start()
    for (const begin of begins) begin()
    return 1
  })

async function killParts(options: PartKillOptions, promisedMs: number, kill: Kill): Promise<void> {
  const { kills, random, results, breakTruth } = options
  const { connectorCount = 3, settleMs = promisedMs } = options
  const connectors = await startConnectors(connectorCount)
  try {
    await settle(connectors, results, 60_000)
    breakTruth?.(connectors)
    const load = startPageLoad(connectors, results)
    for (let killed = 0; killed < kills && results.violations().length === 0; ) {
      // A card comes or goes meanwhile, unless its reader is killed with pcscd.
      const change = random.chance(0.6) && connectors.changeCard(random.integer(0, 1))
      const changed = Promise.resolve(change).catch(() => undefined)
      const count = await kill(connectors, { ...options, kills: kills - killed })
      const killedAt = performance.now()
      await changed
      killed += count
      results.count('killed', count)
      const settledAt = await settle(connectors, results, settleMs)
      if (count > 0) results.measure('settled after a kill', settledAt - killedAt)
    }
    await load.stop()
  } finally {
    await connectors.stop()
  }
}

async function killSoon(pid: number, ms: number): Promise<void> {
  await setTimeout(ms)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Waits until every page sees what is there; when it did, by `performance.now()`. */
async function settle(
  { pages, truth }: Connectors,
  results: Results,
  settleMs: number,
): Promise<number> {
  const from = performance.now()
  const isSettled = async () => {
    const settled = await Promise.all(
      pages.map(async ({ ask, askRegistry, consent }) => {
        const [listing, validated] = await Promise.all([
          ask('/v3/readers').catch(() => undefined),
          askRegistry('/v3/validate', { consents: [consent] }).catch(() => undefined),
        ])
        const isApproved = validated?.json?.data?.consentState === 'APPROVED'
        return listing?.status === 200 && truth.matches(listing.json.data) && isApproved
      }),
    )
    return settled.every(Boolean)
  }
  let holds = await isSettled()
  while (!holds && performance.now() - from < settleMs) {
    await setTimeout(20)
    holds = await isSettled()
  }
  results.check('settles', holds, () => `not every page sees what is there after ${settleMs} ms`)
  return performance.now()
}
