/** `cardwire stop`: ends the running connector of this user, and waits until it has ended. */
import { stopConnector } from '@cardwire/protocol/connector-system'
import type { Folders } from '../system/folders.ts'
import type { CommandContext } from './command-context.ts'
import { printDocument, printFailure, wantsJson } from './json-output.ts'
import { ApiUnavailable, callOwnApi, isLocked } from './own-api.ts'
import { green, hasColours, print } from './terminal.ts'

/** How long the connector may take to answer, to be reached while it starts, and to end, in milliseconds. */
const timeouts = { answerMs: 5000, reachMs: 10_000, endMs: 15_000 }
const retryMs = 50

/** Exit status 1 when it still runs. */
export async function stopOwnConnector({ folders }: CommandContext): Promise<void> {
  const end = await endOwnConnector(folders)
  if (end.kind === 'running') return printFailure(end.reason, 1, end.remedy)
  if (wantsJson()) printDocument('stop', { stopped: end.kind === 'ended' })
  else if (end.kind === 'ended') print(`${green('✓', hasColours(process.stdout))} stopped`)
  else print('The connector is not running, so there was nothing to stop.')
}

type End =
  | { readonly kind: 'absent' | 'ended' }
  | { readonly kind: 'running'; readonly reason: string; readonly remedy: string | undefined }

/** The lock of its folder says whether it runs, and only its own account can open that. */
export async function endOwnConnector(folders: Folders): Promise<End> {
  if (!isLocked(folders.runtime)) return { kind: 'absent' }
  const failure = await requestStop(folders)
  if (failure) return { kind: 'running', reason: failure.message, remedy: failure.remedy }
  if (await waitForEnd(folders, timeouts.endMs)) return { kind: 'ended' }
  const reason = `The connector did not stop within ${timeouts.endMs / 1000} s`
  return { kind: 'running', reason, remedy: 'end the process "cardwire run"' }
}

/** Resolves with why it could not be asked; one that starts is asked as soon as it answers. */
async function requestStop(folders: Folders): Promise<ApiUnavailable | undefined> {
  const giveUp = performance.now() + timeouts.reachMs
  for (;;) {
    try {
      await callOwnApi(folders, stopConnector, timeouts.answerMs)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiUnavailable)) throw error
      // It may have ended before its response was read.
      if (await waitForEnd(folders, retryMs)) return undefined
      if (error.isRunning || performance.now() > giveUp) return error
    }
  }
}

/** Whether it ends in this time, in milliseconds. */
async function waitForEnd({ runtime }: Folders, ms: number): Promise<boolean> {
  const giveUp = performance.now() + ms
  while (isLocked(runtime)) {
    if (performance.now() > giveUp) return false
    await Bun.sleep(retryMs)
  }
  return true
}
