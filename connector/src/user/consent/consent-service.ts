/** The port that decides on consents: an API for its own user, or a registry through its agents. */
import type { Agent } from '@cardwire/protocol/consent'

export interface ConsentService {
  /** Grants a consent when a user has the code word on the clipboard; undefined when none has it, or several. */
  request(request: ConsentRequest): Promise<ConsentGrant | undefined>
  /** The consents of the list that hold for this page, in their order and with their current data. */
  validate(page: Requester, consents: readonly string[]): Promise<readonly ConsentGrant[]>
  /** The connectors with an active consent for this page. */
  findActiveAgents(page: Requester): Promise<readonly Agent[]>
}

/** A page, and the user of its browser. */
export interface Requester {
  readonly origin: string
  /** As the system names users; absent where it does not say. */
  readonly user?: string | undefined
  /** Where a registry is not told the user: the port of the browser's connection. */
  readonly connectionPort?: number | undefined
  /** The hash of the agent that gave a page of this browser a consent, as the browser says. It proves nothing. */
  readonly agentHash?: string | undefined
}

export interface ConsentRequest extends Requester {
  /** Secret between the page, the clipboard and the user. */
  readonly codeWord: string
  /** How long the consent is to hold, 1 to 365. */
  readonly days: number
}

/** A consent as a page keeps it (standard base64 of JSON), and the connector that granted it. */
export interface ConsentGrant {
  readonly consent: string
  readonly agent: Agent
}

/** Consents beyond these limits are ignored without an error. */
export const consentLimits = {
  maxConsents: 32,
  maxConsentBytes: 4096,
  /** Characters; a shorter code word could be guessed. */
  minCodeWordLength: 16,
  maxCodeWordBytes: 4096,
  /** Milliseconds in which a repeated request gets the consent again: clients repeat a request whose answer they missed. */
  repeatMs: 10_000,
  /** The same for a refusal, which a page may repeat with the code word on the clipboard by then. */
  repeatRefusalMs: 1000,
  maxDays: 365,
} as const

/** Requests for a consent in a minute. */
export interface RequestLimits {
  /** Of one origin, for each user. */
  readonly perUser: number
  /** Of one origin for all users together, where the system does not name them; and of all that an API compares with its clipboard. */
  readonly shared: number
}

/** Whether a text can be a code word; others are refused without reading the clipboard. */
export const isCodeWord = (text: string): boolean =>
  Buffer.byteLength(text) <= consentLimits.maxCodeWordBytes &&
  [...text].length >= consentLimits.minCodeWordLength
