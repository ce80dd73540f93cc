/** Drives the scripted card service: answers each of its calls as a card service would, or as a test says. */
import { createServer, type Server, type Socket } from 'node:net'
import { createMachine, type Machine } from './machine.ts'
import { type Call, type CallName, type Reply, readCall, writeReply } from './wire.ts'

/**
 * What a test says to a call: a code, nothing ever, or whatever it likes, with what a card service would say at hand.
 */
type Script =
  | { readonly code: number }
  | 'never'
  | ((call: Call, usual: () => Promise<Reply>) => Promise<Reply>)

export interface ScriptedCardService extends Omit<Machine, 'answer' | 'forget'> {
  readonly port: number
  /** What a process needs in its environment to be served, beside the library. */
  readonly env: { readonly SCRIPTED_CARD_PORT: string }
  /** Answers calls of this name so, until it is undone. */
  script(name: CallName, script: Script): () => void
  /** Every call so far. */
  readonly calls: readonly Call[]
  /** Resolves with the next call for which it holds, or with one that was made already. */
  called(holds: (call: Call) => boolean): Promise<Call>
  /** Resolves when whoever made the call no longer waits: it was answered, or its process is gone. */
  ended(call: Call): Promise<void>
  /** The service goes: calls under way fail, later ones find nobody. */
  stop(): Promise<void>
  /** It comes back on the same port, and knows nobody. */
  start(): Promise<void>
}

/** Starts it on a free port. `stop` ends it. */
export async function startScriptedCardService(): Promise<ScriptedCardService> {
  const machine = createMachine()
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
    const usual = () => machine.answer(call, gone.signal)
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

  let server = await listening(accept, 0)
  const port = portOf(server)
  const { plug, unplug, insert, remove } = machine
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
    called: (holds) => {
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
    ended: (call) => endings.get(call) ?? Promise.resolve(),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      machine.forget()
      await closed
    },
    start: async () => {
      server = await listening(accept, port)
    },
  }
}

function listening(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a port')
  return address.port
}
