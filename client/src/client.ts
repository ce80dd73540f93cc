/** The client object: the core service over a session, at one address. */
import type { How } from './attempt.ts'
import { addressOf } from './configuration.ts'
import type { ConsentFlow } from './consent.ts'
import { consentRequired, givenConsent } from './consent-required.ts'
import type {
  BrowserInformation,
  CallOptions,
  CardwireClient,
  ConsentOptions,
  DeviceCertificate,
  ReaderChange,
  WaitOptions,
} from './core-service.ts'
import * as endpoints from './endpoints.ts'
import { whileInitialising } from './error.ts'
import type { Asked, Callable } from './protocol/call.ts'
import type { Info, Module, Operation, Reader } from './protocol/index.ts'
import { readerEvents } from './reader-events.ts'
import { needsConsent } from './refused.ts'
import type { DataOf, Session } from './session.ts'
import { acceptToken } from './token.ts'

/** Milliseconds a call may take, beside what it waits for. */
const timeoutMs = 15_000
/** Seconds a detection waits when nothing is said. */
const waitS = 30

/** The client of a registry, or of a connector at the registry's own address. */
export const createClient = (
  session: Session,
  flow: ConsentFlow,
  kind: 'registry' | 'connector',
): CardwireClient => new Client(session, flow, addressOf(flow.registry), kind === 'connector')

/** The client of the connector at this port, once that has said who it is. */
export async function connect(
  session: Session,
  flow: ConsentFlow,
  port: string,
  options: CallOptions,
): Promise<CardwireClient> {
  const client = new Client(session, flow, addressOf({ ...flow.registry, port }), true)
  const { t1CInfoAPI } = await client.info(options)
  // Without consent or a good token it says no more than a registry would; a call that needs both tells which is missing.
  if (t1CInfoAPI.service.deviceType !== 'API') await client.version(options)
  return client
}

class Client implements CardwireClient {
  readonly url: string
  readonly #session: Session
  readonly #flow: ConsentFlow
  /** Whether answers are signed: a registry's are not. */
  readonly #signed: boolean

  constructor(session: Session, flow: ConsentFlow, address: string, signed: boolean) {
    this.url = address
    this.#session = session
    this.#flow = flow
    this.#signed = signed
  }

  info(options?: CallOptions): Promise<Info> {
    return this.#ask(endpoints.getInfo, {}, options)
  }

  async version(options?: CallOptions): Promise<string> {
    return (await this.#ask(endpoints.getVersion, {}, options)).version
  }

  readers(options?: CallOptions): Promise<Reader[]> {
    return this.#ask(endpoints.listReaders, { query: {} }, options)
  }

  readersCardAvailable(options?: CallOptions): Promise<Reader[]> {
    return this.#ask(endpoints.listReaders, { query: { cardInserted: 'true' } }, options)
  }

  readersCardsUnavailable(options?: CallOptions): Promise<Reader[]> {
    return this.#ask(endpoints.listReaders, { query: { cardInserted: 'false' } }, options)
  }

  readersExcludedByName(
    names: string | readonly string[],
    options?: CallOptions,
  ): Promise<Reader[]> {
    const excluded = typeof names === 'string' ? names : names.join(',')
    return this.#ask(endpoints.listReaders, { query: { cardInserted: 'true', excluded } }, options)
  }

  reader(id: string, options?: CallOptions): Promise<Reader> {
    return this.#ask(endpoints.getReader, { params: { id } }, options)
  }

  detectCard(id: string, options: WaitOptions = {}): Promise<Reader | null> {
    const query = { timeout: options.timeoutS }
    return this.#ask(endpoints.detectCard, { params: { id }, query }, options, waitMs(options))
  }

  detectAnyCard(options: WaitOptions = {}): Promise<Reader | null> {
    const query = { timeout: options.timeoutS }
    return this.#ask(endpoints.detectAnyCard, { query }, options, waitMs(options))
  }

  detectReaders(options: WaitOptions = {}): Promise<Reader[] | null> {
    const query = { timeout: options.timeoutS }
    return this.#ask(endpoints.detectReaders, { query }, options, waitMs(options))
  }

  async *readerEvents(options: CallOptions = {}): AsyncGenerator<ReaderChange, void, void> {
    try {
      yield* readerEvents(this.#session, this.#how(options, 0))
    } catch (error) {
      throw this.#explain(error)
    }
  }

  modules({ atr, ...options }: CallOptions & { atr?: string | undefined } = {}): Promise<Module[]> {
    return this.#ask(endpoints.listModules, { query: { atr } }, options)
  }

  module(id: string, options?: CallOptions): Promise<Module> {
    return this.#ask(endpoints.getModule, { params: { id } }, options)
  }

  deviceCertificate(options?: CallOptions): Promise<DeviceCertificate> {
    return this.#ask(endpoints.getDeviceCertificate, {}, options)
  }

  browser(options?: CallOptions): Promise<BrowserInformation> {
    return this.#ask(endpoints.getBrowser, {}, options)
  }

  getConsent(codeWord: string, options: ConsentOptions = {}): Promise<CardwireClient> {
    return this.#enter(options, () => givenConsent(this, this.#flow, codeWord, options))
  }

  validateConsent(options: CallOptions = {}): Promise<CardwireClient> {
    return this.#enter(options, () => this.#flow.validate(options))
  }

  updateJWT(
    jwt: string,
    callback?: (error: unknown, client?: CardwireClient) => void,
  ): Promise<CardwireClient> {
    const updated = this.#update(jwt)
    // Whoever is called back has no need to look at the promise.
    if (callback) updated.then((client) => callback(undefined, client), callback)
    return updated
  }

  async #update(jwt: string): Promise<CardwireClient> {
    this.#session.token.replace(
      acceptToken(jwt, { code: '121', reason: 'token-missing' }, 'updateJWT'),
    )
    return this
  }

  /** Through a consent to the connector it names; no port is no consent. */
  async #enter(
    options: CallOptions,
    port: () => Promise<string | undefined>,
  ): Promise<CardwireClient> {
    try {
      const found = await port()
      if (found !== undefined) return await connect(this.#session, this.#flow, found, options)
    } catch (error) {
      throw whileInitialising(this.#explain(error))
    }
    throw consentRequired(this, this.#flow)
  }

  async #ask<O extends Operation, T extends DataOf<O>>(
    operation: Callable<O, T>,
    asked: Asked<O>,
    options: CallOptions = {},
    waitMs = 0,
  ): Promise<T> {
    try {
      return await this.#session.ask(operation, asked, this.#how(options, waitMs))
    } catch (error) {
      throw this.#explain(error)
    }
  }

  #how({ signal }: CallOptions, waitMs: number): How {
    return { address: this.url, timeoutMs: timeoutMs + waitMs, signal, signed: this.#signed }
  }

  #explain(error: unknown): unknown {
    return needsConsent(error) ? consentRequired(this, this.#flow, error) : error
  }
}

const waitMs = ({ timeoutS = waitS }: WaitOptions): number => timeoutS * 1000
