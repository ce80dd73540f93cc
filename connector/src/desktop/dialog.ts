/** A message with a link, whatever shows it: only addresses of the web are opened, and the time is kept. */
import { type Dialog, limits, type OpenLink, type Response } from './desktop.ts'

/** What a desktop is asked to show. Without `button` there is nothing to do but to close it. */
export interface Question {
  readonly title: string
  readonly text: string
  readonly button?: { readonly label: string; readonly url: string }
}

/** Shows a question until it is answered; `closed` when the signal took it away. Never throws. */
export type Ask = (
  question: Question,
  signal: AbortSignal,
) => Promise<'pressed' | Exclude<Response, 'link'>>

/** Hands an address that was checked to a browser; true when it took it or is still at it at the signal. */
export type Open = (url: string, signal: AbortSignal) => Promise<boolean>

export function createDialog(ask: Ask, open: Open): Dialog {
  return {
    async show({ title, text, link }, timeoutMs) {
      const time = AbortSignal.timeout(timeoutMs)
      const url = webAddress(link?.url)
      const button = link && url !== undefined ? { button: { label: link.label, url } } : {}
      const answer = await ask({ title, text, ...button }, time)
      if (answer !== 'pressed' || url === undefined) return answer === 'pressed' ? 'closed' : answer
      const enough = AbortSignal.any([time, AbortSignal.timeout(limits.openMs)])
      return (await open(url, enough)) ? 'link' : 'unavailable'
    },
  }
}

export const createOpenLink =
  (open: Open): OpenLink =>
  async (link) => {
    const url = webAddress(link)
    return url !== undefined && open(url, AbortSignal.timeout(limits.openMs))
  }

/** The address as browsers write it; undefined when it is none of http or https. */
function webAddress(link: string | undefined): string | undefined {
  const url = link === undefined ? null : URL.parse(link)
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}
