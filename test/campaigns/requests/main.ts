/** `npm run campaign -- requests`: generated requests to the running programs, a table of what came, and each fault with its request. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startConnectorTarget } from './connector-target.ts'
import { type TargetName, targetNames } from './documented.ts'
import { startDsTarget } from './ds-target.ts'
import { printFaults, printTable, type Totals } from './report.ts'
import { runTarget } from './run-target.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    requests: { type: 'string', default: '25000' },
    target: { type: 'string', multiple: true, default: [...targetNames] },
  },
})

/** Without one in the command they are built as they are. */
const starters = {
  'ds-node': () => startDsTarget('ds-node'),
  'ds-workerd': () => startDsTarget('ds-workerd'),
  api: () => startConnectorTarget('api'),
  registry: () => startConnectorTarget('registry'),
} as const satisfies Record<TargetName, unknown>

const [seed, from, requests] = [values.seed, values.from, values.requests].map(Number)
const unknown = values.target.filter((name) => !targetNames.includes(name as TargetName))
if (![seed, from, requests].every((one) => Number.isSafeInteger(one)) || unknown.length > 0) {
  console.error(
    `Cannot run this: --seed, --from and --requests are whole numbers, --target is one of ${targetNames.join(', ')}`,
  )
  process.exitCode = 2
} else {
  console.log(`seed ${seed}, requests ${from} to ${(from ?? 0) + (requests ?? 0) - 1}`)
  const all: Totals[] = []
  for (const name of values.target as TargetName[]) all.push(await run(name))
  console.log(printTable(all))
  for (const { target, slowest } of all) console.log(`${target}: the slowest was ${slowest}`)
  if (all.some(({ faults }) => faults > 0)) console.log(printFaults(all))
  if (all.some(({ faults }) => faults > 0)) process.exitCode = 1
}

async function run(name: TargetName): Promise<Totals> {
  const target = await starters[name]()
  try {
    const log = (line: string) => console.error(line)
    return await runTarget(target, {
      seed: seed ?? 1,
      from: from ?? 0,
      requests: requests ?? 0,
      log,
    })
  } finally {
    await target.dispose()
  }
}
