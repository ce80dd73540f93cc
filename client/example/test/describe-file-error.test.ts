/** What the page says for each problem of files and folders. */
import { createTestConnector } from '@cardwire/client/testing'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openFiles } from '../../src/files.ts'
import { describeFileError } from '../page/describe-file-error.ts'

/** What the page says when a note is saved and that fails like this. */
async function sentenceFor(
  failure: Parameters<ReturnType<typeof createTestConnector>['fail']>[0],
): Promise<string> {
  const connector = createTestConnector({ folders: { 'example/notes': {} } })
  const files = openFiles(await connector.initialize(), 'example')
  await files.createType('notes')
  connector.fail(failure)
  return files.write({ type: 'notes', name: 'note.txt' }, new Blob(['note'])).then(
    () => 'nothing failed',
    (error: unknown) => describeFileError(error),
  )
}

test.each([
  ['file-type-refused', 'half a minute'],
  ['file-type-unknown', 'this folder no longer'],
  ['file-type-unmapped', 'choose another one'],
  ['file-path-refused', 'refuses this name'],
  ['file-taken', 'nothing is replaced'],
  ['file-unknown', 'not there any more'],
  ['file-too-large', '50 MiB'],
  ['disk-full', 'Nothing was saved'],
  ['pin-busy', 'look for its window'],
  ['dialog-unavailable', 'install zenity or kdialog'],
] as const)('describeFileError has a sentence of the page for %s', async (problem, part) => {
  proves('example-files')
  expect(await sentenceFor({ problem })).toContain(part)
})

test('describeFileError has the sentence of whoever refused for everything else', async () => {
  const description = 'Cannot write the file: the disk refuses it'
  expect(await sentenceFor({ problem: 'disk-failed', description })).toBe(`${description}.`)
})

test('describeFileError throws an error that is a defect of the page', () => {
  const defect = new TypeError('x is undefined')
  expect(() => describeFileError(defect)).toThrow(defect)
})
