/** The consent of a person at the connector for Windows, under Wine. */
import { setTimeout } from 'node:timers/promises'
import type { Session } from '../desktop/session.ts'
import type { RunningConnector } from './windows-connector.ts'

/** The code word of the page is on the clipboard of the desktop, which Wine takes over a moment later. */
export async function giveConsent(
  session: Session,
  connector: RunningConnector,
  origin: string,
): Promise<void> {
  const codeWord = `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`
  session.start(['xclip', '-quiet', '-selection', 'clipboard', '-t', 'UTF8_STRING'], codeWord)
  // A code word that was not on the clipboard stays refused for ten seconds, and a sixth in a minute is refused.
  for (let tries = 5; tries > 0; tries -= 1) {
    const answer = await connector.asPage(origin, '/v3/consent', { codeWord })
    if (JSON.stringify(answer).includes('"APPROVED"')) return
    await setTimeout(11_000)
  }
  throw new Error(`no consent for ${origin}`)
}
