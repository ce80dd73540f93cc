/** Runs the scripted card service: replies to each call as a card service would, or as its script for the test has it. */
import { createServer, type Server, type Socket } from 'node:net'
import { createSimulatedCardService, type SimulatedCardService } from './card-service.ts'
import { type Call, type CallName, type Reply, readCall, writeReply } from './driver-protocol.ts'

/**
 * The reply to a call in a test: a code, none, or the result of a function that can also get the usual reply.
 */
type Script =
  | { readonly code: number }
  | 'never'
  | ((call: Call, usual: () => Promise<Reply>) => Promise<Reply>)

export interface ScriptedCardService extends Omit<SimulatedCardService, 'handleCall' | 'forget'> {
  readonly port: number
  /** The environment in which the library of a process finds this service. */
  readonly env: { readonly SCRIPTED_CARD_PORT: string }
  /** Replies to calls of this name by the script until the returned function is called. */
  script(name: CallName, script: Script): () => void
  /** Every call so far. */
  readonly calls: readonly Call[]
  /** Resolves with the next call for which it holds, or with one that was made already. */
  waitForCall(holds: (call: Call) => boolean): Promise<Call>
  /** Resolves when the caller no longer waits: it has the reply, or its process has ended. */
  waitForEnd(call: Call): Promise<void>
  /** Stops the service: pending calls fail, later ones find no service. */
  stop(): Promise<void>
  /** Starts it again on the same port, without its contexts and connections. */
  start(): Promise<void>
}

/** Starts it on a free port. `stop` ends it. */
export async function startScriptedCardService(): Promise<ScriptedCardService> {
  const cardService = createSimulatedCardService()
  const scripts = new Map<CallName, Script>()
  const sockets = new Set<Socket>()
  const calls: Call[] = []
  const endings = new Map<Call, Promise<void>>()
  const listeners = new Set<(call: Call) => void>()

  const serve = async (call: Call, socket: Socket) => {
    const gone = new AbortController()
    const { promise, resolve } = Promise.withResolvers<void>()
    endings.set(call, promise)
    socket.once('close', () => {
      gone.abort()
      resolve()
    })
    calls.push(call)
    for (const listener of [...listeners]) listener(call)
    const usual = () => cardService.handleCall(call, gone.signal)
    const script = scripts.get(call.name)
    if (script === 'never') return
    const reply = await (typeof script === 'function' ? script(call, usual) : (script ?? usual()))
    if (!gone.signal.aborted) socket.end(writeReply(reply))
  }

  const accept = (socket: Socket) => {
    let text = ''
    sockets.add(socket)
    socket.setEncoding('utf8')
    socket.on('close', () => sockets.delete(socket))
    // A process that is killed resets its connections.
    socket.on('error', () => socket.destroy())
    socket.on('data', (part: string) => {
      text += part
      if (text.endsWith('\n')) void serve(readCall(text.trimEnd()), socket)
    })
  }

  let server = await openServer(accept, 0)
  const port = getPort(server)
  const { plug, unplug, insert, remove } = cardService
  return {
    plug,
    unplug,
    insert,
    remove,
    port,
    env: { SCRIPTED_CARD_PORT: String(port) },
    calls,
    script: (name, script) => {
      scripts.set(name, script)
      return () => {
        if (scripts.get(name) === script) scripts.delete(name)
      }
    },
    waitForCall: (holds) => {
      const made = calls.find(holds)
      if (made) return Promise.resolve(made)
      return new Promise((resolve) => {
        const listener = (call: Call) => {
          if (!holds(call)) return
          listeners.delete(listener)
          resolve(call)
        }
        listeners.add(listener)
      })
    },
    waitForEnd: (call) => endings.get(call) ?? Promise.resolve(),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      cardService.forget()
      await closed
    },
    start: async () => {
      server = await openServer(accept, port)
    },
  }
}

function openServer(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function getPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a port')
  return address.port
}
