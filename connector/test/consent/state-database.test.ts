/** The state database: private, durable, shared by processes, and replaced when it is damaged. */
import { Database } from 'bun:sqlite'
import {
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { listDamagedFiles } from '../../src/system/damaged-files.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { getRevisionPath } from '../../src/system/state/revision.ts'
import { createConsentStore } from '../../src/user/consent/consent-store.ts'

let folder: string
let runtime: string
let errors: string[]
const log = { error: (event: string) => void errors.push(event) }
const path = () => join(runtime, 'state.db')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-state-'))
  runtime = join(folder, 'runtime')
  errors = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const origin = 'https://shop.example'
const give = (database: Database, at = Date.now()) =>
  createConsentStore(database).add(
    { id: crypto.randomUUID(), origin, issuedAt: at, expiresAt: at + 86_400_000, usedAt: at },
    crypto.getRandomValues(new Uint8Array(32)),
  )

async function filled() {
  const database = openStateDatabase(runtime, log)
  const { agentId, key } = createConsentStore(database)
  give(database)
  database.close()
  return { agentId, key }
}

test('folder and files are readable by the owner alone', async () => {
  const database = openStateDatabase(runtime, log)
  give(database)
  expect((await stat(runtime)).mode & 0o777).toBe(0o700)
  for (const end of ['', '-wal', '-shm']) {
    expect((await stat(`${path()}${end}`)).mode & 0o777).toBe(0o600)
  }
  database.close()
})

test('connector, key and consents are the same after a restart', async () => {
  proves('upgrade-keeps-runtime-folder')
  const { agentId, key } = await filled()
  const database = openStateDatabase(runtime, log)
  const again = createConsentStore(database)
  expect(again.agentId).toBe(agentId)
  expect(Buffer.from(again.key).equals(key)).toBe(true)
  expect(key).toHaveLength(32)
  expect(again.list()).toHaveLength(1)
  expect(errors).toEqual([])
  database.close()
})

describe('a database that cannot be used is put aside, logged, and replaced', () => {
  test.each<readonly [string, () => Promise<void>]>([
    ['no database', () => writeFile(path(), 'x'.repeat(8192))],
    ['cut off', () => truncate(path(), 4096)],
    [
      'damaged in the middle',
      async () => {
        const bytes = await readFile(path())
        await writeFile(path(), bytes.fill(0xff, 4096, 3 * 4096))
      },
    ],
    [
      'of a later version',
      async () => {
        const database = new Database(path())
        database.run('PRAGMA user_version = 1000')
        database.close()
      },
    ],
  ])('%s', async (_, damage) => {
    proves('state-damaged')
    const { agentId } = await filled()
    await damage()
    const before = await readFile(path())
    const database = openStateDatabase(runtime, log)
    expect(errors).toEqual(['state database put aside, pages need new consents'])
    const begun = createConsentStore(database)
    expect(begun.list()).toEqual([])
    expect(begun.agentId).not.toBe(agentId)
    give(database)
    database.close()
    const [kept] = listDamagedFiles(runtime)
    const aside = kept?.path ?? ''
    expect((await readFile(aside)).equals(before)).toBe(true)
    expect((await stat(aside)).mode & 0o777).toBe(0o600)
  })
})

describe('an older state database that is put back', () => {
  const putAside = 'state database put aside, pages need new consents'

  test.each(['revoke', 'endExpired'] as const)(
    'after %s is put aside, and its consents do not hold',
    async (change) => {
      proves('old-state-restored')
      await filled()
      const older = await readFile(path())
      const database = openStateDatabase(runtime, log)
      createConsentStore(database)[change](Date.now() + 2 * 86_400_000)
      database.close()
      await writeFile(path(), older)
      const again = openStateDatabase(runtime, log)
      expect(createConsentStore(again).list()).toEqual([])
      expect(errors).toEqual([putAside])
      again.close()
      // It stays older than the database that took its place.
      await writeFile(path(), older)
      openStateDatabase(runtime, log).close()
      expect(errors).toEqual([putAside, putAside])
    },
  )

  test('from a version that had no revision is put aside', async () => {
    proves('old-state-restored')
    const database = openStateDatabase(runtime, log)
    give(database)
    database.run(
      'DROP TABLE revision; DROP TABLE identity_permissions; DROP TABLE file_types; PRAGMA user_version = 2',
    )
    database.close()
    const older = await readFile(path())
    await rm(getRevisionPath(path()))
    const upgraded = openStateDatabase(runtime, log)
    expect(createConsentStore(upgraded).list()).toHaveLength(1)
    expect(errors).toEqual([])
    createConsentStore(upgraded).revoke(Date.now())
    upgraded.close()
    await writeFile(path(), older)
    openStateDatabase(runtime, log).close()
    expect(errors).toEqual([putAside])
  })
})

describe('a loss is logged', () => {
  const lost = 'state database was missing or empty, pages need new consents'

  test.each<readonly [string, () => Promise<unknown>]>([
    ['emptied', () => truncate(path(), 0)],
    ['removed', () => rm(path())],
  ])('when the state database was %s', async (_, lose) => {
    proves('state-damaged')
    await filled()
    await lose()
    openStateDatabase(runtime, log).close()
    expect(errors).toEqual([lost])
    openStateDatabase(runtime, log).close()
    expect(errors).toEqual([lost])
  })

  test('when the state database was emptied before it had a revision', async () => {
    proves('state-damaged')
    await mkdir(runtime)
    await writeFile(path(), '')
    await utimes(path(), 1e9, 1e9)
    openStateDatabase(runtime, log).close()
    expect(errors).toEqual([lost])
  })

  test('when the revision was removed, and the consents stay', async () => {
    proves('state-damaged')
    await filled()
    await rm(getRevisionPath(path()))
    const database = openStateDatabase(runtime, log)
    expect(createConsentStore(database).list()).toHaveLength(1)
    expect(errors).toEqual([
      'revision of the state database was lost, an older database goes unnoticed',
    ])
    database.close()
  })

  test('but a revision that cannot be read is not taken for lost', async () => {
    proves('data-file-damaged')
    await filled()
    await rm(getRevisionPath(path()))
    await symlink('state.db.revision', getRevisionPath(path()))
    expect(() => openStateDatabase(runtime, log)).toThrow('ELOOP')
    expect(errors).toEqual([])
  })

  test('and a first start is none', () => {
    openStateDatabase(runtime, log).close()
    expect(errors).toEqual([])
  })
})

test('written data survives kill -9', async () => {
  proves('upgrade-stops-processes', 'consent-stored-first', 'state-damaged')
  const script = `
    const { openStateDatabase } = await import(${JSON.stringify(new URL('../../src/system/state/database.ts', import.meta.url).href)})
    const { createConsentStore } = await import(${JSON.stringify(new URL('../../src/user/consent/consent-store.ts', import.meta.url).href)})
    const store = createConsentStore(openStateDatabase(${JSON.stringify(runtime)}, { error() {} }))
    const at = Date.now()
    for (let n = 0; ; n += 1) {
      store.add({ id: String(n), origin: 'https://shop.example', issuedAt: at, expiresAt: at + 1e9, usedAt: at }, Buffer.from([n >> 8, n]))
      process.stdout.write(n + '\\n')
    }
  `
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  let output = ''
  for await (const part of child.stdout) {
    output += Buffer.from(part).toString()
    if (output.split('\n').length > 50) child.kill('SIGKILL')
  }
  await child.exited
  const last = Number(output.trim().split('\n').at(-1))
  const database = openStateDatabase(runtime, log)
  const store = createConsentStore(database)
  expect(errors).toEqual([])
  for (let n = 0; n <= last; n += 1) {
    expect(store.find(String(n))).toBeDefined()
    expect(store.findCodeWordUse(Buffer.from([n >> 8, n]))?.consentId).toBe(String(n))
  }
  database.close()
})

test('processes that open it at the same time become one connector', async () => {
  const script = `
    const { openStateDatabase } = await import(${JSON.stringify(new URL('../../src/system/state/database.ts', import.meta.url).href)})
    const { createConsentStore } = await import(${JSON.stringify(new URL('../../src/user/consent/consent-store.ts', import.meta.url).href)})
    process.stdout.write(createConsentStore(openStateDatabase(${JSON.stringify(runtime)}, { error() {} })).agentId)
  `
  const children = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' }),
  )
  const ids = await Promise.all(children.map((child) => new Response(child.stdout).text()))
  expect(ids.every((id) => id.length === 36)).toBe(true)
  expect(new Set(ids).size).toBe(1)
})
