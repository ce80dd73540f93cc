/** What the page says about updates, and about what cannot be read. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SyncState } from '@cardwire/protocol/connector-sync'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../../test/bed/log.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { readSettings } from '../../settings.ts'
import { getFolders } from '../../system/folders.ts'
import { openStateDatabase, stateFileName } from '../../system/state/database.ts'
import { createConsentStore } from '../../user/consent/consent-store.ts'
import { lockFileName } from '../own-api.ts'
import { readSlowView, toUpdateView } from './read-view.ts'
import { readFields } from './service-settings.ts'

const service = 'https://ds.example'
const offer = { version: '4.1.0', url: 'https://downloads.example/a.deb' }
const sync = (action: 'none' | 'recommend' | 'require' | 'stop', more: object = {}): SyncState => ({
  service,
  standing: 'good',
  verdict: { action, version: '4.0.0', ...more },
})

test.each<[string, SyncState, boolean, object]>([
  ['no service', { standing: 'unmanaged' }, true, { state: 'unmanaged' }],
  ['no policy', { service, standing: 'waiting' }, true, { state: 'unknown' }],
  ['a policy for another version', sync('stop', { version: '3.9.0' }), true, { state: 'unknown' }],
  ['nothing to do', sync('none', { offer }), true, { state: 'current' }],
  ['an offer', sync('recommend', { offer }), true, { state: 'recommended', offer }],
  ['a demand', sync('require', { offer }), true, { state: 'required', offer }],
  ['an end', sync('stop'), true, { state: 'forbidden' }],
  ['offers that are off', sync('stop', { offer }), false, { state: 'forbidden', isMuted: true }],
])('with %s', (_, state, offersUpdates, expected) => {
  expect(toUpdateView(state, offersUpdates, '4.0.0')).toEqual(expected)
})

test('what cannot be read is neither a connector that has ended nor a list without consents', async () => {
  proves('lock-unread', 'consents-unread')
  const home = mkdtempSync(join(tmpdir(), 'cardwire-view-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const folders = getFolders('linux', {}, home)
  const settingsFile = join(home, 'settings')
  const machine = { settings: readSettings([]), folders, settingsFile }
  const failures: unknown[] = []
  const options = { isStarting: false, reportFailure: (error: unknown) => failures.push(error) }
  const read = () => readSlowView({ machine, fields: readFields([], settingsFile) }, options)
  expect(await read()).toMatchObject({ connector: 'stopped', consents: [] })
  expect(failures).toEqual([])
  // What no account can read as a file, root included.
  for (const name of [lockFileName, stateFileName])
    mkdirSync(join(folders.runtime, name), { recursive: true })
  const view = await read()
  expect([view.connector, view.consents, failures.length]).toEqual(['unresponsive', undefined, 2])
})

test('folders of an administrator that could not be read once are on the page as soon as they can be', async () => {
  proves('consents-unread')
  const home = mkdtempSync(join(tmpdir(), 'cardwire-view-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const folders = getFolders('linux', {}, home)
  const settingsFile = join(home, 'settings')
  const cards = join(home, 'cards.json')
  const settings = readSettings([{ name: 'test', values: { CARDWIRE_CARDS: cards } }])
  const log = createLog([])
  mkdirSync(folders.runtime, { recursive: true, mode: 0o700 })
  const database = openStateDatabase(folders.runtime, log)
  const now = Date.now()
  const times = { issuedAt: now, expiresAt: now + 86_400_000, usedAt: now }
  const origin = 'https://shop.example'
  createConsentStore(database).add({ id: 'a', origin, ...times }, Buffer.from('a'))
  database.close()
  const failures: unknown[] = []
  const options = { isStarting: false, reportFailure: (error: unknown) => failures.push(error) }
  const machine = { settings, folders, settingsFile }
  const read = async () =>
    (await readSlowView({ machine, fields: readFields([], settingsFile) }, options)).consents
  // A change of the file would show by its time.
  const time = new Date(now - 60_000)
  const path = join(home, 'invoices')
  mkdirSync(path)
  const folder = { origin, entity: 'shop', type: 'invoices', path }
  const write = (file: string, folders: readonly object[]) => {
    writeFileSync(file, JSON.stringify({ grants: [], folders }), { mode: 0o600 })
    utimesSync(file, time, time)
  }
  write(cards, [folder])
  // Only its owner may write it; changing the mode changes no time.
  chmodSync(cards, 0o666)
  expect(await read()).toMatchObject([{ origin, managedFolders: [] }])
  expect(failures).toHaveLength(1)
  chmodSync(cards, 0o600)
  expect(await read()).toMatchObject([{ origin, managedFolders: [path] }])
  // As long as before, and of the same time.
  write(`${cards}.new`, [{ ...folder, origin: 'https://bank.example' }])
  renameSync(`${cards}.new`, cards)
  expect(await read()).toMatchObject([{ origin, managedFolders: [] }])
})
