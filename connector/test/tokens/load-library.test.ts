/** Which files are loaded as libraries: the one that the administrator named, where no other account can change it. */
import { spawnSync } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { LibraryError, loadLibrary } from '../../src/sandbox/tokens/load-library.ts'
import { readLibrary, softHsmPath } from './soft-token.ts'

let root: string
let folder: string
let path: string
let sha256: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cardwire-libraries-'))
  ;({ sha256 } = await readLibrary(softHsmPath))
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  folder = join(root, crypto.randomUUID())
  path = join(folder, 'library.so')
  await mkdir(folder, { mode: 0o755 })
  await copyFile(softHsmPath, path)
  await chmod(path, 0o644)
})

const load = () => loadLibrary({ path, sha256, isNamedByRoot: true })
const reasonOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof LibraryError) return error.message
    throw error
  }
  return 'loaded'
}

test('a file with another digest is not loaded, and the reason has both', () => {
  proves('library-swapped')
  const other = 'ab'.repeat(32)
  const reason = reasonOf(() => loadLibrary({ path, sha256: other, isNamedByRoot: true }))
  expect(reason).toContain(`its SHA-256 is ${sha256}, the administrator named ${other}`)
})

test.each([
  ['file that others can write', async () => chmod(path, 0o646)],
  ['file that its group can write', async () => chmod(path, 0o664)],
  ['folder that others can write', async () => chmod(folder, 0o777)],
])('a %s is refused', async (_, open) => {
  proves('library-swapped')
  await open()
  expect(reasonOf(load)).toContain('other accounts can write')
})

test('a link is followed before folders and digest are checked', async () => {
  proves('library-swapped')
  await chmod(folder, 0o777)
  const link = join(root, `${crypto.randomUUID()}.so`)
  await symlink(path, link)
  expect(reasonOf(() => loadLibrary({ path: link, sha256, isNamedByRoot: true }))).toContain(folder)
})

test.runIf(process.getuid?.() === 0)(
  'a library in a folder of its user is loaded for a file of root, and not for a service or a file of the user',
  async () => {
    proves('service-names-library')
    const user = 65_534
    const loadAsUser = (library: object) => {
      const program = [process.execPath, join(import.meta.dirname, 'load-program.ts')]
      const account = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups']
      const args = [...account, ...program, JSON.stringify(library)]
      const options = { cwd: '/', encoding: 'utf8', env: { SOFTHSM2_CONF: configuration } } as const
      return spawnSync('setpriv', args, options).stdout
    }
    await chmod(root, 0o755)
    const configuration = join(folder, 'softhsm2.conf')
    await writeFile(configuration, `directories.tokendir = ${folder}\n`)
    for (const place of [folder, path]) await chown(place, user, user)
    expect(loadAsUser({ path, sha256, isNamedByRoot: true })).toBe('loaded')
    const reason = `users other than root can write "${path}"`
    expect(loadAsUser({ path, sha256, isNamedByRoot: false })).toContain(reason)
    await chown(path, 0, 0)
    const folderReason = `users other than root can write "${folder}"`
    expect(loadAsUser({ path, sha256, isNamedByRoot: false })).toContain(folderReason)
    await chown(folder, 0, 0)
    expect(loadAsUser({ path, sha256, isNamedByRoot: false })).toBe('loaded')
  },
)

test.runIf(process.getuid?.() === 0)(
  'a connector of root loads no library for a service from where it writes files of pages',
  () => {
    proves('service-names-library')
    const reason = reasonOf(() => loadLibrary({ path, sha256, isNamedByRoot: false }))
    expect(reason).toContain(`pages can write "${folder}"`)
  },
)

test.each([
  ['is not there', '/nonexistent/library.so', ''],
  ['is a folder', '/usr/lib', ''],
  ['is no library of PKCS #11', '/usr/lib/x86_64-linux-gnu/libz.so.1', undefined],
])('what %s is refused with its path', async (_, named, digest) => {
  const known = digest ?? (await readLibrary(named)).sha256
  const library = { path: named, sha256: known, isNamedByRoot: false }
  expect(reasonOf(() => loadLibrary(library))).toContain(named)
})
