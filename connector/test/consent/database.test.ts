/** The state database: private, kept, shared by processes, and begun anew when it is damaged. */
import { Database } from 'bun:sqlite'
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { consentStore } from '../../src/consent/store.ts'
import { openState } from '../../src/state/database.ts'

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
  consentStore(database).add(
    { id: crypto.randomUUID(), origin, issuedAt: at, expiresAt: at + 86_400_000, usedAt: at },
    crypto.getRandomValues(new Uint8Array(32)),
  )

async function filled() {
  const database = openState(runtime, log)
  const { agentId, key } = consentStore(database)
  give(database)
  database.close()
  return { agentId, key }
}

test('folder and files are the owner’s alone', async () => {
  const database = openState(runtime, log)
  give(database)
  expect((await stat(runtime)).mode & 0o777).toBe(0o700)
  for (const end of ['', '-wal', '-shm']) {
    expect((await stat(`${path()}${end}`)).mode & 0o777).toBe(0o600)
  }
  database.close()
})

test('connector, key and consents are the same after a restart', async () => {
  const { agentId, key } = await filled()
  const database = openState(runtime, log)
  const again = consentStore(database)
  expect(again.agentId).toBe(agentId)
  expect(Buffer.from(again.key).equals(key)).toBe(true)
  expect(key).toHaveLength(32)
  expect(again.all()).toHaveLength(1)
  expect(errors).toEqual([])
  database.close()
})

describe('a database that cannot be used is put aside, told, and begun anew', () => {
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
    const { agentId } = await filled()
    await damage()
    const before = await readFile(path())
    const database = openState(runtime, log)
    expect(errors).toEqual(['state database put aside, consents are asked for anew'])
    const begun = consentStore(database)
    expect(begun.all()).toEqual([])
    expect(begun.agentId).not.toBe(agentId)
    give(database)
    database.close()
    const aside = `${path()}.aside`
    expect((await readFile(aside)).equals(before)).toBe(true)
    expect((await stat(aside)).mode & 0o777).toBe(0o600)
  })
})

test('what was written is there after kill -9', async () => {
  const script = `
    const { openState } = await import(${JSON.stringify(new URL('../../src/state/database.ts', import.meta.url).href)})
    const { consentStore } = await import(${JSON.stringify(new URL('../../src/consent/store.ts', import.meta.url).href)})
    const store = consentStore(openState(${JSON.stringify(runtime)}, { error() {} }))
    const at = Date.now()
    for (let n = 0; ; n += 1) {
      store.add({ id: String(n), origin: 'https://shop.example', issuedAt: at, expiresAt: at + 1e9, usedAt: at }, Buffer.from([n >> 8, n]))
      process.stdout.write(n + '\\n')
    }
  `
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  let said = ''
  for await (const part of child.stdout) {
    said += Buffer.from(part).toString()
    if (said.split('\n').length > 50) child.kill('SIGKILL')
  }
  await child.exited
  const last = Number(said.trim().split('\n').at(-1))
  const database = openState(runtime, log)
  const store = consentStore(database)
  expect(errors).toEqual([])
  for (let n = 0; n <= last; n += 1) {
    expect(store.find(String(n))).toBeDefined()
    expect(store.wordUse(Buffer.from([n >> 8, n]))?.consentId).toBe(String(n))
  }
  database.close()
})

test('two that open it at once become one connector', async () => {
  const script = `
    const { openState } = await import(${JSON.stringify(new URL('../../src/state/database.ts', import.meta.url).href)})
    const { consentStore } = await import(${JSON.stringify(new URL('../../src/consent/store.ts', import.meta.url).href)})
    process.stdout.write(consentStore(openState(${JSON.stringify(runtime)}, { error() {} })).agentId)
  `
  const children = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' }),
  )
  const said = await Promise.all(children.map((child) => new Response(child.stdout).text()))
  expect(said.every((id) => id.length === 36)).toBe(true)
  expect(new Set(said).size).toBe(1)
})
