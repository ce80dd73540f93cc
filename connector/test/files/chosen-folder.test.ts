/** Folders that users choose where their home folder is reached over a link, as with network homes. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { judgeChosenFolder } from '../../src/files/chosen-folder.ts'
import { createJudgeFolder } from '../../src/files/judge-folder.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'cardwire-chosen-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const real = join(base, 'volumes', 'ada')
const linked = join(base, 'home')
for (const name of ['bin', 'documents', 'connector', 'tools/bin'])
  mkdirSync(join(real, name), { recursive: true })
symlinkSync(real, linked)

const context = {
  platform: 'linux',
  home: linked,
  own: [join(linked, 'connector')],
  programs: [join(linked, 'tools', 'bin')],
}
const judge = (path: string) => judgeChosenFolder(path, createJudgeFolder(context))

test.each([
  ['the home folder', ''],
  ['what is above it', '..'],
  ['the folder of programs', 'bin'],
  ['the folder of the connector', 'connector'],
  ['what is above a folder of PATH', 'tools'],
])('%s is no folder for a page, by the link or where it lies', async (_name, path) => {
  proves('folder-too-broad')
  expect(await judge(join(real, path))).toBeUndefined()
  expect(await judge(`${linked}/${path}`)).toBeUndefined()
})

test('another folder is one, where it lies', async () => {
  expect(await judge(join(linked, 'documents'))).toBe(join(real, 'documents'))
})
