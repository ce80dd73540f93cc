/** Seals everything in a database with another secret. */
import { getTableName } from 'drizzle-orm'
import { type SealedRow, sealed } from '../auth/keys/sealed.ts'
import type { Vault } from '../auth/keys/vault.ts'
import type { RunText } from '../db/postgres.ts'
import { StartError } from '../self-hosted/start-error.ts'

type Sealed = (typeof sealed)[keyof typeof sealed]

export interface Resealed {
  /** As the audit names it. */
  readonly field: string
  /** What was sealed, in the plural. */
  readonly title: string
  /** The texts that had the old secret. */
  readonly changed: number
  /** The texts that had the new one before. */
  readonly unchanged: number
}

export interface Vaults {
  readonly old: Vault
  readonly next: Vault
}

/** The tables with sealed texts. */
export const sealedTables: readonly string[] = Object.values(sealed).map(({ table }) =>
  getTableName(table),
)

/**
 * Reads every sealed text, and stores those of the old secret again under the new one; with `store: false` it only reads.
 * Throws a StartError for a text that neither secret opens.
 */
export async function reseal(
  run: RunText,
  vaults: Vaults,
  { store }: { readonly store: boolean },
): Promise<readonly Resealed[]> {
  const done: Resealed[] = []
  for (const [field, one] of Object.entries(sealed)) {
    const [table, column] = [getTableName(one.table), one.column.name]
    const where = listKey(one).map((name, at) => `"${name}" = $${at + 2}`)
    let [changed, unchanged] = [0, 0]
    for (const [text, ...key] of await readTexts(run, one)) {
      const row = one.toRow(String(key[0]))
      const again = await sealAgain(vaults, String(text), row)
      if (again === undefined) unchanged += 1
      else changed += 1
      if (store && again !== undefined)
        await run(`update "${table}" set "${column}" = $1 where ${where.join(' and ')}`, [
          again,
          ...key,
        ])
    }
    done.push({ field, title: one.title, changed, unchanged })
  }
  return done
}

/** Whether a vault opens a sealed text of the database, or there is none: a rotation seals all of them again, or none. */
export async function opens(run: RunText, vault: Vault): Promise<boolean> {
  let isEmpty = true
  for (const one of Object.values(sealed)) {
    for (const [text, id] of await readTexts(run, one)) {
      isEmpty = false
      const opened = await vault.unwrap(String(text), one.toRow(String(id))).catch(() => undefined)
      if (opened !== undefined) return true
    }
  }
  return isEmpty
}

/** The columns of the primary key; a text is sealed for the first one. */
const listKey = (one: Sealed): readonly string[] =>
  [one.key, ...('rest' in one ? one.rest : [])].map(({ name }) => name)

/** Each sealed text with the key of its row. */
function readTexts(run: RunText, one: Sealed) {
  const { name } = one.column
  const columns = [name, ...listKey(one)].map((column) => `"${column}"`).join(', ')
  return run(`select ${columns} from "${getTableName(one.table)}" where "${name}" is not null`, [])
}

/** undefined when the text has the new secret already. */
async function sealAgain(
  { old, next }: Vaults,
  text: string,
  row: SealedRow,
): Promise<string | undefined> {
  const open = (vault: Vault) => vault.unwrap(text, row).catch(() => undefined)
  const opened = await open(old)
  if (opened !== undefined) return next.wrap(opened, row)
  if ((await open(next)) !== undefined) return undefined
  throw new StartError(
    `Cannot open what is stored for "${row}": it was encrypted with another secret. Nothing was changed`,
  )
}
