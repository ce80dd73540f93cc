/** `npm run campaign -- NAME …`: runs a campaign, each on the runtime that it needs; docs/reliability.md describes them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '../bed/repository.ts'

interface Campaign {
  /** The simulation and the hours run the connector's code, on Bun; what asks the connector's binary has to be Node, as its tests. */
  readonly runtime: 'bun' | 'node'
  readonly file: string
}

const campaigns: Readonly<Record<string, Campaign>> = {
  models: { runtime: 'node', file: 'test/models/campaign.ts' },
  simulation: { runtime: 'bun', file: 'test/simulation/campaign.ts' },
  hours: { runtime: 'bun', file: 'test/campaigns/hours/main.ts' },
  rollouts: { runtime: 'node', file: 'test/campaigns/rollouts/main.ts' },
  requests: { runtime: 'node', file: 'test/campaigns/requests/main.ts' },
  kills: { runtime: 'node', file: 'test/campaigns/kills/main.ts' },
  faults: { runtime: 'node', file: 'test/campaigns/faults/main.ts' },
  mutations: { runtime: 'node', file: 'test/campaigns/mutations/main.ts' },
}

const [name = '', ...options] = process.argv.slice(2)
const campaign = campaigns[name]
if (campaign) {
  const command = [join(root, campaign.file), ...options]
  const child = spawn(campaign.runtime, command, { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  process.exitCode = status ?? 1
} else {
  process.stderr.write(
    `Cannot run the campaign "${name}": there are ${Object.keys(campaigns).join(', ')}\n`,
  )
  process.exitCode = 2
}
