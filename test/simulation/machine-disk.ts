/** The disk of a machine: its files and its state database, at which a process may die, and which may refuse. */
import type { Database } from 'bun:sqlite'
import type { SeededRandom } from '../bed/random.ts'
import type { PersistedState, PrivateFiles } from './connector-code.ts'
import type { FaultRates } from './faults.ts'
import type { MachineFacts, Model } from './model.ts'
import type { Report } from './report.ts'
import { ProcessDied } from './service-database.ts'

/** A process that uses the disk. */
export interface DiskUser {
  readonly isDead: boolean
}

export interface DiskParts {
  readonly facts: MachineFacts
  readonly database: Database
  readonly random: SeededRandom
  readonly report: Report
  readonly model: Model
  readonly rates: () => FaultRates
}

export interface MachineDisk<User extends DiskUser> {
  /** What is in a file. */
  read(path: string): string | undefined
  /** The files as a process sees them. */
  filesOf(own: User): PrivateFiles
  /** The same files; what is written is noted as what the disk has said that it has. */
  noting(files: PrivateFiles): PrivateFiles
  /** The state database as a process sees it. */
  databaseOf(own: User): Database
}

/** In the runtime folder. */
export const stateFile = '/runtime/service.json'

export const never = new Promise<never>(() => undefined)

/** `die` ends a process. */
export function createMachineDisk<User extends DiskUser>(
  { facts, database, random, report, model, rates }: DiskParts,
  die: (own: User, place: string) => void,
): MachineDisk<User> {
  const files = new Map<string, string>()

  /** A place at which the process may die, or the disk refuse. */
  function pass(own: User, place: string, mayRefuse: boolean): void {
    if (own.isDead) throw new ProcessDied('The process is dead')
    if (random.chance(rates().connectorDiesAtWrite)) {
      die(own, place)
      throw new ProcessDied(`The process died ${place}`, place.startsWith('after'))
    }
    if (mayRefuse && random.chance(rates().connectorDiskRefuses)) {
      report.fault('disk of a connector refused', `machine ${facts.index} ${place}`)
      throw new Error('ENOSPC: no space left on device')
    }
  }

  const filesOf = (own: User): PrivateFiles => ({
    read: async (path) => (own.isDead ? never : files.get(path)),
    // No disk of the simulation damages a file.
    keepDamaged: () => undefined,
    async write(path, text) {
      try {
        pass(own, 'before a file was written', true)
        files.set(path, text)
        pass(own, 'after a file was written', false)
      } catch (error) {
        if (own.isDead) return never
        throw error
      }
      return undefined
    },
  })

  /** The state database as this process sees it. */
  const databaseOf = (own: User): Database =>
    new Proxy(database, {
      get(target, name) {
        if (name === 'transaction') {
          return (act: (...given: unknown[]) => unknown) => {
            const whole = target.transaction((...given: unknown[]) => {
              pass(own, 'before a transaction', true)
              const result = act(...given)
              pass(own, 'before a transaction was stored', true)
              return result
            })
            const immediate = (...given: unknown[]) => {
              const result = whole.immediate(...given)
              pass(own, 'after a transaction was stored', false)
              return result
            }
            return { immediate }
          }
        }
        if (name === 'query') {
          return (sql: string) => {
            const statement = target.query(sql)
            if (!sql.startsWith('DELETE FROM counter_batches')) return statement
            return {
              run(given: Record<string, string>) {
                pass(own, 'before batches were forgotten', true)
                statement.run(given)
                pass(own, 'after batches were forgotten', false)
              },
            }
          }
        }
        return Reflect.get(target, name)
      },
    })

  /** What the disk has said that it has. */
  const noting = (files: PrivateFiles): PrivateFiles => ({
    ...files,
    async write(path, text) {
      await files.write(path, text)
      if (path !== stateFile) return
      const { last }: PersistedState = JSON.parse(text)
      if (last === undefined) return
      const payload = Buffer.from(last.reply.split('.')[1] ?? '', 'base64url').toString()
      model.stores(facts, JSON.parse(payload))
    },
  })

  return { read: (path) => files.get(path), filesOf, noting, databaseOf }
}
