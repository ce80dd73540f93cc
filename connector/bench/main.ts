/** `npm run bench -w connector`: the compiled connector against what it is made of, on real pcscd with virtual readers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatMs, getMedian, printRow } from '../../test/bed/bench-table.ts'
import { cardPorts, readerNames, startPcscd } from '../../test/bed/pcscd.ts'
import { startBinary } from './binary.ts'
import { measureCards } from './cards.ts'
import { measureConsent } from './consent.ts'
import { measureInsertions } from './insertions.ts'
import { measureListings } from './listings.ts'
import { measureBareListing } from './pcsc-baseline.ts'
import { listProcesses, readResidentMb, readTicks } from './processes.ts'

const rounds = 5
const idleMs = 10_000
/** Bun looks for garbage every second until nothing has changed for half a minute. */
const settlingMs = 40_000

async function main(): Promise<void> {
  const pcscd = await startPcscd()
  const home = await mkdtemp(join(tmpdir(), 'cardwire-bench-'))
  try {
    const first: { readonly answeredMs: number; readonly keyMs: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      // The last one is used by the starts that follow.
      await rm(home, { recursive: true, force: true })
      const started = await startBinary(home)
      first.push(started)
      await started.stop()
    }
    const rest = getMedian(first.map(({ answeredMs, keyMs }) => answeredMs - keyMs))
    printRow(
      'first start to the first https answer, median',
      formatMs(getMedian(first.map(({ answeredMs }) => answeredMs))),
      `≤ 150 ms + the keys; of it ${formatMs(rest)} after the root was made`,
    )
    const warm: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const again = await startBinary(home)
      warm.push(again.answeredMs)
      await again.stop()
    }
    printRow('warm start to the first https answer, median', formatMs(getMedian(warm)), '≤ 150 ms')

    const connector = await startBinary(home)
    await connector.waitForReaders()
    const bare = measureBareListing()
    const { p50, p99 } = await measureListings(connector)
    printRow('bare SCardListReaders + SCardGetStatusChange, p50', formatMs(bare))
    printRow(
      'GET /v3/readers over kept-alive https, p50',
      formatMs(p50),
      `≤ 0.5 ms; ${(p50 / bare).toFixed(1)} × bare`,
    )
    printRow('GET /v3/readers over kept-alive https, p99', formatMs(p99), '≤ 5 ms')

    const [reader] = readerNames
    const [port] = cardPorts
    await measureInsertions(connector, { reader, port })

    for (const { pid, role } of await listProcesses(connector.pid)) {
      printRow(
        `resident memory of the ${role}`,
        `${readResidentMb(pid).toFixed(0)} MB`,
        role === 'api' ? '≤ 80 MB' : '≤ 60 MB',
      )
    }
    await Bun.sleep(settlingMs)
    const idle = await listProcesses(connector.pid)
    const before = idle.map(({ pid }) => readTicks(pid))
    await Bun.sleep(idleMs)
    for (const [at, { pid, role }] of idle.entries()) {
      printRow(
        `ticks of the ${role} in ${idleMs / 1000} idle seconds`,
        String(readTicks(pid) - (before[at] ?? 0)),
        '0',
      )
    }
    await connector.stop()
    await measureConsent()
  } finally {
    await pcscd.close()
    await rm(home, { recursive: true, force: true })
  }
  await measureCards()
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
