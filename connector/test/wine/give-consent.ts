/** The consent of a user at the connector for Windows, under Wine. */
import { setTimeout } from 'node:timers/promises'
import type { Session } from '../desktop/session.ts'
import type { RunningConnector } from './windows-connector.ts'

/** The settings of a connector that answers each of these requests: on a busy machine Wine hands the clipboard on late. */
export const consentSettings = { CARDWIRE_CONSENT_REQUESTS: '100' }

/** Milliseconds after which a code word that was refused is looked for again (docs/conformance.md). */
const refusalMs = 1000

/** The code word of the page is on the clipboard of the desktop, which Wine takes over a moment later. */
export async function giveConsent(
  session: Session,
  connector: RunningConnector,
  origin: string,
): Promise<void> {
  const codeWord = `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`
  session.start(['xclip', '-quiet', '-selection', 'clipboard', '-t', 'UTF8_STRING'], codeWord)
  for (let tries = 60; tries > 0; tries -= 1) {
    const answer = await connector.asPage(origin, '/v3/consent', { codeWord })
    if (JSON.stringify(answer).includes('"APPROVED"')) return
    await setTimeout(refusalMs + 100)
  }
  throw new Error(`no consent for ${origin}`)
}
