/** The doctor on the clipboard, where a page leaves its code word. */
import { openDesktop } from '../../desktop/open-desktop.ts'
import { selfCommand } from '../machine.ts'
import type { Finding } from './finding.ts'

export async function clipboard(): Promise<readonly Finding[]> {
  const { platform, env: environment } = process
  const desktop = openDesktop({ platform, environment, helper: selfCommand('desktop') })
  const inSession =
    platform !== 'linux' || Boolean(environment['WAYLAND_DISPLAY'] || environment['DISPLAY'])
  return [clipboardFinding(await desktop.clipboard.available(), inSession)]
}

/** `unavailable`: why it cannot be read, a sentence; without a session nobody expects that it can. */
export function clipboardFinding(unavailable: string | undefined, inSession: boolean): Finding {
  if (unavailable === undefined) return { level: 'good', what: 'the clipboard can be read' }
  const [reason = '', ...advice] = unavailable.split('; ')
  const what = reason.replace(/^Cannot read the clipboard/, 'the clipboard cannot be read')
  const todo = advice.join('; ')
  return { level: inSession ? 'bad' : 'note', what, ...(todo === '' ? {} : { todo }) }
}
