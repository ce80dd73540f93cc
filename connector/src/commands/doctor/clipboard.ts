/** Checks the clipboard, where a page puts its code word. */
import { openDesktop } from '../../system/desktop/open-desktop.ts'
import { getSelfCommand } from '../command-context.ts'
import type { Finding } from './finding.ts'

export async function checkClipboard(): Promise<readonly Finding[]> {
  const { platform, env: environment } = process
  const desktop = openDesktop({ platform, environment, helper: getSelfCommand('desktop') })
  const inSession =
    platform !== 'linux' || Boolean(environment['WAYLAND_DISPLAY'] || environment['DISPLAY'])
  return [toClipboardFinding(await desktop.clipboard.findObstacle(), inSession)]
}

/** `unavailable`: why it cannot be read, a sentence; without a session that is only a note. */
export function toClipboardFinding(unavailable: string | undefined, inSession: boolean): Finding {
  if (unavailable === undefined)
    return { level: 'good', code: 'clipboard-good', what: 'the clipboard can be read' }
  const [reason = '', ...advice] = unavailable.split('; ')
  const what = reason.replace(/^Cannot read the clipboard/, 'the clipboard cannot be read')
  const level = inSession ? 'bad' : 'note'
  const remedy = advice.join('; ')
  return { level, code: 'clipboard-unreadable', what, ...(remedy === '' ? {} : { remedy }) }
}
