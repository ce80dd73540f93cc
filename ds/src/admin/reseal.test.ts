import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { webRandom } from '../assemble.ts'
import { sealed } from '../auth/keys/sealed.ts'
import { createVault } from '../auth/keys/vault.ts'
import { openBetterSqlite3 } from '../db/better-sqlite3.ts'
import type { RunText } from '../db/postgres.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { reseal } from './reseal.ts'

const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const passwords = ['the-first-password', 'the-second-password']

test('each revision of a keystore keeps its own password under the next secret', async () => {
  proves('secret-rotated', 'history-leaks')
  const driver = openBetterSqlite3(':memory:')
  await applyMigrations(driver)
  const run: RunText = (sql, params = []) =>
    driver.run({ sql: sql.replaceAll(/\$\d+/g, '?'), params })
  const [old, next] = [
    await createVault(new Uint8Array(32).fill(1), webRandom),
    await createVault(new Uint8Array(32).fill(2), webRandom),
  ]
  const row = sealed.earlierKeystorePassword.toRow(id)
  for (const [at, password] of passwords.entries())
    await run(
      `insert into revisions (kind, id, revision, at, subject, name, operation, secret)
        values ('configuration', $1, $2, 0, '', '', '', $3)`,
      [id, at + 1, await old.wrap(password, row)],
    )
  const done = await reseal(run, { old, next }, { store: true })
  expect(done.find(({ field }) => field === 'earlierKeystorePassword')?.changed).toBe(2)
  const rows = await run('select secret from revisions order by revision', [])
  const opened = await Promise.all(rows.map(([secret]) => next.unwrap(String(secret), row)))
  expect(opened).toEqual(passwords)
})
