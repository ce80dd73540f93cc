/** `secret rotate` of the administrators' command, on SQLite: what is sealed opens afterwards, and only with the new secret. */
import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administratorsCommand } from '../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'
import { copyDatabase } from '../src/db/better-sqlite3.ts'
import {
  countOpened,
  createSealedRows,
  keepAsking,
  sealingSettings,
} from './harness/sealed-rows.ts'
import { readContent, withDatabase } from './harness/stored-data.ts'

// Each command is a separate process, and so is each start of the service.

let service: DistributionService
let use: () => Promise<unknown>
let first: string
let backups: string
beforeAll(async () => {
  service = await startDistributionService(undefined, sealingSettings)
  backups = await mkdtemp(join(tmpdir(), 'cardwire-backups-'))
  first = await readSecret()
  use = await createSealedRows(service, first)
})
afterAll(async () => {
  await service?.stop()
  await rm(backups, { recursive: true, force: true })
})

const admin = (...args: readonly string[]) =>
  runProgram([...administratorsCommand, ...args], {
    cwd: root,
    env: createEnvironment(service.folder, {
      DS_DATABASE: service.database,
      DS_PACKAGES_DIR: join(service.folder, 'packages'),
    }),
  })
const rotate = (...args: readonly string[]) => admin('secret', 'rotate', ...args)

/** The folder of a new backup, and what the command printed. */
async function backUp(name: string) {
  const folder = join(backups, name)
  const { status, out } = await admin('backup', folder)
  const [made = ''] = await readdir(folder)
  return { status, out, folder: join(folder, made) }
}

const toPath = (end = '') => `${service.database}.secret${end}`
const readSecret = (end?: string) => readFile(toPath(end), 'utf8')
const readAll = () => withDatabase(service, (data) => readContent(data, []))
const listSecrets = async () =>
  (await readdir(dirname(service.database))).filter((name) => name.includes('.secret')).sort()

const all = {
  signing_keys: [4, 4],
  configurations: [1, 1],
  revisions: [1, 1],
  versions: [1, 1],
  api_keys: [1, 1],
  administrators: [1, 1],
  browser_sessions: [1, 1],
  webhooks: [1, 1],
  use_keys: [1, 1],
}
const none = {
  signing_keys: [0, 4],
  configurations: [0, 1],
  revisions: [0, 1],
  versions: [0, 1],
  api_keys: [0, 1],
  administrators: [0, 1],
  browser_sessions: [0, 1],
  webhooks: [0, 1],
  use_keys: [0, 1],
}
const report = (keys: string, other: string) =>
  [
    `signing keys\t${keys}`,
    `keystore passwords\t${other}`,
    `keystore passwords of earlier revisions\t${other}`,
    `installation keys\t${other}`,
    `API keys for gateways\t${other}`,
    `second factors\t${other}`,
    `sessions of the external identity provider\t${other}`,
    `secrets of webhooks\t${other}`,
    `replaced secrets of webhooks\t${other}`,
    `keys of months with unique devices\t${other}`,
    '',
  ].join('\n')
const toChange = report(
  '4 with the old secret\t0 with the new one',
  '1 with the old secret\t0 with the new one',
)
const changed = report(
  '0 with the old secret\t4 with the new one',
  '0 with the old secret\t1 with the new one',
)

test('a service that answers requests refuses the rotation, which shows before what it would change', async () => {
  proves('secret-rotated')
  const stop = keepAsking(service, await service.login())
  const shown = await rotate()
  const refused = await rotate('--yes')
  expect(await stop()).toEqual(new Set([200]))
  expect(shown).toEqual({
    status: 0,
    out: `${toChange}Nothing was changed. Stop the service, make a backup, and run this again with --yes\n`,
    err: '',
  })
  expect(refused).toEqual({
    status: 1,
    out: '',
    err: `Cannot change "${service.database}": another program has it open. Stop the service first\n`,
  })
  expect(await listSecrets()).toEqual(['ds.sqlite.secret'])
  expect([await readSecret(), await countOpened(service, first)]).toEqual([first, all])
})

test('only the new secret opens what was sealed, and the service has lost nothing', async () => {
  proves('secret-rotated')
  await service.pause()
  const done = await rotate('--yes')
  expect(done).toMatchObject({ status: 0, err: '' })
  expect(done.out.startsWith(toChange)).toBe(true)
  const second = await readSecret()
  expect(await countOpened(service, second)).toEqual(all)
  expect(await countOpened(service, first)).toEqual(none)
  expect(await readSecret('.previous')).toBe(first)
  for (const end of ['', '.previous']) expect((await stat(toPath(end))).mode & 0o777).toBe(0o600)
  expect(done.out).not.toContain(second.trim())
  await service.resume()
  expect(await use()).toEqual(['a-password-of-a-keystore', 200, 200])
})

test('a text that no secret opens stops the rotation, which changes nothing', async () => {
  proves('secret-rotated')
  await service.pause()
  const run = (sql: string) => withDatabase(service, (data) => data.run(sql))
  await run("update browser_sessions set tokens = 'x' || tokens")
  const before = [await readAll(), await readSecret()]
  const { status, err } = await rotate('--yes')
  expect([status, err]).toEqual([
    1,
    'Cannot open what is stored for "external-session": it was encrypted with another secret. Nothing was changed\n',
  ])
  expect([await readAll(), await readSecret()]).toEqual(before)
  await run('update browser_sessions set tokens = substr(tokens, 2)')
})

test('a rotation that ended before its commit takes the secret that it had made', async () => {
  proves('secret-rotated')
  const made = await readSecret('.next')
  const before = await readSecret()
  expect((await rotate('--yes')).status).toBe(0)
  expect([await readSecret(), await readSecret('.previous')]).toEqual([made, before])
  expect(await countOpened(service, made)).toEqual(all)
})

test('a rotation that ended after its commit is finished by the next one', async () => {
  proves('secret-rotated', 'backup-without-its-secret')
  const made = await readSecret()
  await rename(toPath(), toPath('.next'))
  await copyFile(toPath('.previous'), toPath())
  const { folder } = await backUp('interrupted')
  expect(await readFile(join(folder, 'ds.sqlite.secret'), 'utf8')).toBe(made)
  expect(await countOpened({ folder, database: join(folder, 'ds.sqlite') }, made)).toEqual(all)
  await expect(service.resume()).rejects.toThrow('it was stored under another DS_SECRET')
  expect((await rotate('--yes', '--back')).err).toBe(
    'Cannot go back: a rotation was interrupted. Run "secret rotate --yes" first, which finishes it\n',
  )
  const done = await rotate('--yes')
  expect([done.status, done.out.startsWith(changed)]).toEqual([0, true])
  expect(await readSecret()).toBe(made)
  await service.resume()
  expect(await use()).toEqual(['a-password-of-a-keystore', 200, 200])
})

test('--back takes the secret from before', async () => {
  proves('secret-rotated')
  await service.pause()
  const [last, before] = [await readSecret(), await readSecret('.previous')]
  expect((await rotate('--yes', '--back')).status).toBe(0)
  expect([await readSecret(), await readSecret('.previous')]).toEqual([before, last])
  expect(await listSecrets()).toEqual(['ds.sqlite.secret', 'ds.sqlite.secret.previous'])
  await service.resume()
  expect(await use()).toEqual(['a-password-of-a-keystore', 200, 200])
})

test('a secret in a file is not replaced by one that the command names', async () => {
  await writeFile(toPath('.mine'), first)
  expect((await rotate('--to', toPath('.mine'))).err).toBe(
    `Cannot use --to: the secret is in "${toPath()}", and the new one is created there\n`,
  )
})

test('every rotation has an entry in the audit, which has no secret', async () => {
  proves('rotation-in-audit')
  const entries = await withDatabase(service, ({ run }) =>
    run("select * from audit where operation = 'rotateSecret' order by sequence"),
  )
  const fields =
    'signingKey keystorePassword earlierKeystorePassword installationKey apiKey secondFactor externalTokens webhookSecret replacedWebhookSecret monthKey'
  const entry = { subject: 'local', issuer: null, kind: 'secret', id: 'DS_SECRET', fields }
  // Finishing a rotation that ended after its commit writes no second one.
  expect(entries).toMatchObject([entry, entry, entry])
  const secrets = await Promise.all(['', '.previous'].map((end) => readSecret(end)))
  for (const secret of [first, ...secrets])
    expect(JSON.stringify(entries)).not.toContain(secret.trim())
})

test('no rotation begins before a backup has read database and secret', async () => {
  proves('backup-without-its-secret')
  await service.pause()
  const before = await readSecret()
  const folder = await mkdtemp(join(backups, 'copy-'))
  const database = join(folder, 'ds.sqlite')
  let refused: unknown
  await copyDatabase(service.database, database, async () => {
    refused = await rotate('--yes')
  })
  expect(refused).toMatchObject({
    status: 1,
    err: `Cannot change "${service.database}": another program has it open. Stop the service first\n`,
  })
  expect(await countOpened({ folder, database }, before)).toEqual(all)
})

test('a backup has no secret that does not open its database', async () => {
  proves('backup-without-its-secret')
  const before = await readSecret()
  await writeFile(toPath(), `${randomBytes(32).toString('base64')}\n`)
  const { status, out, folder } = await backUp('with-another-secret')
  await writeFile(toPath(), before)
  expect([status, out.split('\n')[1]]).toEqual([
    0,
    'The backup does not contain the secret of the database. Keep a copy of DS_SECRET.',
  ])
  expect(await readdir(folder)).toEqual(['ds.sqlite'])
})
