/** The connection of a page as a store: finds the connector, asks for consent, follows the readers, and looks again when one of them is missing. */
import { abortable } from '@cardwire/protocol/abortable'
import { createBrowserPorts } from './browser.ts'
import { type Copied, copyCodeWord, newCodeWord } from './code-word.ts'
import { type Configuration, installerUrl } from './configuration.ts'
import { type ConnectionState, type StateOf, startingState } from './connection-state.ts'
import type { CardwireClient, ReaderChange } from './core-service.ts'
import { CardwireError, toCardwireError } from './error.ts'
import { initializeWith } from './initialize.ts'
import type { InitializeOptions } from './initialize-options.ts'
import { lookAgain } from './look-again.ts'

export { type ConnectionState, type StateOf, startingState } from './connection-state.ts'

/** What a connection needs: the fields of the configuration except `jwt`, and how to get a token. */
export interface ConnectionOptions extends Omit<Configuration, 'jwt'> {
  /** Fetches a token from your back end, at the start and whenever the last one has expired. Its time is limited to 30 seconds. */
  readonly getToken?: ((options: { readonly signal: AbortSignal }) => Promise<string>) | undefined
  /** How long a consent is valid, 1 to 365; default: 365. */
  readonly durationInDays?: number | undefined
  /** Default: the library's own; in a test, that of a connector from `@cardwire/client/testing`. */
  readonly initialize?:
    | ((configuration: Configuration, options: InitializeOptions) => Promise<CardwireClient>)
    | undefined
}

/** The connection of a page. It works while it has subscribers. */
export interface CardwireConnection {
  /** The state now; the same object until it changes. */
  getState(): ConnectionState
  /** Calls `listener` now and after each change. The first subscriber starts the connection; when the last one leaves, it ends. */
  subscribe(listener: (state: ConnectionState) => void): () => void
}

/** Milliseconds that the page's back end may take for a token. */
const tokenTimeoutMs = 30_000
/** Milliseconds that a list may be stale before the connection looks for the connector again: a restart takes less. */
const stalePauseMs = 2000

/** Creates a connection. It does nothing before it has a subscriber, so that it can be created on a server. */
export function createConnection(options: ConnectionOptions = {}): CardwireConnection {
  const { getToken, durationInDays, initialize = initializeInBrowser, ...configuration } = options
  const listeners = new Set<{ readonly call: (state: ConnectionState) => void }>()
  let state: ConnectionState = startingState
  /** Ends what runs; undefined: nothing does. */
  let running: AbortController | undefined
  let cancelLook = (): void => undefined
  let quietLooks = 0
  let jwt: string | undefined
  let tokenError: CardwireError | undefined

  const setState = (next: ConnectionState): void => {
    state = next
    for (const { call } of [...listeners]) call(next)
  }
  const stop = (): void => {
    running?.abort()
    running = undefined
    cancelLook()
  }
  const retry = (): void => start({ mayPrompt: false })

  /** `quiet`: the state stays until there is another one. */
  function start({ mayPrompt, quiet = false }: { mayPrompt: boolean; quiet?: boolean }): void {
    stop()
    running = new AbortController()
    const { signal } = running
    tokenError = undefined
    if (!quiet) {
      quietLooks = 0
      if (state !== startingState) setState(startingState)
    }
    connect(mayPrompt, signal).catch((error) => fail(error, signal))
  }

  async function connect(mayPrompt: boolean, signal: AbortSignal): Promise<void> {
    if (getToken) jwt ??= await fetchToken(signal)
    const client = await initialize(
      { ...configuration, jwt },
      {
        signal,
        mayPrompt,
        onPermissionPrompt: () => !signal.aborted && setState({ status: 'permission-pending' }),
        ...(getToken && { onTokenExpired: () => fetchToken(signal) }),
      },
    )
    await follow(client, signal)
  }

  async function fetchToken(signal: AbortSignal): Promise<string> {
    tokenError = undefined
    const limited = AbortSignal.any([signal, AbortSignal.timeout(tokenTimeoutMs)])
    try {
      jwt = await abortable(Promise.resolve(getToken?.({ signal: limited })), limited)
      return jwt ?? ''
    } catch (cause) {
      tokenError = new CardwireError(
        { code: '199', reason: 'token-unavailable' },
        'Cannot get a token: getToken of the page failed',
        { cause },
      )
      throw tokenError
    }
  }

  /** Shows the readers until they can no longer be followed. */
  async function follow(client: CardwireClient, signal: AbortSignal): Promise<void> {
    let ready: StateOf<'ready'> = {
      ...{ status: 'ready', client, readers: [], cardService: undefined, stale: false },
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (part: Partial<StateOf<'ready'>>): void => {
      ready = { ...ready, ...part }
      if (!signal.aborted) setState(ready)
    }
    const onStale = (stale: boolean): void => {
      clearTimeout(timer)
      if (signal.aborted) return
      show({ stale })
      // The connector may have gone, or be back at another port.
      if (stale) timer = setTimeout(() => start({ mayPrompt: false, quiet: true }), stalePauseMs)
    }
    signal.addEventListener('abort', () => clearTimeout(timer))
    try {
      for await (const change of client.readerEvents({ signal, onStale })) {
        quietLooks = 0
        show(toReaders(change))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  function fail(thrown: unknown, signal: AbortSignal): void {
    if (signal.aborted) return
    const error = toCardwireError(thrown)
    const shown = error.kind.startsWith('token-') ? (tokenError ?? error) : error
    // The next attempt needs another one.
    if (shown.kind.startsWith('token-')) jwt = undefined
    if (error.client) {
      askForConsent(error, error.client, signal, 0)
      return
    }
    const next = toState(shown)
    // Looking again and finding the same is no change.
    const isSame =
      'error' in state && state.status === next.status && state.error.kind === shown.kind
    if (!isSame) setState(next)
    if (next.status === 'permission-needed') return
    const attempt = next.status === 'failed' ? undefined : quietLooks
    cancelLook = lookAgain(attempt, () => {
      quietLooks += 1
      start({ mayPrompt: false, quiet: true })
    })
  }

  function toState(error: CardwireError): StateOf<StatusOfFailure> {
    const status = statuses[error.kind] ?? 'failed'
    if (status === 'permission-needed')
      return { status, error, connect: () => start({ mayPrompt: true }) }
    if (status !== 'not-running') return { status, error, retry }
    return { status, error, installerUrl: installerUrl(configuration), retry }
  }

  function askForConsent(
    error: CardwireError,
    client: CardwireClient,
    signal: AbortSignal,
    codesNotFound: number,
  ): void {
    const codeWord = newCodeWord()
    let mayCopy = true
    const isCurrent = (): boolean =>
      !signal.aborted && state.status === 'consent-required' && state.codeWord === codeWord
    const show = (copied?: Copied): void =>
      setState({
        ...{ status: 'consent-required', error, codeWord, copied, codesNotFound, copyAndAllow },
      })
    async function copyAndAllow(): Promise<Copied> {
      const copied = await copyCodeWord(codeWord)
      if (!isCurrent()) return copied
      if (copied.copied || !mayCopy) {
        setState({ status: 'consent-pending', codeWord, copied })
        void getConsent()
      } else {
        // The user copies it, and clicks again.
        mayCopy = false
        show(copied)
      }
      return copied
    }
    async function getConsent(): Promise<void> {
      try {
        await follow(await client.getConsent(codeWord, { signal, durationInDays }), signal)
      } catch (thrown) {
        const next = toCardwireError(thrown)
        const isNotFound = next.kind === 'consent-required' || next.kind === 'no-agent'
        if (signal.aborted || state.status !== 'consent-pending' || !next.client)
          return fail(next, signal)
        askForConsent(next, next.client, signal, codesNotFound + (isNotFound ? 1 : 0))
      }
    }
    show()
  }

  /** Later: a framework may leave and subscribe again at once, and on a server it subscribes only while it renders. */
  const startOrStop = (): void => {
    setTimeout(() => {
      if (listeners.size > 0) {
        if (!running) retry()
      } else if (running) {
        stop()
        state = startingState
      }
    })
  }

  return {
    getState: () => state,
    subscribe(call) {
      const listener = { call }
      listeners.add(listener)
      call(state)
      startOrStop()
      return () => {
        listeners.delete(listener)
        startOrStop()
      }
    },
  }
}

type StatusOfFailure =
  | 'permission-needed'
  | 'not-running'
  | 'not-responding'
  | 'token-unavailable'
  | 'failed'

/** Every other kind is `failed`. */
const statuses: Readonly<Partial<Record<CardwireError['kind'], StatusOfFailure>>> = {
  'permission-needed': 'permission-needed',
  'permission-pending': 'permission-needed',
  'not-running': 'not-running',
  'certificate-untrusted': 'not-running',
  'not-responding': 'not-responding',
  timeout: 'not-responding',
  'token-unavailable': 'token-unavailable',
}

const initializeInBrowser: NonNullable<ConnectionOptions['initialize']> = (
  configuration,
  options,
) => initializeWith(createBrowserPorts(), configuration, options)

const toReaders = (change: ReaderChange): Partial<StateOf<'ready'>> => ({
  readers: change.readers,
  ...(change.type === 'snapshot' && { cardService: change.cardService }),
})
