/** Shows a message with a link on any desktop: opens http and https addresses alone, and keeps the timeout. */
import { toPrintableLine, toPrintableText } from '@cardwire/protocol/printable'
import { type Dialog, type DialogResult, limits, type OpenLink } from './desktop.ts'
import { wrapText } from './wrap-text.ts'

/** What a desktop shows. Without `button` it can only be closed. */
export interface Prompt {
  readonly title: string
  readonly text: string
  readonly close: string
  readonly button?: { readonly label: string; readonly url: string }
}

/** Shows a prompt until a button is pressed; `closed` when the signal ended it. Never throws. */
export type ShowPrompt = (
  question: Prompt,
  signal: AbortSignal,
) => Promise<'pressed' | Exclude<DialogResult, 'link'>>

/** Opens a validated address in a browser; true when it was accepted, or when the signal came first. */
export type OpenUrl = (url: string, signal: AbortSignal) => Promise<boolean>

export function createDialog(prompt: ShowPrompt, open: OpenUrl): Dialog {
  return {
    async show({ title, text, close, link }, timeoutMs) {
      const time = AbortSignal.timeout(timeoutMs)
      const url = toWebUrl(link?.url)
      const button =
        link && url !== undefined ? { button: { label: toPrintableLine(link.label), url } } : {}
      const question = {
        title: toPrintableLine(title),
        text: wrapText(toPrintableText(text)),
        close: toPrintableLine(close),
        ...button,
      }
      const answer = await prompt(question, time)
      if (answer !== 'pressed' || url === undefined) return answer === 'pressed' ? 'closed' : answer
      const enough = AbortSignal.any([time, AbortSignal.timeout(limits.openMs)])
      return (await open(url, enough)) ? 'link' : 'unavailable'
    },
  }
}

export const createOpenLink =
  (open: OpenUrl): OpenLink =>
  async (link) => {
    const url = toWebUrl(link)
    return url !== undefined && open(url, AbortSignal.timeout(limits.openMs))
  }

/** The address as browsers write it; undefined when it is neither http nor https. */
function toWebUrl(link: string | undefined): string | undefined {
  const url = link === undefined ? null : URL.parse(link)
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}
