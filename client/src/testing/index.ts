/** A connector for the tests of integrators: scripted by the test, below the real client, in the same process. */
import type { initialize } from '../index.ts'
import { initializeWith } from '../initialize.ts'
import type { Reader } from '../protocol/reader.ts'
import {
  createFailureScript,
  type FailureOptions,
  type ScriptedProblem,
  type ScriptedReason,
} from './failures.ts'
import type { TestFolder } from './file-store.ts'
import { createMachine, type TestCard, type TestReader } from './machine.ts'
import { createOperations } from './operations.ts'
import type { TestRequest } from './responder.ts'
import { createSimulatedPorts } from './simulated-ports.ts'
import { createUser } from './user.ts'

export { CardwireError } from '../error.ts'
export type { FailureOptions, ScriptedProblem, ScriptedReason } from './failures.ts'
export type { TestFolder } from './file-store.ts'
export type { TestAuthority, TestCard, TestIdentity, TestKey, TestReader } from './machine.ts'
export type { TestRequest } from './responder.ts'
export { createTestToken } from './test-token.ts'

/** The machine at the beginning of a test. */
export interface TestConnectorOptions {
  /** The readers at the beginning; default: none. */
  readonly readers?: readonly TestReader[]
  /** Whether the user let the page in on an earlier visit; default: true. */
  readonly consent?: boolean
  /** Whether a page needs a token, as `createTestToken` makes them; default: false. */
  readonly requiresToken?: boolean
  /** The folders that the user chooses for pages, by entity and type joined by `/`; for others the user chooses none. */
  readonly folders?: Readonly<Record<string, TestFolder>>
  /** The origin of the page, to which a user authenticates; default: `https://page.test`. */
  readonly origin?: string
}

/** The connector of a simulated machine, and what its user does. */
export interface TestConnector {
  /** The `initialize` of the library itself, which finds this connector and no other. */
  readonly initialize: typeof initialize
  /** Every request that the connector has received, the oldest first. */
  readonly requests: readonly TestRequest[]
  /** The readers as they are now; none while the card service is down. */
  readers(): readonly Reader[]

  /** Plugs a reader in. */
  addReader(reader?: TestReader): Reader
  /** Unplugs the reader with this id. */
  removeReader(id: string): void
  /** Puts a card into the reader with this id, in place of the one that is in it. */
  insertCard(readerId: string, card: TestCard): Reader
  /** Takes the card out of the reader with this id. */
  removeCard(readerId: string): Reader

  /** The service for smart cards of the machine ends; `reason` is the sentence for the user. */
  stopCardService(reason?: string): void
  /** The card service is back. */
  startCardService(): void

  /** The user lets the page in, as with a code word. */
  giveConsent(): void
  /** The consent ends, also for a client that is in use. */
  revokeConsent(): void
  /** The text on the user's clipboard; null: it is empty. Without a call, every code word is found on it. */
  setClipboard(text: string | null): void

  /** The connector ends: its streams break off, and no request is answered until `start`. */
  stop(): void
  /** The connector runs again. */
  start(): void

  /** Lets requests fail, from the next one on. */
  fail(failure: ScriptedReason | ScriptedProblem, options?: FailureOptions): void
  /** Ends every scripted failure. */
  recover(): void
}

/** Creates a connector with readers, cards and a user, none of them real. */
export function createTestConnector(options: TestConnectorOptions = {}): TestConnector {
  const machine = createMachine()
  for (const reader of options.readers ?? []) machine.addReader(reader)
  const {
    consent = true,
    requiresToken = false,
    origin = 'https://page.test',
    folders = {},
  } = options
  const user = createUser({ consent, requiresToken })
  const script = createFailureScript()
  const requests: TestRequest[] = []
  let running = new AbortController()
  const ports = createSimulatedPorts({
    operations: createOperations(machine, user, { origin, folders }),
    user,
    script,
    onRequest: (request) => requests.push(request),
    stopSignal: () => running.signal,
  })

  return {
    initialize: (configuration = {}, initializeOptions = {}) =>
      initializeWith(ports, configuration, initializeOptions),
    requests,
    readers: machine.readers,
    addReader: (reader = {}) => machine.addReader(reader),
    removeReader: machine.removeReader,
    insertCard: machine.setCard,
    removeCard: (readerId) => machine.setCard(readerId, undefined),
    stopCardService: (reason = 'The card service of this machine is not running') =>
      machine.setCardService(reason),
    startCardService: () => machine.setCardService(undefined),
    giveConsent: user.giveConsent,
    revokeConsent: user.revokeConsent,
    setClipboard: user.setClipboard,
    stop: () => running.abort(),
    start() {
      running = new AbortController()
    },
    fail: (failure, failureOptions = {}) => script.add(failure, failureOptions),
    recover: script.clear,
  }
}
