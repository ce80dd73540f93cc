/** The commands of a test run: on which runtime each runs, and beside which others. */
import { spawn, spawnSync } from 'node:child_process'
import process from 'node:process'
import { root } from '../test/bed/repository.ts'
import { runName } from './test-reporter.ts'

export interface Command {
  readonly words: readonly [program: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
}

/** The service, the client and the binary from outside run on Node. */
export const onNode = (...args: readonly string[]): Command => ({
  words: ['vitest', 'run', ...args],
})

/** The connector's own parts, and what runs its code, run on Bun. */
export const onBun = (...args: readonly string[]): Command => ({
  words: [
    ...(['bun', '--bun', 'vitest', 'run', '--config', 'connector/vitest.config.ts'] as const),
    ...args,
  ],
})

export const withSettings = (
  { words, env }: Command,
  settings: Readonly<Record<string, string>>,
): Command => ({ words, env: { ...env, ...settings } })

/** Root may, but not in every container. */
export const mayMakeNamespaces = (): boolean =>
  spawnSync('unshare', ['--mount', '--net', 'true'], { stdio: 'ignore' }).status === 0

/**
 * Gives a command a network and a `/run` of its own, so that its card service does not meet another one's
 * (unshare(1); needs root). Only the loopback interface is up.
 */
export const inNamespaces = ({ words, env }: Command): Command => {
  const script = 'mount -t tmpfs tmpfs /run && ip link set lo up && exec "$@"'
  return {
    words: ['unshare', '--mount', '--net', 'sh', '-c', script, 'sh', ...words],
    ...(env && { env }),
  }
}

/** Of what has to find the processors as on a quiet machine (nice(1)). Even one of them outweighs a dozen others. */
const firstNiceness = '-20'

/** Root may, but not in every container. */
export const mayRaisePriority = (): boolean =>
  spawnSync('nice', ['-n', firstNiceness, 'nice'], { encoding: 'utf8' }).stdout.trim() ===
  firstNiceness

/** Lets the processors do this command before others. Needs root. */
export const withPriority = (
  { words, env }: Command,
  niceness: '-20' | '-10' = firstNiceness,
): Command => ({
  words: ['nice', '-n', niceness, ...words],
  ...(env && { env }),
})

/** Runs the lanes at the same time, the commands of a lane one after the other. Resolves with the commands that failed. */
export async function runInLanes(
  lanes: readonly (readonly Command[])[],
  settings: Readonly<Record<string, string>>,
): Promise<readonly Command[]> {
  const runLane = async (lane: readonly Command[]) => {
    const failed: Command[] = []
    for (const command of lane) {
      const status = await runCommand(command, settings)
      if (status !== 0) failed.push(command)
    }
    return failed
  }
  return (await Promise.all(lanes.map(runLane))).flat()
}

/** By this name the reports of a command are found. */
export const nameCommand = ({ words }: Command): string => words.join(' ')

const runCommand = (command: Command, settings: Readonly<Record<string, string>>) =>
  new Promise<number | null>((resolve, reject) => {
    const [program, ...args] = command.words
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...settings, ...command.env, [runName]: nameCommand(command) },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.once('error', reject)
    child.once('close', resolve)
  })
