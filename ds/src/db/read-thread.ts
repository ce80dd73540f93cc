/** Statements that read much, in a thread with a connection of its own: SQLite's drivers wait for each where it is called. */
import { Worker } from 'node:worker_threads'
import type { Row, Statement } from './database.ts'

interface Answer {
  readonly id: number
  readonly rows?: readonly Row[]
  /** The text of the error, by which storage faults are recognized. */
  readonly error?: string
}

interface Waiting {
  resolve(rows: readonly Row[]): void
  reject(error: Error): void
}

export interface ReadThread {
  run(statement: Statement): Promise<readonly Row[]>
  /** Resolves when the thread has closed the file; undefined where there is none. */
  close(): Promise<unknown> | undefined
}

/** How the thread reads a file. */
export interface ReaderSource<Module> {
  /** What the thread loads: a name or a path that `require` of any file understands. */
  readonly module: string
  /** Opens the file, to read it alone. It runs from its source: it knows nothing of the file that it is written in. */
  readonly open: (module: Module, file: string) => Reader
}

interface Reader {
  read(statement: Statement): readonly Row[]
  close(): void
}

/** Milliseconds in which a thread that has nothing to read closes the file; a busy machine lets it wait. */
const closeMs = 3000

/** Megabytes of the thread's heap: a page of a list has a few. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/** The thread starts with the first statement; one that has ended is started again with the next. */
export function createReadThread<Module>(
  file: string,
  { module, open }: ReaderSource<Module>,
): ReadThread {
  const code = createCode(String(open))
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let lastId = 0

  const start = (): Worker => {
    const worker = new Worker(code, { eval: true, workerData: { file, module }, resourceLimits })
    const end = (error: Error) => {
      if (thread !== worker) return
      thread = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    worker.on('message', ({ id, rows, error }: Answer) => {
      const { resolve, reject } = waiting.get(id) ?? {}
      waiting.delete(id)
      if (waiting.size === 0) worker.unref()
      if (rows) resolve?.(rows)
      else reject?.(new Error(error))
    })
    worker.on('error', end)
    worker.on('exit', () => end(new Error('Cannot read: the thread that reads has ended')))
    return worker
  }

  return {
    run: ({ sql, params }) =>
      new Promise((resolve, reject) => {
        thread ??= start()
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        // A process goes on for what it waits for, and not for a thread that has nothing to do.
        thread.ref()
        thread.postMessage({ id: lastId, sql, params })
      }),
    close() {
      if (!thread) return undefined
      // A read that has not ended is given up.
      return waiting.size > 0 ? thread.terminate() : closeThread(thread)
    },
  }
}

/** Deno ends a thread without closing its files, so the thread closes them before. */
async function closeThread(thread: Worker): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>()
  thread.on('message', (message) => message === 'closed' && resolve())
  thread.postMessage('close')
  const late = setTimeout(resolve, closeMs)
  await promise
  clearTimeout(late)
  return thread.terminate()
}

/** Closes another connection after the thread's: the last one puts the write-ahead log into the file, and removes it. */
export function closeLast(thread: ReadThread, close: () => void): Promise<void> | void {
  const ended = thread.close()
  return ended ? ended.then(close) : close()
}

/**
 * It takes the processor when nobody else wants it. On Linux a thread has a priority of its own (setpriority(2), "C
 * library/kernel differences"); elsewhere it would be that of the process.
 */
const createCode = (open: string) => `
const { parentPort, workerData } = require('node:worker_threads')
if (process.platform === 'linux') require('node:os').setPriority(19)
const reader = (${open})(require(workerData.module), workerData.file)
parentPort.on('message', (message) => {
  if (message === 'close') {
    reader.close()
    return parentPort.postMessage('closed')
  }
  const { id, ...statement } = message
  try {
    parentPort.postMessage({ id, rows: reader.read(statement) })
  } catch (error) {
    parentPort.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})`
