/** File exchange of the compiled connector when something breaks: it is killed, its database is no database, the disk is full. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Connector,
  createHome,
  homePaths,
  startConnector,
} from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createFilePage, type FilePage, openFilePage } from './file-page.ts'

const origin = 'https://shop.example'
const notes = { entity: 'shop', type: 'notes' }
const small = { entity: 'shop', type: 'small' }
const canMount = process.platform === 'linux' && process.getuid?.() === 0

let display: Display
let folder: string
let home: string
let settings: Record<string, string>
let connector: Connector
let page: FilePage

const inType = (...names: readonly string[]) => join(folder, 'notes', ...names)
/** A disk of one megabyte. */
const disk = () => join(folder, 'small')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-files-'))
  for (const path of [inType(), disk()]) await mkdir(path)
  if (canMount) {
    const mount = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk()]
    expect(spawnSync('mount', mount).status).toBe(0)
  }
  const cards = join(folder, 'cards.json')
  const folders = [
    { origin, ...notes, path: inType() },
    { origin, ...small, path: disk() },
  ]
  await writeFile(cards, JSON.stringify({ folders }), { mode: 0o600 })
  display = await startDisplay()
  home = await createHome()
  settings = {
    ...display.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: origin,
    CARDWIRE_JWT: 'off',
  }
  connector = await startConnector(settings, home)
  page = await createFilePage(connector, display, origin)
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  if (canMount) spawnSync('umount', ['-l', disk()])
  for (const path of [folder, home]) await rm(path, { recursive: true, force: true })
})

test.runIf(canMount)(
  'a disk that is full is a problem of the page, which leaves nothing and lets what fits be written',
  async () => {
    proves('download-interrupted')
    const large = await page.download({ ...small, fileName: 'large.bin' }, new Uint8Array(2e6))
    expect([large.status, large.json.code]).toEqual([507, '513005'])
    expect(await readdir(disk())).toEqual([])
    const fits = await page.download({ ...small, fileName: 'small.bin' }, new Uint8Array(5e5))
    expect(fits.status).toBe(200)
    expect(await readdir(disk())).toEqual(['small.bin'])
  },
)

test('the configuration of file exchange exists after the first start, and is made anew with a word in the log when it is broken', async () => {
  proves('file-exchange-configuration')
  const own = await createHome()
  const state = join(homePaths(own).runtime, 'state.db')
  const start = async () => {
    const started = await startConnector(settings, own)
    const page = await createFilePage(started, display, origin)
    const { total } = (await page.call('list-types', {})).json.data
    await started.stop()
    return { total, isRepaired: started.output().includes('state database put aside') }
  }
  expect(await start()).toEqual({ total: 2, isRepaired: false })
  const database = new DatabaseSync(state)
  expect(database.prepare('SELECT * FROM file_types').all()).toEqual([])
  database.close()
  await writeFile(state, 'no database')
  expect(await start()).toEqual({ total: 2, isRepaired: true })
  await rm(own, { recursive: true })
})

test('a connector that is killed in the middle of downloads leaves whole files or none', async () => {
  proves('download-interrupted')
  const bytes = new Uint8Array(30_000_000).fill(5)
  let rests = 0
  for (let round = 0; round < 3; round += 1) {
    const watcher = watch(inType())
    const begun = new Promise<void>((resolve) => {
      watcher.on('change', (_, name) => String(name).endsWith('.part') && resolve())
    })
    const fields = { ...notes, fileName: `killed-${round}.bin` }
    const answer = page.download(fields, bytes).catch(() => undefined)
    await begun
    watcher.close()
    const ended = once(connector.child, 'exit')
    connector.child.kill('SIGKILL')
    await Promise.all([ended, answer])
    const names = await readdir(inType())
    rests += names.filter((name) => name.endsWith('.part')).length
    if (names.includes(fields.fileName))
      expect((await readFile(inType(fields.fileName))).length).toBe(bytes.length)
    connector = await startConnector(settings, home)
    expect((await readdir(inType())).filter((name) => name.endsWith('.part'))).toEqual([])
    page = openFilePage(connector, origin)
  }
  expect(rests).toBeGreaterThan(0)
})
