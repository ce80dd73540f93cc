/** `npm run campaign -- simulation`: seeds one after the other, a table of what they did, and the first that fails with its trace. */
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readOptions, runCampaign } from '../bed/campaign.ts'
import { runSeed } from './run-seed.ts'
import { addTotals, createTotals, printTotals, type Totals } from './totals.ts'

/** Lines of the trace that are shown of a seed that fails. */
const maxTraceLines = 200

/** `seed`: one, with its trace; 0 is none. `nodes`: of the service; 0: each seed decides. `part`: what a process of many does. */
const {
  seeds,
  from,
  seed,
  machines,
  nodes: wantedNodes,
  part,
} = readOptions('simulation', {
  seeds: 10_000,
  from: 1,
  seed: 0,
  machines: 100,
  nodes: 0,
  part: false,
})

const nodes = wantedNodes > 0 ? wantedNodes : undefined

if (part) await runPart(from, seeds)
else await runCampaign(() => (seed > 0 ? runOne(seed) : runAll(from, seeds)))

async function runOne(seed: number): Promise<boolean> {
  const outcome = await runSeed(seed, { machines, nodes })
  for (const line of outcome.report.trace) console.log(line)
  console.log(`digest of the trace ${outcome.digest}`)
  console.log(printTotals(addTotals(createTotals(), outcome)))
  if (outcome.violation) console.error(`seed ${seed} fails: ${outcome.violation.message}`)
  return outcome.violation === undefined
}

/** Seeds in this process; what they did goes out as one line of JSON. */
async function runPart(from: number, count: number): Promise<void> {
  let totals = createTotals()
  for (let seed = from; seed < from + count; seed += 1) {
    const outcome = await runSeed(seed, { machines, nodes })
    totals = addTotals(totals, outcome)
    if (outcome.violation === undefined) continue
    console.error(outcome.report.trace.slice(-maxTraceLines).join('\n'))
    console.error(`seed ${seed} fails: ${outcome.violation.message}`)
    const again = `simulation --seed ${seed} --machines ${machines} --nodes ${wantedNodes}`
    console.error(`again: npm run campaign -- ${again}`)
    process.exitCode = 1
  }
  await Bun.write(Bun.stdout, `${JSON.stringify(totals)}\n`)
  // On a busy machine, Bun 1.4 at times does not end a process that has nothing left to do.
  process.exit()
}

/** Seeds in one process for each processor, in small parts: a process that lives long grows. */
async function runAll(from: number, count: number): Promise<boolean> {
  const partSize = Math.min(100, Math.ceil(count / availableParallelism()))
  let next = from
  let totals = createTotals()
  const work = async () => {
    while (next < from + count) {
      const [first, size] = [next, Math.min(partSize, from + count - next)]
      next += size
      const part = await runChild(first, size)
      totals = addTotals(totals, part)
      if (process.stderr.isTTY) console.error(`${totals.seeds} of ${count} seeds`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  console.log(printTotals(totals))
  return totals.failed === 0
}

async function runChild(from: number, count: number): Promise<Totals> {
  const child = Bun.spawn(
    [
      ...[process.execPath, fileURLToPath(import.meta.url), '--part'],
      ...['--from', String(from), '--seeds', String(count)],
      ...['--machines', String(machines), '--nodes', String(wantedNodes)],
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const output = await new Response(child.stdout).text()
  await child.exited
  return JSON.parse(output)
}
