/** The histories of a version and its configurations when it is removed, in a database of any engine. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { digestWithWebCrypto, webRandom } from '../../src/assemble.ts'
import { createAudit, localSource } from '../../src/db/audit.ts'
import { createDatabase, type Driver } from '../../src/db/database.ts'
import { forgetEarlier } from '../../src/db/revisions.ts'
import { revisions, versions } from '../../src/db/schema.ts'
import { createBuiltinGateway } from '../../src/gateway/builtin.ts'
import { removeOwner } from '../../src/gateway/owners.ts'

const id = '1.0.0'
const consumer = { kind: 'registration', id } as const
const flags = { recommended: false, mandatory: false, allowed: true, uris: [] }
const version = { id, precedence: id, ...flags, revision: 1, createdAt: 1, updatedAt: 1 }

export function removedVersionSuite(open: () => Promise<Driver & { close(): unknown }>): void {
  let driver: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    driver = await open()
  })
  afterAll(() => driver?.close())
  const db = () => createDatabase(driver)
  const readHistories = async () =>
    (await db().select().from(revisions)).map((row) => `${row.kind} ${row.id}`).toSorted()

  async function arrange(): Promise<void> {
    await db().delete(revisions)
    await db().delete(versions)
    await db().insert(versions).values(version)
    const row = { revision: 1, at: 1, subject: 's', name: 'n', operation: 'o', value: null }
    await db()
      .insert(revisions)
      .values([
        { ...row, kind: 'version', id },
        { ...row, kind: 'configuration', id: 'a', versionId: id, type: 'CONTEXT_CONFIG' },
        { ...row, kind: 'configuration', id: 'b', versionId: id, type: 'CONTEXT_CONFIG' },
      ])
  }

  /** Removes the version; `fails`: its batch does. */
  async function remove(fails: boolean): Promise<boolean> {
    const failing = [{ sql: 'delete from no_such_table', params: [] }]
    const services = {
      db: createDatabase({
        ...driver,
        batch: (statements) => driver.batch([...statements, ...(fails ? failing : [])]),
      }),
      clock: () => 1,
      random: webRandom,
      digest: digestWithWebCrypto,
    }
    const entry = createAudit(services, 'deleteVersion', localSource).createEntry('version', id, [])
    const gateway = createBuiltinGateway(services)
    return removeOwner({ ...services, gateway }, consumer, undefined, { owner: entry, key: entry })
  }

  test('a removal that fails takes no history with it, and one that succeeds all', async () => {
    proves('history-kept')
    await arrange()
    await expect(remove(true)).rejects.toThrow()
    expect(await readHistories()).toEqual(['configuration a', 'configuration b', 'version 1.0.0'])
    expect(await remove(false)).toBe(true)
    expect(await readHistories()).toEqual([])
    expect(await remove(false)).toBe(false)
  })

  test('what a process that ended has left does not belong to a new version of this name', async () => {
    proves('history-kept')
    await arrange()
    const batch = () =>
      db().batch([
        forgetEarlier(db(), id),
        db().insert(versions).values(version).onConflictDoNothing(),
      ])
    await batch()
    expect(await readHistories()).toEqual(['configuration a', 'configuration b', 'version 1.0.0'])
    await db().delete(versions)
    await batch()
    expect(await readHistories()).toEqual(['version 1.0.0'])
  })
}
