/** The rows of signing keys: those that are missing are made, one is announced, called up or withdrawn. */
import { Problem, type SigningKeyUse } from '@cardwire/client/protocol'
import { and, eq, sql } from 'drizzle-orm'
import { type Audit, there } from '../db/audit.ts'
import { signingKeys } from '../db/schema.ts'
import { refusing } from '../db/violation.ts'
import { type KeyState, keyStates, standsBy } from '../rules/key-life.ts'
import type { Services } from '../services.ts'
import {
  type Algorithm,
  jwkOf,
  type KeyOrder,
  type KeyRow,
  type LoadedKey,
  loadKey,
  makeKey,
  privateKeyOf,
} from './signing-key.ts'
import { keepWord, vouch } from './succession.ts'

export interface KeyRows {
  /** Every key that has a use still, oldest first; there is always one in force. */
  load(use: SigningKeyUse): Promise<readonly LoadedKey[]>
  /** Makes a key that signs once everybody knows it; answers with its id. Throws `changed-meanwhile`. */
  announce(use: SigningKeyUse, audit: Audit): Promise<string>
  /** Announces the key that stands by, which everybody has known for long. Throws `changed-meanwhile`. */
  callUp(id: string, audit: Audit): Promise<void>
  /** Deletes a key. When it is the one in force, the key announced first, or that stands by, or else a new one, signs now. */
  withdraw(key: Pick<KeyRow, 'id' | 'use'>, audit: Audit): Promise<void>
}

type Parts = Pick<Services, 'db' | 'clock' | 'vault' | 'settings'>

/** Whether a key stands by: devices know two keys of replies, so that the loss of one locks nobody out. */
const keepsReserve: Record<SigningKeyUse, boolean> = {
  application: false,
  administrator: false,
  reply: true,
}

/** What a signing key is made of, as the audit names it. */
const ownFields = ['use', 'algorithm', 'signsFrom']

export function keyRows({ db, clock, vault, settings }: Parts): KeyRows {
  const overlapMs = settings.keyOverlapS * 1000
  const algorithms: Record<SigningKeyUse, Algorithm> = {
    application: settings.tokenAlgorithm,
    administrator: 'ES256',
    reply: 'ES256',
  }
  const rowsOf = (use: SigningKeyUse) =>
    db.select().from(signingKeys).where(eq(signingKeys.use, use)).orderBy(signingKeys.sequence)
  const statesOf = (rows: readonly KeyRow[]) => keyStates(rows, clock(), overlapMs)

  /** A key behind those there are. */
  const make = (rows: readonly KeyRow[], order: Omit<KeyOrder, 'sequence' | 'algorithm'>) =>
    makeKey(vault, clock, {
      ...order,
      algorithm: algorithms[order.use],
      sequence: (rows.at(-1)?.sequence ?? 0) + 1,
    })

  /**
   * Devices know the keys of replies, and may be away when they change: the one that signs, or will, vouches for a new
   * one. So each leads to all that come after it.
   */
  async function vouching(before: readonly KeyRow[], made: KeyRow) {
    if (made.use !== 'reply') return []
    const states = statesOf(before)
    const voucher = before.findLast(({ id }) => /^(announced|signing)$/.test(states.get(id) ?? ''))
    if (!voucher) return []
    const by = { jwk: jwkOf(voucher), privateKey: await privateKeyOf(vault, voucher) }
    return [keepWord(db, await vouch(by, jwkOf(made)), made.id, made.createdAt)]
  }

  /** Of two who add one at once the first wins, and both read it. */
  async function add(rows: readonly KeyRow[], row: KeyRow): Promise<readonly KeyRow[]> {
    await db.batch([
      db.insert(signingKeys).values(row).onConflictDoNothing(),
      ...(await vouching(rows, row)),
    ])
    return rowsOf(row.use)
  }

  return {
    async load(use) {
      let rows: readonly KeyRow[] = await rowsOf(use)
      // When the setting changed, the key of the new kind is announced like any other.
      const current = statesOf(rows)
      const inForce = rows.filter(({ id }) => /^(announced|signing)$/.test(current.get(id) ?? ''))
      if (!inForce.some(({ algorithm }) => algorithm === algorithms[use])) {
        const signsFrom = rows.length > 0 ? clock() + overlapMs : clock()
        rows = await add(rows, await make(rows, { use, signsFrom }))
      }
      if (keepsReserve[use] && !rows.some(({ signsFrom }) => signsFrom === standsBy)) {
        rows = await add(rows, await make(rows, { use, signsFrom: standsBy }))
      }
      const states = statesOf(rows)
      return Promise.all(
        rows.flatMap((row) => {
          const state = states.get(row.id) ?? 'gone'
          return state === 'gone' ? [] : [loadKey(vault, row, state)]
        }),
      )
    },
    async announce(use, audit) {
      const rows = await rowsOf(use)
      const row = await make(rows, { use, signsFrom: clock() + overlapMs })
      await refusing(
        db.batch([
          audit.entry('signing-key', row.id, ownFields).statement(),
          db.insert(signingKeys).values(row),
          ...(await vouching(rows, row)),
        ]),
        () => changedMeanwhile(use),
      )
      return row.id
    },
    async callUp(id, audit) {
      const standing = and(eq(signingKeys.id, id), eq(signingKeys.signsFrom, standsBy))
      const [, called] = await db.batch([
        audit.entry('signing-key', id, ['signsFrom']).statement(there(signingKeys, standing)),
        db
          .update(signingKeys)
          .set({ signsFrom: clock() + overlapMs })
          .where(standing)
          .returning(),
      ])
      if (called.length === 0) throw changedMeanwhile('reply')
    },
    async withdraw({ id, use }, audit) {
      const rows = await rowsOf(use)
      const states = statesOf(rows)
      // Keys that are gone leave too: without the one that followed them they would seem in use again.
      const gone = rows.filter((row) => states.get(row.id) === 'gone').map((row) => row.id)
      const leaving = JSON.stringify([id, ...gone])
      const leave = [
        audit
          .entry('signing-key', id, ownFields)
          .statement(there(signingKeys, eq(signingKeys.id, id))),
        db
          .delete(signingKeys)
          .where(sql`${signingKeys.id} in (select value from json_each(${leaving}))`),
      ] as const
      if (states.get(id) !== 'signing') {
        await db.batch(leave)
        return
      }
      const first = (wanted: KeyState) => [...states].find(([, state]) => state === wanted)?.[0]
      const successor = first('announced') ?? first('standby')
      const signsFrom = clock()
      if (successor !== undefined) {
        const succeeding = eq(signingKeys.id, successor)
        await db.batch([
          ...leave,
          audit
            .entry('signing-key', successor, ['signsFrom'])
            .statement(there(signingKeys, succeeding)),
          db.update(signingKeys).set({ signsFrom }).where(succeeding),
        ])
        return
      }
      const made = await make(rows, { use, signsFrom })
      await refusing(
        db.batch([
          ...leave,
          audit.entry('signing-key', made.id, ownFields).statement(),
          db.insert(signingKeys).values(made),
          ...(await vouching(rows, made)),
        ]),
        () => changedMeanwhile(use),
      )
    },
  }
}

const changedMeanwhile = (use: SigningKeyUse) =>
  new Problem(
    'changed-meanwhile',
    `Cannot change the keys for "${use}": somebody else just did, read them again`,
  )
