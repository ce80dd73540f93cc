/** The sandbox: the one process that talks to the card service, so that a driver that hangs or crashes harms no other. */
import * as z from 'zod/mini'
import { errorText } from '../system/error-text.ts'
import { readLines } from '../system/ipc/read-lines.ts'
import {
  type FeatureQuery,
  type FeatureReply,
  type FromSandbox,
  type ReaderState,
  readLine,
  ToSandbox,
  writeLine,
} from '../system/ipc/sandbox-messages.ts'
import { openPcsc, type Pcsc } from './pcsc/pcsc.ts'
import { createRecheck } from './recheck.ts'
import { ThreadReport, type ThreadRequest, type ThreadStart } from './thread-messages.ts'

export interface SandboxOptions {
  /** The card service's library, instead of the system's. */
  readonly library: string | undefined
  /**
   * Where worker.ts is. Beside the sources it is beside this file; in a compiled binary, where it is an entry point
   * of its own, below the folder of the main one. Only the entry knows which of them it is: a bundle in bytecode keeps
   * the paths of its sources in `import.meta.url`.
   */
  readonly worker: URL
}

/** A call that has to return at once counts as stuck after this time, in milliseconds. */
const stuckMs = 5000
/** How often a missing library is looked for again, in milliseconds. */
const libraryRetryMs = 5000

/** The query thread ends after this time without a query, in milliseconds: it holds 7 MB. */
const idleThreadMs = 3000

/** Runs the sandbox on this process's standard input and output, until its parent closes the input. */
export async function runSandbox(options: SandboxOptions): Promise<void> {
  const send = (message: FromSandbox) => void process.stdout.write(writeLine(message))
  const opened = Promise.withResolvers<void>()
  startMonitor(options, send, opened.resolve)
  const query = createQueryThread(options, (reply) => send({ type: 'reply', reply }))
  try {
    for await (const line of readLines(Bun.stdin.stream())) {
      const message = readLine(ToSandbox, line)
      if (message.type === 'ping') send({ type: 'pong', id: message.id })
      else void opened.promise.then(() => query(message.query))
    }
  } finally {
    // Does not wait for threads that are inside a call.
    process.exit(0)
  }
}

/** Loads the library here first, as the threads need it, then starts the monitor thread; `onOpened`: it has loaded it too. */
function startMonitor(
  options: SandboxOptions,
  send: (message: FromSandbox) => void,
  onOpened: () => void,
): void {
  let pcsc: Pcsc
  try {
    pcsc = openPcsc(options.library)
  } catch (error) {
    const reason = errorText(error)
    send({ type: 'state', state: { kind: 'down', code: 'LIBRARY_MISSING', reason } })
    setTimeout(() => startMonitor(options, send, onOpened), libraryRetryMs)
    return
  }
  const sendState = skipRepeats((state) => send({ type: 'state', state }))
  const deadline = createDeadline(() => send({ type: 'stuck' }))
  const recheck = createRecheck(pcsc)
  startThread(options, 'monitor', (report) => {
    if (report.type === 'opened') onOpened()
    if (report.type === 'state') sendState(report.state)
    if (report.type === 'short-calls') {
      deadline(0)
      recheck.cancel()
    }
    if (report.type === 'wait') {
      deadline(report.forMs)
      if (report.pending) recheck.schedule(report.pending)
      else recheck.cancel()
    }
  })
}

/** Sends queries to a thread that is started for the first and ends some time after the last. */
function createQueryThread(
  options: SandboxOptions,
  onReply: (reply: FeatureReply) => void,
): (query: FeatureQuery) => void {
  let thread: Worker | undefined
  let pending = 0
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    thread?.postMessage({ type: 'end' } satisfies ThreadRequest)
    thread = undefined
  }
  return (query) => {
    clearTimeout(idleTimer)
    pending += 1
    thread ??= startThread(options, 'query', (report, self) => {
      if (report.type === 'closed') self.terminate()
      if (report.type !== 'reply') return
      onReply(report.reply)
      pending -= 1
      clearTimeout(idleTimer)
      if (pending === 0) idleTimer = setTimeout(end, idleThreadMs)
    })
    thread.postMessage({ type: 'query', query } satisfies ThreadRequest)
  }
}

function startThread(
  { worker, library }: SandboxOptions,
  role: ThreadStart['role'],
  onReport: (report: ThreadReport, self: Worker) => void,
): Worker {
  const thread = new Worker(worker.href)
  thread.addEventListener('message', ({ data }) => onReport(z.parse(ThreadReport, data), thread))
  // A thread that fails is a defect: this process ends, and the supervisor starts another.
  thread.addEventListener('error', ({ message }) => {
    process.stderr.write(`sandbox: ${message}\n`)
    process.exit(1)
  })
  thread.postMessage({ role, ...(library !== undefined && { library }) } satisfies ThreadStart)
  return thread
}

function skipRepeats(forward: (state: ReaderState) => void): (state: ReaderState) => void {
  let last: string | undefined
  return (state) => {
    const text = JSON.stringify(state)
    if (text === last) return
    last = text
    forward(state)
  }
}

/** Calls `onPassed` when calls that last `forMs` at most have not returned long after that. */
function createDeadline(onPassed: () => void): (forMs: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (forMs) => {
    clearTimeout(timer)
    timer = setTimeout(onPassed, forMs + stuckMs)
  }
}
