/** The service's database in memory: what a process left of it, the faults of its disk, and backups. */
import { type Statement as BunStatement, Database } from 'bun:sqlite'
import type { SeededRandom } from '../bed/random.ts'
import { createGroupCommit, type Driver, type Row, type Statement } from './service-code.ts'

/** How a process reaches its database: a file of its own machine, or a database over the network (D1). */
export type DatabaseKind = 'file' | 'remote'

/** What may happen at a write, decided anew at each. `die`: the process ends there. */
export type WriteFault = 'none' | 'die' | 'refuse'

export interface DatabaseFaults {
  /** Asked before and behind every statement that writes, and every commit. */
  atWrite(place: string): WriteFault
  /** Milliseconds until a remote database has a request, or its answer is back. */
  latencyMs(): number
}

/** What stays when the process ends. */
export interface Storage {
  readonly connection: Database
  /** A statement, prepared once. */
  prepare(sql: string): BunStatement
  /** Something was stored. */
  noteWrite(): void
  /** Rows of counters that were written since this was asked last. */
  takeChangedCounters(): readonly ChangedCounter[]
  /** Whether versions or rollouts were written since this was asked last. */
  takeReleaseChange(): boolean
  /** Whether the disk takes no more pages. */
  setFull(isFull: boolean): void
  backUp(): Uint8Array
  close(): void
}

export interface ChangedCounter {
  readonly tag: string
  readonly count: number
}

/** `image`: a database as `backUp` gave it, or an empty one. */
export function openStorage(image: Uint8Array): Storage {
  const connection = Database.deserialize(image)
  connection.run('PRAGMA foreign_keys = ON')
  connection.run('CREATE TEMP TABLE changed_counters (tag TEXT PRIMARY KEY) WITHOUT ROWID')
  for (const [event, row] of [
    ['INSERT', 'new'],
    ['UPDATE', 'new'],
    ['DELETE', 'old'],
  ]) {
    connection.run(
      `CREATE TEMP TRIGGER counters_${event} AFTER ${event} ON main.counters
       BEGIN INSERT OR IGNORE INTO changed_counters VALUES (${row}.tag); END`,
    )
  }
  connection.run('CREATE TEMP TABLE changed_releases (at INTEGER PRIMARY KEY)')
  for (const table of ['versions', 'rollouts'])
    for (const event of ['INSERT', 'UPDATE', 'DELETE'])
      connection.run(
        `CREATE TEMP TRIGGER ${table}_${event} AFTER ${event} ON main.${table}
         BEGIN INSERT OR IGNORE INTO changed_releases VALUES (1); END`,
      )
  const forgetReleases = connection.query('DELETE FROM changed_releases')
  const changed = connection.query<ChangedCounter, []>(
    `SELECT tag, coalesce((SELECT sum(count) FROM counters WHERE counters.tag = changed.tag), 0) AS count
     FROM changed_counters AS changed`,
  )
  const forget = connection.query('DELETE FROM changed_counters')
  let isWritten = false
  /** What a backup has is new. */
  let mayHaveReleases = true
  const prepared = new Map<string, BunStatement>()
  return {
    connection,
    prepare(sql) {
      const known = prepared.get(sql) ?? connection.prepare(sql)
      prepared.set(sql, known)
      return known
    },
    noteWrite() {
      isWritten = true
      mayHaveReleases = true
    },
    takeReleaseChange() {
      if (!mayHaveReleases) return false
      mayHaveReleases = false
      return forgetReleases.run().changes > 0
    },
    takeChangedCounters() {
      if (!isWritten) return []
      isWritten = false
      const rows = changed.all()
      if (rows.length > 0) forget.run()
      return rows
    },
    setFull(isFull) {
      const pages = connection.query<{ page_count: number }, []>('PRAGMA page_count').get()
      const most = isFull ? (pages?.page_count ?? 1) : 1_000_000_000
      connection.run(`PRAGMA max_page_count = ${most}`)
    },
    backUp: () => connection.serialize(),
    close() {
      for (const statement of prepared.values()) statement.finalize()
      connection.close()
    },
  }
}

/** The process is no more: nothing that it still does has an effect. */
export class ProcessDied extends Error {
  /** Whether what it did last is stored. */
  readonly isDone: boolean

  constructor(reason: string, isDone = false) {
    super(reason)
    this.isDone = isDone
  }
}

/** What a disk says that cannot be read or written (sqlite.org/rescode.html#ioerr). */
const ioError = () => Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })

export interface DriverParts {
  readonly storage: Storage
  readonly kind: DatabaseKind
  readonly faults: DatabaseFaults
  readonly random: SeededRandom
  readonly isDead: () => boolean
  /** Ends the process. */
  readonly die: () => void
  readonly after: (delayMs: number, act: () => void) => void
}

export function openDriver(parts: DriverParts): Driver {
  return parts.kind === 'file' ? openFileDriver(parts) : openRemoteDriver(parts)
}

const reads = new Map<string, boolean>()

function isRead({ sql }: Statement): boolean {
  const known = reads.get(sql)
  if (known !== undefined) return known
  const read = /^\s*(select|with)\b/i.test(sql)
  reads.set(sql, read)
  return read
}

/** One connection that does one thing at a time, with the faults of its disk. */
function createConnection({ storage, faults, random, isDead, die }: DriverParts) {
  const { connection } = storage
  const rollBack = () => {
    if (connection.inTransaction) storage.prepare('ROLLBACK').run()
  }
  const mustLive = () => {
    if (isDead()) throw new ProcessDied('The process is dead')
  }
  /** A place at which the process may die, or the disk refuse. */
  const pass = (place: string) => {
    const fault = faults.atWrite(place)
    if (fault === 'none') return
    if (fault === 'die') {
      rollBack()
      die()
      throw new ProcessDied(`The process died ${place}`)
    }
    // Of an I/O error SQLite ends the whole transaction, or the statement alone (sqlite.org/lang_transaction.html).
    if (random.chance(0.5)) rollBack()
    throw ioError()
  }
  const execute = ({ sql, params }: Statement): readonly Row[] =>
    storage.prepare(sql).values(...(params as string[])) as unknown as readonly Row[]
  const commit = (name: string, act: () => void) => {
    mustLive()
    storage.prepare('BEGIN IMMEDIATE').run()
    try {
      act()
      pass(`before ${name} was stored`)
      storage.prepare('COMMIT').run()
      storage.noteWrite()
    } catch (error) {
      rollBack()
      throw error
    }
    const fault = faults.atWrite(`after ${name} was stored`)
    if (fault === 'die') {
      die()
      throw new ProcessDied('The process died after it had stored')
    }
  }
  return {
    read(statement: Statement) {
      mustLive()
      return execute(statement)
    },
    write(statement: Statement) {
      mustLive()
      pass('before a statement')
      storage.noteWrite()
      return execute(statement)
    },
    commit,
    savepoint(act: () => void) {
      storage.prepare('SAVEPOINT part').run()
      try {
        act()
        storage.prepare('RELEASE part').run()
      } catch (error) {
        if (connection.inTransaction) {
          storage.prepare('ROLLBACK TO part').run()
          storage.prepare('RELEASE part').run()
        }
        throw error
      }
    },
    inTransaction: () => connection.inTransaction,
  }
}

/** As Node's: writes that come together are stored together, by the service's own code. */
function openFileDriver(parts: DriverParts): Driver {
  const connection = createConnection(parts)
  const writes = createGroupCommit<readonly Row[]>({
    run: connection.write,
    transaction: (act) => connection.commit('a group', act),
    savepoint: connection.savepoint,
    inTransaction: connection.inTransaction,
    defer: (act) => parts.after(parts.random.integer(0, 3), act),
  })
  return {
    async run(statement) {
      if (isRead(statement)) return connection.read(statement)
      const [rows = []] = await writes.add([statement])
      return rows
    },
    batch: (statements) => writes.add(statements),
  }
}

/** As that of a Worker: each statement and each batch travels, and an answer may be lost behind a write. */
function openRemoteDriver(parts: DriverParts): Driver {
  const connection = createConnection(parts)
  const { faults, after } = parts
  const travel = () => new Promise<void>((resolve) => after(faults.latencyMs(), resolve))
  const batch = async (statements: readonly Statement[]) => {
    await travel()
    const results: (readonly Row[])[] = []
    connection.commit('a batch', () => {
      for (const statement of statements) results.push(connection.write(statement))
    })
    await travel()
    if (faults.atWrite('on the way back') === 'refuse') throw new Error('Network connection lost')
    return results
  }
  return {
    async run(statement) {
      if (!isRead(statement)) return (await batch([statement]))[0] ?? []
      await travel()
      const rows = connection.read(statement)
      await travel()
      return rows
    },
    batch,
  }
}
