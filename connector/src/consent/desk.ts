/** The port of whoever decides on consents: an API for its own person, or a registry through the APIs it knows. */
import type { Agent } from '@cardwire/client/protocol'

export interface ConsentDesk {
  /** Asks whether a person here has the code word on the clipboard. undefined: nobody, or not exactly one. */
  request(request: ConsentRequest): Promise<Granted | undefined>
  /** Fresh forms of those consents that hold for this page, in their order. */
  validate(page: AskingPage, consents: readonly string[]): Promise<readonly Granted[]>
  /** The connectors that hold a live consent for this page. */
  holders(page: AskingPage): Promise<readonly Agent[]>
}

/** A page, and in whose browser it is. */
export interface AskingPage {
  readonly origin: string
  /** Whose process asks, as the system names users; absent where it does not tell. */
  readonly user?: string | undefined
}

export interface ConsentRequest extends AskingPage {
  /** Secret between the page, the clipboard and the person. */
  readonly codeWord: string
  /** How long the consent is to hold, 1 to 365. */
  readonly days: number
}

/** A consent as a page keeps it (standard base64 of JSON), and whose it is. */
export interface Granted {
  readonly consent: string
  readonly agent: Agent
}

/** What is looked at at all; more is neither read nor an error. */
export const limits = {
  consents: 32,
  consentBytes: 4096,
  /** Characters; a shorter code word could be guessed. */
  shortestCodeWord: 16,
  codeWordBytes: 4096,
  requestsPerMinute: 5,
  /** Milliseconds in which the same request gets the same answer: clients ask again at once. */
  sameAnswerMs: 10_000,
  longestDays: 365,
} as const

/** Whether a text is worth a look at the clipboard. */
export const isCodeWord = (text: string): boolean =>
  Buffer.byteLength(text) <= limits.codeWordBytes && [...text].length >= limits.shortestCodeWord
