/** The sandbox: the one process that talks to the card service, so that a driver that hangs or crashes harms no other. */
import * as z from 'zod/mini'
import { openPcsc, type Pcsc } from '../pcsc/pcsc.ts'
import { linesOf } from './lines.ts'
import {
  type Answer,
  type FromSandbox,
  type Question,
  readLine,
  type Sight,
  ToSandbox,
  writeLine,
} from './messages.ts'
import { secondLook } from './second-look.ts'
import { type Order, Report, type Start } from './thread.ts'

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

/** A call that has to return at once and did not in this time never will, in milliseconds. */
const stuckMs = 5000
/** How often a library that is not there is looked for again, in milliseconds. */
const libraryMs = 5000

/** The thread that talks to readers ends after so many milliseconds without a question: it holds 7 MB. */
const talkMs = 3000

/** Runs the sandbox on this process's standard input and output, until its parent closes the input. */
export async function runSandbox(options: SandboxOptions): Promise<void> {
  const say = (message: FromSandbox) => void process.stdout.write(writeLine(message))
  const opened = Promise.withResolvers<void>()
  watchReaders(options, say, opened.resolve)
  const talk = talker(options, (answer) => say({ type: 'answer', answer }))
  try {
    for await (const line of linesOf(Bun.stdin.stream())) {
      const message = readLine(ToSandbox, line)
      if (message.type === 'ping') say({ type: 'pong', id: message.id })
      else void opened.promise.then(() => talk(message.question))
    }
  } finally {
    // Does not wait for threads that are inside a call.
    process.exit(0)
  }
}

/** Loads the library here first, for the threads' sake, and then has one watch; `opened` is called once it has it too. */
function watchReaders(
  options: SandboxOptions,
  say: (message: FromSandbox) => void,
  opened: () => void,
): void {
  let pcsc: Pcsc
  try {
    pcsc = openPcsc(options.library)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    say({ type: 'sight', sight: { kind: 'down', code: 'LIBRARY_MISSING', reason } })
    setTimeout(() => watchReaders(options, say, opened), libraryMs)
    return
  }
  const changed = onlyChanges((sight) => say({ type: 'sight', sight }))
  const deadline = deadlineOf(() => say({ type: 'stuck' }))
  const again = secondLook(pcsc)
  startThread(options, 'watch', (report) => {
    if (report.type === 'opened') opened()
    if (report.type === 'sight') changed(report.sight)
    if (report.type === 'busy') {
      deadline(0)
      again.end()
    }
    if (report.type === 'waits') {
      deadline(report.forMs)
      if (report.blind) again.at(report.blind)
      else again.end()
    }
  })
}

/** Asks questions in a thread that lives as long as there are some. */
function talker(
  options: SandboxOptions,
  answered: (answer: Answer) => void,
): (question: Question) => void {
  let thread: Worker | undefined
  let open = 0
  let idle: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    thread?.postMessage({ type: 'end' } satisfies Order)
    thread = undefined
  }
  return (question) => {
    clearTimeout(idle)
    open += 1
    thread ??= startThread(options, 'talk', (report, self) => {
      if (report.type === 'closed') self.terminate()
      if (report.type !== 'answer') return
      answered(report.answer)
      open -= 1
      clearTimeout(idle)
      if (open === 0) idle = setTimeout(end, talkMs)
    })
    thread.postMessage({ type: 'ask', question } satisfies Order)
  }
}

function startThread(
  { worker, library }: SandboxOptions,
  role: Start['role'],
  hear: (report: Report, self: Worker) => void,
): Worker {
  const thread = new Worker(worker.href)
  thread.addEventListener('message', ({ data }) => hear(z.parse(Report, data), thread))
  // A thread that fails is a defect; the parent sees this process end and starts another.
  thread.addEventListener('error', ({ message }) => {
    process.stderr.write(`sandbox: ${message}\n`)
    process.exit(1)
  })
  thread.postMessage({ role, ...(library !== undefined && { library }) } satisfies Start)
  return thread
}

function onlyChanges(tell: (sight: Sight) => void): (sight: Sight) => void {
  let last: string | undefined
  return (sight) => {
    const text = JSON.stringify(sight)
    if (text === last) return
    last = text
    tell(sight)
  }
}

/** Calls that last `forMs` at the most have passed when they have not returned long after. */
function deadlineOf(passed: () => void): (forMs: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (forMs) => {
    clearTimeout(timer)
    timer = setTimeout(passed, forMs + stuckMs)
  }
}
