/** `rollout`: starts, pauses, resumes, halts and finishes rollouts of a running service, and stops all of them. */
import process from 'node:process'
import {
  changeRollout,
  getHaltReach,
  getRolloutReach,
  haltRollouts,
  listRollouts,
  type Rollout,
  type RolloutChange,
} from '@cardwire/protocol'
import { confirm, isCancel } from '@clack/prompts'
import type { Command } from 'commander'
import { StartError } from '../self-hosted/start-error.ts'
import { createNumberOption } from './number-option.ts'
import {
  type CallRemote,
  openRemoteService,
  type RemoteOptions,
  remoteOptions,
} from './remote-service.ts'

interface ChangeOptions extends RemoteOptions {
  /** Devices that the change may affect, where there is no terminal to ask at. */
  readonly maxReach?: number
}

interface Act {
  readonly name: string
  readonly to: RolloutChange
  readonly description: string
  readonly done: string
}

const acts: readonly Act[] = [
  {
    name: 'start',
    to: 'running',
    description: 'offer the version to the devices of the first stage',
    done: 'Started',
  },
  { name: 'pause', to: 'paused', description: 'keep the current stage', done: 'Paused' },
  {
    name: 'resume',
    to: 'running',
    description: 'continue a rollout that was paused or halted',
    done: 'Resumed',
  },
  { name: 'halt', to: 'halted', description: 'stop offering the version', done: 'Halted' },
  {
    name: 'finish',
    to: 'finished',
    description: 'offer the version to all devices at once',
    done: 'Finished',
  },
]

const numbers = new Intl.NumberFormat('en-US')
const countDevices = (count: number) =>
  count === 1 ? '1 device' : `${numbers.format(count)} devices`

const maxDevices = 999_999_999
const createReachOption = () =>
  createNumberOption(
    '--max-reach <count>',
    'the most devices that the change may affect; without it, you are asked',
    maxDevices,
  )

export function addRolloutCommand(program: Command, print: (line: string) => void): void {
  const command = program
    .command('rollout')
    .description('list and change the rollouts of a running service')

  const list = command.command('list').description('list the rollouts, newest first')
  for (const option of remoteOptions) list.addOption(option)
  list.action(async (options: RemoteOptions) => {
    for (const rollout of await readRollouts(await openRemoteService(options)))
      print([rollout.version, rollout.state, describeShare(rollout), rollout.id].join('\t'))
  })

  for (const act of acts) {
    const own = command.command(`${act.name} <version>`).description(act.description)
    for (const option of remoteOptions) own.addOption(option)
    if (act.to === 'running' || act.to === 'finished') own.addOption(createReachOption())
    own.action((version: string, options: ChangeOptions) => change(act, version, options, print))
  }

  const stop = command
    .command('stop')
    .description('emergency stop: halt all rollouts, and block a version')
    .option('--block <version>', 'the version to block')
    .addOption(createReachOption())
  for (const option of remoteOptions) stop.addOption(option)
  stop.action((options: ChangeOptions & { readonly block?: string }) => stopAll(options, print))
}

const readRollouts = async (call: CallRemote): Promise<readonly Rollout[]> =>
  (await call('list the rollouts', listRollouts, { query: { size: '100' } })).items

const describeShare = ({ state, stages, stage }: Rollout): string => {
  const current = stages[stage]
  if (state === 'finished') return '100%'
  if (state === 'draft' || state === 'halted' || !current) return '0%'
  return current.group === undefined ? `${current.share}%` : `${current.share}% of a group`
}

async function change(
  { name, to, done }: Act,
  version: string,
  options: ChangeOptions,
  print: (line: string) => void,
): Promise<void> {
  const call = await openRemoteService(options)
  const act = `${name} the rollout of ${version}`
  const rollout = (await readRollouts(call)).find(
    (one) => one.version === version && one.state !== 'finished',
  )
  if (!rollout) throw new StartError(`Cannot ${act}: it has no unfinished rollout`)
  const { id, revision } = rollout
  const params = { id }
  const { reach, first } = await call(act, getRolloutReach, { params, query: { state: to } })
  if (reach > 0) {
    print(`${countDevices(reach)} will be offered ${version}.`)
    if (to === 'running') print(`The current stage reaches about ${countDevices(first)}.`)
  }
  const maxReach = await requireConfirmed(act, reach, options)
  const query = { maxReach: String(maxReach) }
  await call(act, changeRollout, { params, query, body: { state: to } }, revision)
  print(`${done} the rollout of ${version}.`)
}

async function stopAll(
  options: ChangeOptions & { readonly block?: string },
  print: (line: string) => void,
): Promise<void> {
  const { block: version } = options
  const call = await openRemoteService(options)
  const act = version === undefined ? 'halt the rollouts' : `halt the rollouts and block ${version}`
  const found = await call(act, getHaltReach, { query: { version } })
  for (const one of found.rollouts) print(`The rollout of ${one.version} will be halted.`)
  const reach = found.block?.reach ?? 0
  if (version !== undefined) print(`Blocking ${version} affects ${countDevices(reach)}.`)
  const maxReach = await requireConfirmed(act, reach, options)
  const query = { maxReach: String(maxReach) }
  const { halted } = await call(act, haltRollouts, {
    query,
    body: version === undefined ? {} : { version },
  })
  print(halted.length === 1 ? 'Halted 1 rollout.' : `Halted ${halted.length} rollouts.`)
  if (version !== undefined) print(`Blocked ${version}.`)
}

/** Resolves with the number that was confirmed: at the terminal, or before. */
async function requireConfirmed(
  act: string,
  reach: number,
  { maxReach }: ChangeOptions,
): Promise<number> {
  if (maxReach !== undefined) return maxReach
  if (reach === 0) return 0
  if (!process.stdin.isTTY)
    throw new StartError(
      `Nothing was changed. To ${act}, run the command again with --max-reach ${reach}`,
    )
  const answer = await confirm({ message: `Do you want to ${act}?`, initialValue: false })
  if (isCancel(answer) || !answer) throw new StartError('Nothing was changed')
  return reach
}
