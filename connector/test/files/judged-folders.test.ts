/** Folders are judged at each use by where they lie then: links, and folders that are swapped between two uses. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createJudgeFolder, type JudgeFolder } from '../../src/files/judge-folder.ts'
import { createTestFolders, type TestFolders } from './temp-folders.ts'

/** The rules of Linux, and those of systems where no open folder stands for a path. */
describe.each(['linux', 'darwin'])('with the rules of %s', (platform) => {
  let base: string
  let home: string
  let folders: TestFolders
  let judge: JudgeFolder
  beforeEach(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'cardwire-judged-')))
    home = join(base, 'ada')
    for (const name of ['.ssh', 'bin', 'invoices/2026', 'connector/runtime'])
      mkdirSync(join(home, name), { recursive: true })
    writeFileSync(join(home, '.ssh', 'id.txt'), 'secret')
    const own = [join(home, 'connector')]
    judge = createJudgeFolder({ platform: 'linux', home, own, programs: [] })
    folders = await createTestFolders(platform, (folder) => judge(folder))
  })
  afterEach(() => {
    folders.remove()
    rmSync(base, { recursive: true, force: true })
  })

  const list = (path: string, relPath: readonly string[] = []) =>
    folders.exchange.list({ type: { ...folders.type, path }, relPath })
  const refused = { name: 'file-type-unmapped' }

  test('no way to a folder that pages may not have opens it', async () => {
    proves('service-names-folder')
    const hidden = join(base, 'other')
    mkdirSync(hidden)
    symlinkSync(home, join(hidden, 'home'))
    symlinkSync('home/.ssh', join(hidden, 'keys'))
    for (const path of [
      ...[base, home, `${home}/`, `${home}/invoices/..`, join(home, 'bin'), join(home, '.ssh')],
      ...[join(home, 'connector'), join(home, 'connector/runtime')],
      ...[join(hidden, 'home'), join(hidden, 'home/'), join(hidden, 'home/.ssh')],
      ...[join(hidden, 'keys'), join(hidden, 'keys/.')],
      ...[`/proc/self/root${home}`, `/proc/self/cwd/..${home}`],
    ])
      await expect(list(path), path).rejects.toMatchObject(refused)
    expect((await list(join(hidden, 'home', 'invoices'))).files).toMatchObject([{ name: '2026' }])
  })

  test('a folder that cannot be opened is not one that has gone', async () => {
    proves('folder-unread')
    await expect(list(join(base, 'gone'))).rejects.toMatchObject(refused)
    // What no account can open, root included: a path that is longer than the system takes.
    const long = join(base, ...Array.from({ length: 20 }, () => 'a'.repeat(250)))
    await expect(list(long)).rejects.toMatchObject({ name: 'file-path-refused' })
  })

  test('a folder that became another one is judged as that one', async () => {
    proves('service-names-folder')
    const way = join(base, 'way')
    mkdirSync(join(way, '.ssh'), { recursive: true })
    const path = join(way, '.ssh')
    symlinkSync(join(home, 'invoices'), join(way, 'type'))
    expect((await list(join(way, 'type', '2026'))).files).toEqual([])
    rmSync(join(way, 'type'))
    symlinkSync(path, join(way, 'type'))
    renameSync(join(home, 'invoices', '2026'), join(path, '2026'))
    await expect(list(join(way, 'type', '2026'))).rejects.toMatchObject(refused)
  })

  test('a way that is swapped while the folder is judged leads nowhere else', async () => {
    proves('service-names-folder')
    const way = join(base, 'way')
    symlinkSync(join(home, 'invoices'), way)
    mkdirSync(join(home, '.ssh', '2026'))
    const rule = judge
    judge = async (folder) => {
      const fault = await rule(folder)
      rmSync(way, { force: true })
      symlinkSync(join(home, '.ssh'), way)
      return fault
    }
    const type = { ...folders.type, path: join(way, '2026') }
    await folders.exchange.write({ type, fileName: 'a.txt' }, Buffer.from('a'))
    expect(readdirSync(join(home, '.ssh', '2026'))).toEqual([])
    expect(readdirSync(join(home, 'invoices', '2026'))).toEqual(['a.txt'])
  })
})
