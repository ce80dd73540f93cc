/** How a database is opened, and checked while the service runs. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openDatabase } from './open-database.ts'

test('the file is checked where it holds up no request: at the start, and later by the thread that reads', async () => {
  proves('database-damaged')
  const checked: string[] = []
  const note = (where: string) => async () => {
    checked.push(where)
    return [['ok']]
  }
  const { checkIntegrity } = await openDatabase({ kind: 'file', file: 'ds.sqlite' }, () => ({
    run: note('run'),
    read: note('read'),
    batch: async () => [],
    close: () => undefined,
  }))
  expect(checked).toEqual(['run'])
  expect(await checkIntegrity?.()).toBeUndefined()
  expect(checked).toEqual(['run', 'read'])
})
