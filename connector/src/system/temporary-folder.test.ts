/** Temporary folders of root: not in the folder of a user. */
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { judgeTestRoot, makeTestRoot } from '../../test/certs/test-root.ts'
import { withRootFile } from '../pki/trust-stores/root-file.ts'
import { findWritablePlace } from './protected-path.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const isRoot = process.getuid?.() === 0
const before = process.env['TMPDIR']
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-user-'))
  chmodSync(folder, 0o777)
  if (isRoot) chownSync(folder, 12_345, 12_345)
  process.env['TMPDIR'] = folder
})
afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  rmSync(folder, { recursive: true, force: true })
})

test.runIf(isRoot)('root makes none in the TMPDIR of a user', async () => {
  proves('root-reads-temporary-file')
  const made = await makeTemporaryFolder('cardwire-test-')
  expect([findWritablePlace(made, [0]), statSync(made).mode & 0o777]).toEqual([undefined, 0o700])
  await rm(made, { recursive: true })
})

test.runIf(isRoot)('the file of a root is where only root writes', async () => {
  proves('root-reads-temporary-file')
  const order = { now: Date.now(), owner: 'tests@here', constraints: 'full', hosts: [] } as const
  const root = judgeTestRoot((await makeTestRoot(order)).cert)
  await withRootFile(root, async (path) => expect(findWritablePlace(path, [0])).toBeUndefined())
})

test.runIf(isRoot)('root makes them in a TMPDIR that is safe', async () => {
  chownSync(folder, 0, 0)
  chmodSync(folder, 0o700)
  expect(dirname(await makeTemporaryFolder('cardwire-test-'))).toBe(folder)
})

test('a user makes them in TMPDIR', async () => {
  expect(dirname(await makeTemporaryFolder('cardwire-test-', 12_345))).toBe(folder)
})
