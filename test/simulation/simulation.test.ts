/** The seeds of the simulation that every run of the tests tries, and that a seed is the same each time. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { getAmount } from '../bed/amounts.ts'
import { runSeed } from './run-seed.ts'

/** `npm run campaign -- simulation` tries more, with a hundred machines in each. */
const seeds = getAmount('seeds of the simulation')
/** So many in a test end well before its limit. */
const partSize = 20
const parts = Array.from({ length: Math.ceil(seeds / partSize) }, (_, at) => {
  const from = 1 + at * partSize
  return { from, to: Math.min(seeds, from + partSize - 1) }
})

const campaign = fileURLToPath(new URL('campaign.ts', import.meta.url))

test.each(parts)(
  'every invariant holds after every step of a fleet: seeds $from to $to',
  async ({ from, to }) => {
    const count = String(1 + to - from)
    const fleet = ['--from', String(from), '--seeds', count, '--machines', '40']
    const command = [process.execPath, campaign, ...fleet]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
    const [output, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect([await child.exited, errors]).toEqual([0, ''])
    expect(output).toContain(` ${count}  seeds\n`)
  },
)

test('a seed does the same each time, to the last byte of its trace', async () => {
  const [one, other, another] = [await runSeed(7), await runSeed(7), await runSeed(8)]
  expect(other.report.trace).toEqual(one.report.trace)
  expect(another.digest).not.toBe(one.digest)
})

// In these seeds nothing is due for ten minutes when the faults end, or nobody who has a token asks.
test.each([
  { seed: 479, nodes: undefined },
  { seed: 1462, nodes: 1 },
  { seed: 6381, nodes: 1 },
])('seed $seed with six machines keeps every invariant', async ({ seed, nodes }) => {
  expect((await runSeed(seed, { machines: 6, nodes })).violation).toBeUndefined()
})
