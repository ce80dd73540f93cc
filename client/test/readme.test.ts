/** The table of failures in the guide: one row for each kind, as the types have them. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { english } from '../src/languages/en.ts'

test('each kind of failure has one row in the guide, with what happened and what a page does', async () => {
  proves('errors-for-users')
  const readme = await readFile(new URL('../guides/errors.md', import.meta.url), 'utf8')
  const [, table = ''] = readme.split(
    '| Kind | What happened | What your page does |\n|---|---|---|\n',
  )
  const rows = (table.split('\n\n')[0] ?? '')
    .split('\n')
    .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| ?| \|$/g, '')))
    .filter(([kind]) => kind !== '')
  // A catalog of `describe` has each kind, and three sentences that are of none.
  const { pinWrongWithAttempts, codeCopied, codeNotCopied, ...sentences } = english
  const kinds = rows.map(([kind]) => kind)
  expect(kinds.toSorted()).toEqual(
    Object.keys(sentences)
      .map((kind) => `\`${kind}\``)
      .toSorted(),
  )
  for (const [kind, happened = '', action = ''] of rows) {
    expect([kind, happened.length > 10, action.length > 5]).toEqual([kind, true, true])
  }
})
