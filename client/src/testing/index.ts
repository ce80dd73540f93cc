/** A connector for the tests of integrators: scripted by the test, below the real client, in the same process. */
import { problems } from '@cardwire/protocol/problem'
import type { initialize } from '../index.ts'
import { initializeWith } from '../initialize.ts'
import type { Reader } from '../reader.ts'
import { createFailureScript } from './failures.ts'
import { createMachine } from './machine.ts'
import { createOperations } from './operations.ts'
import { createSimulatedPorts } from './simulated-ports.ts'
import type {
  FailureOptions,
  ScriptedKind,
  ScriptedProblem,
  TestCard,
  TestFolder,
  TestReader,
  TestRequest,
} from './test-types.ts'
import { createUser } from './user.ts'

export { CardwireError } from '../error.ts'
export { createTestPerson, type TestPerson } from './test-person.ts'
export { createTestToken } from './test-token.ts'
export type {
  FailureOptions,
  ScriptedKind,
  ScriptedProblem,
  TestAuthority,
  TestCard,
  TestFolder,
  TestIdentity,
  TestKey,
  TestReader,
  TestRequest,
} from './test-types.ts'

/** The computer at the start of a test. */
export interface TestConnectorOptions {
  /** The readers at the start; default: none. */
  readonly readers?: readonly TestReader[]
  /** Whether the user allowed the page on an earlier visit; default: true. */
  readonly consent?: boolean
  /** Whether pages need a token from `createTestToken`; default: false. */
  readonly requiresToken?: boolean
  /** The folders that the user chooses for pages, by `entity/type`. For any other, the user chooses none. */
  readonly folders?: Readonly<Record<string, TestFolder>>
  /** The origin of the page that the user signs in to; default: `https://page.test`. */
  readonly origin?: string
}

/** The connector of a simulated computer, and what its user does. */
export interface TestConnector {
  /** The library's own `initialize`, which finds only this connector. */
  readonly initialize: typeof initialize
  /** Every request that the connector has received, oldest first. */
  readonly requests: readonly TestRequest[]
  /** The current readers; none while the smart card service is down. */
  readers(): readonly Reader[]

  /** Connects a reader. */
  addReader(reader?: TestReader): Reader
  /** Disconnects the reader with this ID. */
  removeReader(id: string): void
  /** Inserts a card into the reader with this ID, and replaces the card in it. */
  insertCard(readerId: string, card: TestCard): Reader
  /** Removes the card from the reader with this ID. */
  removeCard(readerId: string): Reader

  /** Stops the computer's smart card service. `reason` is what `cardService.reason` says. */
  stopCardService(reason?: string): void
  /** Starts the smart card service again. */
  startCardService(): void

  /** The user allows the page, as with a code word. */
  giveConsent(): void
  /** Revokes the consent, even for a client that is in use. */
  revokeConsent(): void
  /** Sets the text on the user's clipboard; null empties it. If you never call this, the connector finds every code word. */
  setClipboard(text: string | null): void

  /** Stops the connector. Its streams break off, and requests get no response until `start`. */
  stop(): void
  /** Starts the connector again. */
  start(): void

  /**
   * Makes requests fail with this kind, starting with the next one. With `permission-pending` the browser's prompt stays open until the
   * page's signal aborts the call. `recover` is the user's Allow; after two seconds of real time, the user closes the prompt (`permission-needed`).
   */
  fail(failure: ScriptedKind | ScriptedProblem, options?: FailureOptions): void
  /** Ends every scripted failure. */
  recover(): void
}

/** Creates a connector with simulated readers, cards and a simulated user. */
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
  const operations = createOperations(machine, user, { origin, folders })
  const script = createFailureScript(operations.map(({ operation }) => operation))
  const requests: TestRequest[] = []
  let running = new AbortController()
  const ports = createSimulatedPorts({
    operations,
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
    stopCardService: (reason = problems['pcsc-unavailable'].title) =>
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
