/** Seals everything in a database with another secret. */
import { getTableName } from 'drizzle-orm'
import { type SealedRow, sealed } from '../auth/keys/sealed.ts'
import type { Vault } from '../auth/keys/vault.ts'
import type { RunText } from '../db/postgres.ts'
import { StartError } from '../self-hosted/start-error.ts'

export interface Resealed {
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
  for (const one of Object.values(sealed)) {
    const [table, key, column] = [getTableName(one.table), one.key.name, one.column.name]
    let [changed, unchanged] = [0, 0]
    const rows = await run(
      `select "${key}", "${column}" from "${table}" where "${column}" is not null`,
      [],
    )
    for (const [id, text] of rows) {
      const row = one.toRow(String(id))
      const again = await sealAgain(vaults, String(text), row)
      if (again === undefined) unchanged += 1
      else changed += 1
      if (store && again !== undefined)
        await run(`update "${table}" set "${column}" = $1 where "${key}" = $2`, [again, id])
    }
    done.push({ title: one.title, changed, unchanged })
  }
  return done
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
    `Cannot open what is stored for "${row}": it was sealed with another secret. Nothing was changed`,
  )
}
