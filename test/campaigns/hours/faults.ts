/** Faults that are put in on purpose, between the programs and what they stand on: each invariant has to notice some. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { Invariant } from './results.ts'
import type { Answer } from './service.ts'

type Verify = (token: string) => Promise<void>

/** What stands between, and does nothing unless a fault is put in. */
export interface Tampering {
  changeSql(sql: string): string
  after(after: EventQueue['after']): EventQueue['after']
  verify(verify: Verify): Verify
  response(answer: Answer): Answer
  /** At the end, before the files are looked at. */
  spoil(files: { readonly logs: string; execute(sql: string): void }): void
}

const same = <T>(value: T): T => value
export const untouched: Tampering = {
  ...{ changeSql: same, after: same, verify: same, response: same },
  spoil: () => undefined,
}

interface Fault {
  readonly invariant: Invariant
  tamper(): Partial<Tampering>
}

export const faults = {
  'a connector accepts what it accepted before': {
    invariant: 'token-in-time',
    tamper: () => ({ verify: remembering }),
  },
  'a connector refuses tokens that are not new': {
    invariant: 'token-in-time',
    tamper: () => ({ verify: acceptingOnce }),
  },
  'a timer ends late': {
    invariant: 'sync-on-cycle',
    tamper: () => ({ after: (after) => (ms, act) => after(ms * 4, act) }),
  },
  'a timer is lost': {
    invariant: 'one-timer',
    tamper() {
      let planned = 0
      return {
        after: (after) => (ms, act) => {
          planned += 1
          return planned % 40 === 0 ? () => undefined : after(ms, act)
        },
      }
    },
  },
  'a timer cannot be cancelled': {
    invariant: 'one-timer',
    tamper: () => ({
      after: (after) => (ms, act) => {
        after(ms, act)
        return () => undefined
      },
    }),
  },
  'a connector keeps to the first key of tokens': {
    invariant: 'rotation-continues',
    tamper: () => ({ verify: keepingFirstKey }),
  },
  'a statement is broken': {
    invariant: 'no-defect',
    tamper: () => ({
      changeSql: (sql) => (sql.startsWith('update "devices" set') ? `${sql} and` : sql),
    }),
  },
  'a batch counts twice': {
    invariant: 'counted-once',
    tamper: () => ({
      spoil: ({ execute }) => execute('update counters set count = count + 1'),
    }),
  },
  'quotas of yesterday stay': {
    invariant: 'rows-bounded',
    tamper: () => ({
      changeSql: (sql) =>
        sql.startsWith('delete from "quotas"')
          ? sql.replace(' returning ', ' and false returning ')
          : sql,
    }),
  },
  'a device takes a megabyte': {
    invariant: 'database-bounded',
    tamper: () => ({
      spoil: ({ execute }) =>
        execute(
          "update devices set device = json_set(device, '$.os', hex(zeroblob(500000))) where rowid < 4",
        ),
    }),
  },
  'a line of the log is cut off': {
    invariant: 'log-whole',
    tamper: () => ({
      spoil({ logs }) {
        const path = join(logs, 'api.log')
        writeFileSync(path, readFileSync(path).subarray(100))
      },
    }),
  },
  'a file of the log goes on growing': {
    invariant: 'log-bounded',
    tamper: () => ({
      spoil: ({ logs }) => appendFileSync(join(logs, 'api.log'), `{}${' '.repeat(3_000_000)}\n`),
    }),
  },
  'replies stay in memory': {
    invariant: 'memory-flat',
    tamper() {
      const kept: unknown[] = []
      return {
        response(answer) {
          kept.push(Array.from({ length: 20_000 }, () => ({ answer })))
          return answer
        },
      }
    },
  },
} as const satisfies Readonly<Record<string, Fault>>
export type FaultName = keyof typeof faults

export const createTampering = (name?: FaultName): Tampering => ({
  ...untouched,
  ...(name && (faults[name] as Fault).tamper()),
})

const remembering = (verify: Verify): Verify => {
  const known = new Set<string>()
  return async (token) => {
    if (known.has(token)) return
    await verify(token)
    known.add(token)
  }
}

const acceptingOnce = (verify: Verify): Verify => {
  const known = new Set<string>()
  return async (token) => {
    if (known.has(token)) throw new Error('The token is not new')
    await verify(token)
    known.add(token)
  }
}

const keepingFirstKey = (verify: Verify): Verify => {
  let first: string | undefined
  return async (token) => {
    const [head] = token.split('.', 1)
    first ??= head
    if (head !== first) throw new Error('The key is not the first one')
    await verify(token)
  }
}
