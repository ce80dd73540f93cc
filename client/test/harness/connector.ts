/** A registry and a connector as the contract has them, on two loopback ports, moved by a test. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import * as contract from '@cardwire/protocol'
import { createBinder, createProblemResponse } from '@cardwire/protocol/hono'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { listen } from './listen.ts'
import { origin } from './page.ts'

interface Env {
  Variables: { operation: contract.Operation; caller: undefined }
}

/** One request, as it came. */
interface ReceivedRequest {
  readonly port: 'registry' | 'api'
  readonly method: string
  readonly path: string
  readonly headers: Headers
}

export interface Connector {
  readonly registryPort: string
  readonly apiPort: string
  /** What a test changes. */
  readonly state: {
    clipboard: string | undefined
    /** Seconds in which no code word is looked for; undefined: every one is. */
    retryAfterS: number | undefined
    /** The consents that hold. */
    consents: string[]
    allowed: boolean
    /** undefined: none is asked for. */
    token: string | undefined
    key: KeyObject
    publicKey: string
    signature: 'valid' | 'invalid' | 'none'
    readers: contract.Reader[]
    /** Why there is no card service; undefined: there is one. */
    cardServiceReason: string | undefined
    /** What it says about how often it sends a comment, in milliseconds; undefined: nothing. */
    heartbeatMs: number | undefined
    /** Streams an origin may have. */
    maxStreams: number
    /** Numbered, for who resumes. */
    events: contract.ReaderEvent[]
  }
  readonly requests: ReceivedRequest[]
  /** The streams that are open. */
  readonly streams: Set<SSEStreamingApi>
  /** Tells all streams what happened, and keeps it. */
  sendEvent(event: contract.ReaderEvent): Promise<void>
  makeConsent(): string
  makeKey(): void
  countRequests(path: string): number
}

export async function startConnector(): Promise<Connector> {
  const requests: ReceivedRequest[] = []
  const streams = new Set<SSEStreamingApi>()
  const connector: Connector = {
    registryPort: '',
    apiPort: '',
    requests,
    streams,
    state: {
      clipboard: undefined,
      retryAfterS: undefined,
      consents: [],
      allowed: true,
      token: undefined,
      ...newKey(),
      signature: 'valid',
      readers: [],
      cardServiceReason: undefined,
      heartbeatMs: undefined,
      maxStreams: 2,
      events: [],
    },
    makeConsent() {
      const consent = Buffer.from(
        JSON.stringify({
          agent: { username: 'zoë', apiPort: connector.apiPort, consentId: randomUUID() },
          signedHash: 'x',
        }),
      ).toString('base64')
      connector.state.consents.push(consent)
      return consent
    },
    makeKey: () => Object.assign(connector.state, newKey()),
    countRequests: (path) =>
      requests.filter((one) => one.path === path && one.method !== 'OPTIONS').length,
    async sendEvent(event) {
      connector.state.events.push(event)
      await Promise.all([...streams].map((stream) => write(stream, event)))
    },
  }
  const serve = (port: ReceivedRequest['port']) =>
    listen(createServer(getRequestListener(appOf(connector, port).fetch)))
  return Object.assign(connector, {
    registryPort: String(await serve('registry')),
    apiPort: String(await serve('api')),
  })
}

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    key: privateKey,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

const write = (stream: SSEStreamingApi, event: contract.ReaderEvent) =>
  stream.writeSSE({ id: String(event.sequence), event: event.type, data: JSON.stringify(event) })

function appOf(
  { state, requests, streams, makeConsent }: Connector,
  port: ReceivedRequest['port'],
): Hono<Env> {
  const app = new Hono<Env>()
  const fail = (name: contract.ProblemName) =>
    createProblemResponse(
      new contract.Problem(name, `no: ${name}`),
      randomUUID(),
      undefined,
      'wire',
    )
  app.onError((error, context) => {
    if (error instanceof contract.Problem) {
      return createProblemResponse(error, randomUUID(), context.get('operation'), 'wire')
    }
    throw error
  })
  app.notFound(() => fail('route-unknown'))
  app.use(async (context, next) => {
    const { method, path, raw } = context.req
    requests.push({ port, method, path, headers: new Headers(raw.headers) })
    if (!state.allowed) return fail('origin-refused')
    if (method === 'OPTIONS') {
      context.header('access-control-allow-headers', known)
      context.status(204)
      context.res = context.body(null)
    } else if (context.req.header('x-csrf-token') !== 't1c-js') {
      return fail('csrf-header-missing')
    } else await next()
    context.res.headers.set('access-control-allow-origin', origin)
    context.res.headers.set('access-control-allow-credentials', 'true')
    return
  })

  const knows = (context: Context): boolean =>
    state.token === undefined || context.req.header('authorization') === `Bearer ${state.token}`
  const seal = (data: unknown) => {
    if (port === 'registry' || state.signature === 'none') return {}
    const text = JSON.stringify(state.signature === 'valid' ? data : 'something else')
    return { signature: sign('sha256', Buffer.from(text), state.key).toString('base64') }
  }
  const bind = createBinder<Env, undefined>(
    app,
    async ({ access }, context) => {
      if (access !== 'consented') return undefined
      if (port === 'registry') throw new contract.Problem('route-unknown', 'not here')
      if (!knows(context)) throw new contract.Problem('token-refused', 'the token is refused')
      if (state.consents.length === 0) {
        throw new contract.Problem('consent-required', 'the user has not consented')
      }
      return undefined
    },
    { signEnvelope: seal },
  )

  bind(contract.getInfo, async (_, context) => {
    const whole = port === 'api' && state.consents.length > 0 && knows(context)
    const data: contract.Info = {
      t1CInfoAPI: {
        service: { deviceType: whole ? 'API' : 'PROXY', dsRegistryActivated: false },
        version: '4.0.0',
        status: 'ACTIVATED',
        optionalConsent: false,
      },
      t1CInfoUser: { hostName: 'desk-7' },
    }
    return { success: true as const, data, ...data, ...seal(data) }
  })
  bind(contract.getDeviceKey, async () => ({ data: port === 'api' ? state.publicKey : null }))
  bind(contract.getConnectorVersion, async () => ({ data: { version: '4.0.0' } }))
  bind(contract.validateConsents, async ({ body }) => {
    const given = 'data' in body ? [body.data] : body.consents
    const [consent] = given.filter((one) => state.consents.includes(one))
    if (consent === undefined) return { data: { consentState: 'REQUIRED' as const, consents: [] } }
    state.consents = []
    const fresh = makeConsent()
    return { data: { consentState: 'APPROVED' as const, consents: [fresh], consent: fresh } }
  })
  bind(contract.requestConsent, async ({ body }) => {
    if (body.codeWord === 'refused by the registry') {
      throw new contract.Problem('input-invalid', 'codeWord: no')
    }
    const { retryAfterS } = state
    if (body.codeWord !== state.clipboard || retryAfterS !== undefined)
      return { data: { consentState: 'REQUIRED' as const, ...(retryAfterS && { retryAfterS }) } }
    const consent = makeConsent()
    return { data: { consentState: 'APPROVED' as const, consents: [consent], consent } }
  })
  bind(contract.readerEvents, async ({ query: { after } }, context) => {
    if (streams.size >= state.maxStreams) {
      throw new contract.Problem('too-many-requests', 'too many streams')
    }
    if (state.heartbeatMs !== undefined)
      context.header('cardwire-heartbeat', String(state.heartbeatMs))
    return streamSSE(context, async (stream) => {
      const { resolve, promise } = Promise.withResolvers<void>()
      stream.onAbort(() => resolve())
      const behind = state.events.filter(({ sequence }) => sequence > (after ?? -1))
      const begin: contract.ReaderEvent[] =
        after === undefined
          ? [{ type: 'snapshot', sequence: state.events.length, readers: state.readers }]
          : behind
      for (const event of begin) await write(stream, event)
      streams.add(stream)
      await promise
      streams.delete(stream)
    })
  })
  bind(contract.detectReaders, async () => ({ data: null }))
  bind(contract.detectAnyCard, async ({ query: { timeout } }) => ({
    data: state.readers.find(({ card }) => card && timeout > 0) ?? null,
  }))
  bind(contract.detectCard, async ({ params: { id } }) => ({ data: oneOf(state.readers, id) }))
  bind(contract.listReaders, async ({ query: { cardInserted, excluded } }) => {
    const { cardServiceReason: reason } = state
    if (reason !== undefined) throw new contract.Problem('pcsc-unavailable', reason)
    return {
      data: state.readers.filter(
        ({ card, name }) =>
          (cardInserted === undefined || (cardInserted === 'true') === (card !== undefined)) &&
          !(excluded && name.includes(excluded)),
      ),
    }
  })
  bind(contract.getReader, async ({ params: { id } }) => ({ data: oneOf(state.readers, id) }))
  bind(contract.listModules, async ({ query: { atr } }) => ({
    data: [{ ...module, description: `for ${atr}` }],
  }))
  bind(contract.getModule, async ({ params: { id } }) => {
    if (id !== module.id) throw new contract.Problem('module-unknown', `no module ${id}`)
    return { data: module }
  })
  bind(contract.getDeviceCertificate, async () => ({
    data: { certificate: 'pem', fingerprint: 'ff' },
  }))
  bind(contract.getBrowser, async () => ({
    data: {
      name: 'Firefox',
      version: '153',
      engine: 'Gecko',
      os: { name: 'Linux', version: '' },
      mobile: false,
      hints: {},
    },
  }))
  return app
}

const known = 'x-csrf-token, x-t1c-billing-tag, authorization, content-type'

const module: contract.Module = {
  id: 'x509',
  version: '1.0.0',
  description: 'reads certificates',
  systems: ['linux'],
  cards: false,
}

function oneOf(readers: readonly contract.Reader[], id: string): contract.Reader {
  const found = readers.find((reader) => reader.id === id)
  if (!found) throw new contract.Problem('reader-unknown', `no reader ${id}`)
  return found
}

export const reader = (id: string, atr?: string): contract.Reader => ({
  id,
  name: `Reader ${id}`,
  pinpad: false,
  ...(atr !== undefined && { card: { atr, description: [], modules: [] } }),
})
