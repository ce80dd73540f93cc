/** The client object: calls the core service at one address, over a session. */

import type { Call } from './call-operation.ts'
import { createCard } from './card.ts'
import { toAddress } from './configuration.ts'
import type { ConsentFlow } from './consent.ts'
import { createConsentError, requestConsent } from './consent.ts'
import type {
  BrowserInformation,
  CallOptions,
  Card,
  CardwireClient,
  ConsentOptions,
  DeviceCertificate,
  ReaderChange,
  ReaderEventOptions,
  RunCall,
  WaitOptions,
} from './core-service.ts'
import * as endpoints from './endpoints.ts'
import { type CardwireError, toCardwireError, toInitializationError } from './error.ts'
import type { Info } from './info.ts'
import type { Module } from './module.ts'
import { isConsentRequired } from './problem-error.ts'
import type { Reader } from './reader.ts'
import { watchReaders } from './reader-events.ts'
import type { RequestTarget } from './request.ts'
import type { Session } from './session.ts'
import { requireToken } from './token.ts'

/** Milliseconds a call may take, beside what it waits for. */
const timeoutMs = 15_000
/** Seconds that a detection waits without `timeoutS`. */
const defaultWaitS = 30

/** The client of a registry, or of a connector at the registry's own address. */
export const createClient = (
  session: Session,
  flow: ConsentFlow,
  kind: 'registry' | 'connector',
): CardwireClient => new Client(session, flow, toAddress(flow.registry), kind === 'connector')

/** The client of the connector at this port, once it has responded to /info. */
export async function connectToPort(
  session: Session,
  flow: ConsentFlow,
  port: string,
  options: CallOptions,
): Promise<CardwireClient> {
  const client = new Client(session, flow, toAddress({ ...flow.registry, port }), true)
  const { t1CInfoAPI } = await client.info(options)
  // Without consent or a valid token it answers as a registry does; a call that needs both shows which of them is missing.
  if (t1CInfoAPI.service.deviceType !== 'API') await client.version(options)
  return client
}

class Client implements CardwireClient {
  readonly url: string
  readonly #session: Session
  readonly #flow: ConsentFlow
  /** Whether responses are signed: a connector's are, a registry's are not. */
  readonly #signed: boolean

  constructor(session: Session, flow: ConsentFlow, address: string, signed: boolean) {
    this.url = address
    this.#session = session
    this.#flow = flow
    this.#signed = signed
  }

  info(options?: CallOptions): Promise<Info> {
    return this.#call(endpoints.getInfo, {}, options)
  }

  async version(options?: CallOptions): Promise<string> {
    return (await this.#call(endpoints.getVersion, {}, options)).version
  }

  readers(options?: CallOptions): Promise<Reader[]> {
    return this.#call(endpoints.listReaders, { query: {} }, options)
  }

  readersCardAvailable(options?: CallOptions): Promise<Reader[]> {
    return this.#call(endpoints.listReaders, { query: { cardInserted: 'true' } }, options)
  }

  readersCardsUnavailable(options?: CallOptions): Promise<Reader[]> {
    return this.#call(endpoints.listReaders, { query: { cardInserted: 'false' } }, options)
  }

  readersExcludedByName(
    names: string | readonly string[],
    options?: CallOptions,
  ): Promise<Reader[]> {
    const excluded = typeof names === 'string' ? names : names.join(',')
    return this.#call(endpoints.listReaders, { query: { cardInserted: 'true', excluded } }, options)
  }

  reader(id: string, options?: CallOptions): Promise<Reader> {
    return this.#call(endpoints.getReader, { params: { id } }, options)
  }

  detectCard(id: string, options: WaitOptions = {}): Promise<Reader | null> {
    const query = { timeout: options.timeoutS }
    return this.#call(endpoints.detectCard, { params: { id }, query }, options, getWaitMs(options))
  }

  detectAnyCard(options: WaitOptions = {}): Promise<Reader | null> {
    const query = { timeout: options.timeoutS }
    return this.#call(endpoints.detectAnyCard, { query }, options, getWaitMs(options))
  }

  detectReaders(options: WaitOptions = {}): Promise<Reader[] | null> {
    const query = { timeout: options.timeoutS }
    return this.#call(endpoints.detectReaders, { query }, options, getWaitMs(options))
  }

  async *readerEvents(options: ReaderEventOptions = {}): AsyncGenerator<ReaderChange, void, void> {
    try {
      yield* watchReaders(this.#session, this.#toTarget(options), options.onStale)
    } catch (error) {
      throw this.#toPageError(error)
    }
  }

  card(reader: Reader): Card {
    return createCard(reader, this.#call)
  }

  modules({ atr, ...options }: CallOptions & { atr?: string | undefined } = {}): Promise<Module[]> {
    return this.#call(endpoints.listModules, { query: { atr } }, options)
  }

  module(id: string, options?: CallOptions): Promise<Module> {
    return this.#call(endpoints.getModule, { params: { id } }, options)
  }

  deviceCertificate(options?: CallOptions): Promise<DeviceCertificate> {
    return this.#call(endpoints.getDeviceCertificate, {}, options)
  }

  browser(options?: CallOptions): Promise<BrowserInformation> {
    return this.#call(endpoints.getBrowser, {}, options)
  }

  getConsent(codeWord: string, options: ConsentOptions = {}): Promise<CardwireClient> {
    return this.#connectByConsent(options, () =>
      requestConsent(this, this.#flow, codeWord, options),
    )
  }

  validateConsent(options: CallOptions = {}): Promise<CardwireClient> {
    return this.#connectByConsent(options, () => this.#flow.validate(options))
  }

  updateJWT(
    jwt: string,
    callback?: (error: unknown, client?: CardwireClient) => void,
  ): Promise<CardwireClient> {
    const updated = this.#update(jwt)
    // A page that passes a callback need not handle the promise.
    if (callback) updated.then((client) => callback(undefined, client), callback)
    return updated
  }

  async #update(jwt: string): Promise<CardwireClient> {
    this.#session.token.replace(
      requireToken(jwt, { code: '121', reason: 'token-missing' }, 'updateJWT'),
    )
    return this
  }

  /** The client of the connector whose port `findPort` gets from a consent; without a port, consent is required. */
  async #connectByConsent(
    options: CallOptions,
    findPort: () => Promise<string | undefined>,
  ): Promise<CardwireClient> {
    try {
      const port = await findPort()
      if (port !== undefined) return await connectToPort(this.#session, this.#flow, port, options)
    } catch (error) {
      throw toInitializationError(this.#toPageError(error))
    }
    throw createConsentError(this, this.#flow)
  }

  readonly #call: Call = (operation, parts, options, waitMs) =>
    this.call(
      (session: Session, target: RequestTarget) => session.call(operation, parts, target),
      options,
      waitMs,
    )

  async call<T>(run: RunCall<T>, options: CallOptions = {}, waitMs?: number): Promise<T> {
    try {
      return await run(this.#session as never, this.#toTarget(options, waitMs) as never)
    } catch (error) {
      throw this.#toPageError(error)
    }
  }

  #toTarget({ signal }: CallOptions, waitMs = 0): RequestTarget {
    return { address: this.url, timeoutMs: timeoutMs + waitMs, signal, signed: this.#signed }
  }

  #toPageError(error: unknown): CardwireError {
    return isConsentRequired(error)
      ? createConsentError(this, this.#flow, error)
      : toCardwireError(error)
  }
}

const getWaitMs = ({ timeoutS = defaultWaitS }: WaitOptions): number => timeoutS * 1000
