/** The operations of the API with a card that a test answers for: without a server, a process or a reader. */
import { type Grant, Problem } from '@cardwire/protocol'
import type { Context } from 'hono'
import type { ApiServices } from '../../src/api/api-services.ts'
import { bindCardRoutes } from '../../src/api/card-routes.ts'
import { createKeptPins } from '../../src/api/kept-pins.ts'
import { bindSigningRoutes } from '../../src/api/signing-routes.ts'
import { bindTrustStoreRoutes } from '../../src/api/trust-store-routes.ts'
import { bindValidationRoutes } from '../../src/api/validation-routes.ts'
import type { ApiEnv, Bind } from '../../src/http/route-types.ts'
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import type { KeyStore } from '../../src/sandbox/windows-keys/key-store.ts'
import type { CardOperation, CardRequest, CardResult } from '../../src/system/ipc/card-messages.ts'

export const pageOrigin = 'https://shop.example'

interface CardApiOptions {
  /** What the card answers to a command. Commands are short APDUs over T=1. */
  readonly respond?: (command: Uint8Array) => Uint8Array
  /** In place of the card: what the process of a library answers. */
  readonly runToken?: (request: CardRequest, pin: Uint8Array) => CardResult
  /** The keys that Windows keeps. */
  readonly keyStore?: KeyStore
  readonly grants?: readonly Grant[]
  readonly pin?: string
}

export interface CardApi {
  /** Resolves with the data of the reply, or with the name of the problem. */
  call(operation: { readonly name: string }, input?: CallInput): Promise<unknown>
  /** What the process of the card or library does, called directly: `signed` for signatures; `pins` were sent to the card. */
  run(operation: CardOperation, pin: string): unknown
  /** What the user was asked, by act. */
  readonly dialogs: readonly string[]
}

interface CallInput {
  readonly module: string
  readonly body?: object
  readonly query?: object
}

type Handler = (input: object, context: Context<ApiEnv>) => Promise<{ readonly data: unknown }>

export function createCardApi(options: CardApiOptions): CardApi {
  const { respond, runToken, keyStore, grants = [], pin = '123456' } = options
  const dialogs: string[] = []
  let pins = 0
  const handlers = new Map<string, Handler>()
  const bind = ((operation: { readonly name: string }, handler: Handler) =>
    void handlers.set(operation.name, handler)) as unknown as Bind

  const run = (operation: CardOperation, entered: Uint8Array): CardResult => {
    if (runToken) return runToken({ reader: 'A reader', timeoutMs: 1000, operation }, entered)
    let commands = 0
    const transmit = (apdu: Uint8Array) => {
      commands += 1
      if (!respond) throw new Error('Expected a card')
      return respond(apdu)
    }
    const isOver = () => commands > 12_000
    return runOperation(createCardSession({ protocol: 'T=1', transmit, isOver }), operation, {
      pin: entered,
      onPin: () => {
        pins += 1
      },
      findPad: () => undefined,
    })
  }
  const reader = { id: 'reader', name: 'A reader', pinpad: false, card: { atr: '3B80800101' } }
  const services = {
    readers: {
      ready: async () => undefined,
      snapshot: () => ({ readers: [reader], pcsc: { kind: 'up' } }),
      findTokens: async () => undefined,
      findLibrary: () => (runToken ? { path: '/lib' } : undefined),
      subscribe: () => () => undefined,
    },
    cardAccess: {
      run: async (_: string, operation: CardOperation, given: { pin?: { bytes?: Uint8Array } }) => {
        try {
          return run(operation, given?.pin?.bytes ?? new Uint8Array())
        } catch (error) {
          if (error instanceof CardError) throw new Problem(error.problem, error.message)
          throw error
        }
      },
      forgetPin: () => undefined,
    },
    requestPin: async ({ act }: { readonly act: string }) => {
      dialogs.push(act)
      return new Uint8Array(Buffer.from(pin))
    },
    usePad: undefined,
    pinPauses: { recordRefusal: () => undefined, forget: () => undefined },
    keyStore,
    askForKeyUse: async ({ act }: { readonly act: string }) => {
      dialogs.push(act)
      return 'accepted'
    },
    hasGrant: (_: string, grant: Grant) => grants.includes(grant),
    onGrants: () => () => undefined,
    consents: { isActive: () => true, onEnd: () => () => undefined },
    allowlist: () => [pageOrigin],
    onAllowlist: () => () => undefined,
    findPolicyEnd: () => undefined,
    clock: Date.now,
    counters: { add: () => undefined },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  } as unknown as ApiServices
  const keptPins = createKeptPins(services, { after: () => () => undefined })
  bindCardRoutes(bind, { ...services, keptPins })
  bindSigningRoutes(bind, { ...services, keptPins })
  bindValidationRoutes(bind, services)
  bindTrustStoreRoutes(bind, services)

  return {
    dialogs,
    run(operation, entered) {
      const before = pins
      try {
        const result = run(operation, Buffer.from(entered))
        return result.kind === 'sign' ? 'signed' : result
      } catch (error) {
        if (error instanceof CardError) return { problem: error.problem, pins: pins - before }
        throw error
      }
    },
    async call({ name }, { module, body = {}, query = {} } = { module: 'piv' }) {
      const caller = {
        ...{ kind: 'page', origin: pageOrigin, consentId: 'a consent' },
        ...{ label: undefined, expiresAt: Infinity },
      }
      const context = {
        get: () => caller,
        env: { keepOpen: () => undefined },
        req: { header: () => undefined, raw: { signal: new AbortController().signal } },
      } as unknown as Context<ApiEnv>
      const handler = handlers.get(name)
      if (!handler) throw new Error(`Expected the operation ${name}`)
      try {
        const input = { params: { module, reader: 'reader' }, body, query, caller }
        return (await handler(input, context)).data
      } catch (error) {
        if (error instanceof Problem) return error.name
        throw error
      }
    },
  }
}
