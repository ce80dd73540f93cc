/** Starts the connector of this user: as its package does where there is one, and as a program of its own elsewhere. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getConnectorVersion } from '@cardwire/protocol/connector-system'
import type { Folders } from '../../system/folders.ts'
import { createRunner, type Run } from '../../system/run-command.ts'
import { agentUnit, isAgentMasked } from '../agent-unit.ts'
import { getSelfCommand } from '../command-context.ts'
import { callOwnApi, isLocked } from '../own-api.ts'

/** How long it may take until it answers, a request to it, and how often it is asked, in milliseconds. */
const timeouts = { startMs: 15_000, answerMs: 2000, retryMs: 100 }

export interface LaunchOptions {
  readonly platform: string
  /** The program of this process. */
  readonly program: string
  readonly uid: number | undefined
  readonly run: Run
  readonly exists: (path: string) => boolean
  /** Starts a program that outlives this process. */
  readonly launch: (command: readonly string[]) => void
  /** The command line of `cardwire run`, with the flags of this process. */
  readonly command: readonly string[]
  /** Whether flags or the environment have settings, which what the package starts would not get. */
  readonly hasOwnSettings: boolean
}

/** Resolves when it has been asked for; whether it runs is another question. false: it must not be started. */
export async function launchConnector(options: LaunchOptions): Promise<boolean> {
  const { platform, program, uid, run, exists, launch, command, hasOwnSettings } = options
  if (!hasOwnSettings) {
    if (platform === 'linux') {
      const { status } = await run('systemctl', ['--user', 'start', agentUnit])
      if (status === 0) return true
      if (await isAgentMasked(run, platform)) return false
    }
    if (platform === 'darwin') {
      const { status } = await run('launchctl', ['kickstart', `gui/${uid}/cardwire.connector`])
      if (status === 0) return true
    }
    // It has no console, and starts the connector again after a crash.
    const service = join(dirname(program), 'cardwire-service.exe')
    if (platform === 'win32' && exists(service)) {
      launch([service, 'agent'])
      return true
    }
  }
  launch(command)
  return true
}

/** Starts it where it does not run; resolves when it answers, or has not in time. */
export async function startConnector(
  folders: Folders,
  flags: readonly string[],
  hasOwnSettings: boolean,
): Promise<void> {
  if (!isLocked(folders.runtime)) {
    const isLaunched = await launchConnector({
      platform: process.platform,
      program: process.execPath,
      uid: process.getuid?.(),
      run: createRunner(),
      exists: existsSync,
      launch: launchProgram,
      command: [...getSelfCommand('run'), ...flags],
      hasOwnSettings,
    })
    if (!isLaunched) return
  }
  const giveUp = performance.now() + timeouts.startMs
  while (performance.now() < giveUp) {
    const answers = await callOwnApi(folders, getConnectorVersion, timeouts.answerMs).then(
      () => true,
      () => false,
    )
    if (answers) return
    await Bun.sleep(timeouts.retryMs)
  }
}

function launchProgram([program = '', ...args]: readonly string[]): void {
  const options = { stdio: 'ignore', detached: true, windowsHide: true } as const
  // What is wrong with it the findings say.
  spawn(program, args, options)
    .on('error', () => undefined)
    .unref()
}
