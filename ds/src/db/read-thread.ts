/** Statements that read much, in a thread with a connection of its own: better-sqlite3 waits for each where it is called. */
import { createRequire } from 'node:module'
import { type MessagePort, Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
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
  close(): void
}

/** Megabytes of the thread's heap: a page of a list has a few. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/** The thread starts with the first statement; one that has ended is started again with the next. */
export function createReadThread(file: string): ReadThread {
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
      void thread?.terminate()
    },
  }
}

const module = createRequire(import.meta.url).resolve('better-sqlite3')

/** Runs in the thread, from its source alone: it knows nothing of this file. */
function serveReads(Database: typeof Sqlite, port: MessagePort, file: string): void {
  const connection = new Database(file, { readonly: true, fileMustExist: true })
  connection.pragma('busy_timeout = 5000')
  port.on('message', ({ id, sql, params }: Statement & { readonly id: number }) => {
    try {
      const rows = connection
        .prepare(sql)
        .raw()
        .all(...params)
      port.postMessage({ id, rows })
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
    }
  })
}

/**
 * It takes the processor when nobody else wants it. On Linux a thread has a priority of its own (setpriority(2), "C
 * library/kernel differences"); elsewhere it would be that of the process.
 */
const code = `
const { parentPort, workerData } = require('node:worker_threads')
if (process.platform === 'linux') require('node:os').setPriority(19)
;(${serveReads})(require(workerData.module), parentPort, workerData.file)`
