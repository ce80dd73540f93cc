/** What access lists of Windows say of a folder and its keys, and what we make of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { checkFolderAccessOnWindows } from './protection.ts'
import type { FileAccess } from './windows-access.ts'

const self = 'S-1-5-21-1-2-3-1001'
const users = 'S-1-5-32-545'
const ours = [self, 'S-1-5-18', 'S-1-5-32-544']

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-protection-'))
  await writeFile(join(folder, 'rootCA-key.pem'), '')
  await writeFile(join(folder, 'rootCA.pem'), '')
})
afterAll(() => rm(folder, { recursive: true }))

/** Lists `before`, and `after` once it was restricted; remembers what that was. */
function listing(before: readonly string[], after: readonly string[]) {
  const restricted: [string, readonly string[]][] = []
  const access: FileAccess = {
    ownAccount: self,
    listAllowed: (path) => (restricted.some(([done]) => done === path) ? after : before),
    restrict: (path, to) => void restricted.push([path, to]),
  }
  return { access, restricted }
}

test.each([
  ['access of others is closed', [self, users], ours, true, true, 2],
  ['access of ours alone stays as it is', [self, 'S-1-5-18'], ours, true, true, 0],
  ['without repair nothing is closed', [self, users], ours, false, false, 0],
  ['closing that changes nothing is no protection', [users], [users], true, false, 2],
  ['an entry that cannot be read is no proof', [self, '?'], [self, '?'], true, false, 2],
] as const)('%s', async (_, before, after, repair, isPrivate, closed) => {
  proves('windows-private-files')
  const { access, restricted } = listing(before, after)
  const found = await checkFolderAccessOnWindows(folder, { repair }, () => access)
  expect(found.map(({ path }) => path)).toEqual([folder, join(folder, 'rootCA-key.pem')])
  for (const each of found) {
    expect(each.private).toBe(isPrivate)
    expect(each.reason === undefined).toBe(isPrivate)
  }
  expect(restricted).toHaveLength(closed)
  for (const [, to] of restricted) expect(to).toEqual(ours)
})

test('a folder that cannot be asked about is not private, and says why', async () => {
  const { access } = listing([], [])
  const listAllowed = () => {
    throw new Error('Cannot tell who may open it')
  }
  expect(
    await checkFolderAccessOnWindows(folder, { repair: true }, () => ({ ...access, listAllowed })),
  ).toContainEqual(
    expect.objectContaining({ private: false, reason: 'Cannot tell who may open it' }),
  )
})

test('a folder that is not there needs nothing', async () => {
  expect(await checkFolderAccessOnWindows('/nonexistent', { repair: true })).toEqual([])
})
