/** `apply`: makes a running service what a folder of files says, after it has shown what would change. */
import process from 'node:process'
import { confirm, isCancel } from '@clack/prompts'
import type { Command } from 'commander'
import { StartError } from '../../self-hosted/start-error.ts'
import { createNumberOption } from '../number-option.ts'
import { openRemoteService, type RemoteOptions, remoteOptions } from '../remote-service.ts'
import { type Change, makePlan, type Plan } from './plan.ts'
import { readFolder } from './read-folder.ts'

interface ApplyOptions extends RemoteOptions {
  readonly dryRun?: true
  readonly json?: true
  readonly maxReach?: number
}

const numbers = new Intl.NumberFormat('en-US')
const countDevices = (count: number) =>
  count === 1 ? '1 device' : `${numbers.format(count)} devices`

/** The exit code of a dry run that found differences. */
const differs = 2

export function addApplyCommand(program: Command, print: (line: string) => void): void {
  const command = program
    .command('apply <folder>')
    .description(
      'apply the groups, versions, configurations and rollouts in the files of a folder to a running service; shows what would change first',
    )
    .option(
      '--dry-run',
      `only show what would change; the exit status is ${differs} if something would`,
    )
    .option('--json', 'print the plan as JSON')
    .addOption(
      createNumberOption(
        '--max-reach <count>',
        'the most devices that one change may affect; without it, you are asked',
        999_999_999,
      ),
    )
    .addHelpText(
      'after',
      '\nThe command removes nothing, and lists what only the service has. docs/fleet-files.md describes the files.\n',
    )
  for (const option of remoteOptions) command.addOption(option)
  command.action((folder: string, options: ApplyOptions) => apply(folder, options, print))
}

async function apply(
  folder: string,
  options: ApplyOptions,
  print: (line: string) => void,
): Promise<void> {
  const found = readFolder(folder)
  const call = await openRemoteService(options)
  const plan = await makePlan(call, folder, found)
  const { changes } = plan
  if (options.json) print(JSON.stringify(toJson(plan), null, 2))
  else for (const line of describePlan(plan)) print(line)
  if (options.dryRun) {
    if (changes.length > 0) process.exitCode = differs
    return
  }
  if (changes.length === 0) return
  const reach = Math.max(...changes.map((change) => change.reach))
  await requireConfirmed(reach, options)
  for (const change of changes) {
    await change.make(call, options.maxReach ?? change.reach)
    if (!options.json) print(`${change.act === 'add' ? 'Added' : 'Changed'} ${change.what}.`)
  }
}

function describePlan({ changes, others, notes }: Plan): readonly string[] {
  return [
    ...changes.flatMap(({ act, what, fields, reach }) => [
      `${act === 'add' ? '+' : '~'} ${what}${reach === 0 ? '' : ` (affects ${countDevices(reach)})`}`,
      ...fields.map((field) => `    ${field}`),
    ]),
    ...notes,
    ...(others.length > 0 ? ['Not in the folder, and left as it is:'] : []),
    ...others.map((other) => `    ${other}`),
    ...(changes.length === 0 ? ['Nothing to change.'] : []),
  ]
}

const toJson = ({ changes, others, notes }: Plan) => ({
  changes: changes.map(({ kind, what, act, fields, reach }: Change) => ({
    ...{ kind, what, act, fields, reach },
  })),
  ...{ others, notes },
})

async function requireConfirmed(reach: number, { maxReach, json }: ApplyOptions): Promise<void> {
  if (maxReach !== undefined) {
    if (reach <= maxReach) return
    throw new StartError(
      `Nothing was changed: one change affects ${countDevices(reach)}. To confirm this number, use --max-reach ${reach}`,
    )
  }
  if (!process.stdin.isTTY || json)
    throw new StartError(
      `Nothing was changed. To make these changes, run the command again with --max-reach ${reach}`,
    )
  const answer = await confirm({ message: 'Make these changes?', initialValue: false })
  if (isCancel(answer) || !answer) throw new StartError('Nothing was changed')
}
