/** The administrators' command, as an administrator uses it, beside the running service. */
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseEnv } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administratorsCommand } from '../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { readSettings } from '../src/settings.ts'
import { addSecondFactor, createAccount, getToken } from './harness/account.ts'

const tokenPath = '/auth/realms/cardwire/protocol/openid-connect/token'

// Up to eight commands in a test, each a process of its own.
describe('administrators’ command', () => {
  let service: DistributionService
  beforeAll(async () => {
    service = await startDistributionService()
  })
  afterAll(() => service.stop())

  async function admin(args: readonly string[], input = '', database = service.database) {
    const { status, out, err } = await runProgram([...administratorsCommand, ...args], {
      cwd: root,
      input,
      env: createEnvironment(service.folder, {
        DS_DATABASE: database,
        DS_PACKAGES_DIR: join(service.folder, 'packages'),
      }),
    })
    return { code: status, out, err }
  }
  const login = async (username: string, password: string) => {
    const form = { client_id: 'cardwire', grant_type: 'password', username, password }
    return service.request('POST', tokenPath, { form })
  }

  test('add reads the password from standard input, and the service accepts it at once', async () => {
    const added = await admin(['add', 'alice', '--keep-password'], 'a-password-for-alice\n')
    expect(added).toEqual({ code: 0, out: 'Added "alice"\n', err: '' })
    const { status, json } = await login('alice', 'a-password-for-alice')
    expect(status).toBe(200)
    const token = json.access_token
    expect((await service.request('GET', '/v3/organizations', { token })).status).toBe(200)
    expect((await admin(['list'])).out).toMatch(
      /^admin\tadministrator\tsince .*\nalice\tadministrator\tsince /,
    )
  })

  test('add --role and role give a role, which holds at once', async () => {
    proves('administrator-accounts')
    await admin(['add', 'victor', '--role', 'viewer', '--keep-password'], 'a-password-for-victor')
    const { json } = await login('victor', 'a-password-for-victor')
    const put = async () => {
      const token = json.access_token
      return (await service.request('PUT', '/v3/versions', { token, body: {} })).json.code
    }
    expect(await put()).toBe('role-missing')
    expect((await admin(['role', 'victor', 'publisher'])).out).toBe(
      'Changed the role of "victor" to publisher\n',
    )
    expect(await put()).toBe('input-invalid')
    expect((await admin(['list'])).out).toMatch(/^victor\tpublisher\tsince /m)
  })

  test('who gets a password changes it before anything else, unless --keep-password says otherwise', async () => {
    proves('password-change-first')
    const codeOf = async (password: string) => {
      const { json } = await login('judy', password)
      const { access_token: token } = json
      return (await service.request('GET', '/v3/organizations', { token })).json.code
    }
    await admin(['add', 'judy'], 'a-password-for-judy')
    expect(await codeOf('a-password-for-judy')).toBe('password-change-required')
    await admin(['password', 'judy', '--keep-password'], 'another-password')
    expect(await codeOf('another-password')).toBeUndefined()
    await admin(['password', 'judy'], 'yet-another-password')
    expect(await codeOf('yet-another-password')).toBe('password-change-required')
  })

  test('password changes it and ends the sessions', async () => {
    await admin(['add', 'bob'], 'a-password-for-bob')
    const { json } = await login('bob', 'a-password-for-bob')
    expect((await admin(['password', 'bob'], 'another-password')).code).toBe(0)
    expect((await login('bob', 'another-password')).status).toBe(200)
    const form = {
      client_id: 'cardwire',
      grant_type: 'refresh_token',
      refresh_token: json.refresh_token,
    }
    expect((await service.request('POST', tokenPath, { form })).json.error).toBe('invalid_grant')
  })

  test('reset-second-factor removes a lost one and ends the sessions', async () => {
    proves('second-factor')
    const account = await createAccount(service)
    const token = await getToken(service, account)
    const { access_token } = (await login(account.name, account.password)).json
    await addSecondFactor(service, account, token)
    expect((await login(account.name, account.password)).json.error).toBe('mfa_required')
    const reset = () => admin(['reset-second-factor', account.name])
    expect(await reset()).toEqual({
      ...{ code: 0, err: '' },
      out: `Turned off two-factor authentication for "${account.name}"\n`,
    })
    expect(await reset()).toEqual({
      ...{ code: 0, err: '' },
      out: `"${account.name}" has no two-factor authentication. Nothing was changed.\n`,
    })
    expect((await login(account.name, account.password)).status).toBe(200)
    for (const ended of [token, access_token])
      expect((await service.request('GET', '/v3/account', { token: ended })).status).toBe(401)
    const unknown = await admin(['reset-second-factor', 'nobody'])
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no such')])
  })

  test('add --generate prints a password once, which works', async () => {
    const { err } = await admin(['add', 'carol', '--generate'])
    const password = /shown once\): (\S+)/.exec(err)?.[1] ?? ''
    expect((await login('carol', password)).status).toBe(200)
  })

  test.each([
    ['add', 'admin', 'the administrator exists already'],
    ['password', 'nobody', 'there is no such administrator'],
  ])('%s --generate makes no password for "%s"', async (command, name, reason) => {
    const { code, out, err } = await admin([command, name, '--generate'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(reason)
    expect(err).not.toContain('Password')
  })

  test('remove ends an administrator, but never the last', async () => {
    await admin(['add', 'dave'], 'a-password-for-dave')
    expect((await admin(['remove', 'dave'])).code).toBe(0)
    expect((await login('dave', 'a-password-for-dave')).status).toBe(400)
    const database = join(service.folder, 'last/ds.sqlite')
    await admin(['add', 'ivan', '--create'], 'a-password-for-ivan', database)
    const last = await admin(['remove', 'ivan'], '', database)
    expect([last.code, last.err]).toEqual([
      1,
      'Cannot remove "ivan": it is the last administrator\n',
    ])
  })

  test('changes by the command are in the audit, without passwords', async () => {
    const secrets = ['a-password-for-frank', 'another-password-for-frank']
    await admin(['add', 'frank'], secrets[0])
    await admin(['add', 'frank'], secrets[0])
    await admin(['password', 'frank'], secrets[1])
    await admin(['password', 'frank'], 'short')
    await admin(['remove', 'frank'])
    await admin(['remove', 'frank'])
    const { out } = await admin(['add', 'frank', '--sql'], secrets[0])
    const connection = new Sqlite(service.database)
    connection.exec(out)
    const entries = connection
      .prepare("select * from audit where id = 'frank' order by sequence")
      .all()
    connection.close()
    const entry = { subject: 'local', issuer: null, name: 'local', address: null, request_id: null }
    expect(entries).toMatchObject([
      {
        ...entry,
        operation: 'addAdministrator',
        kind: 'administrator',
        fields: 'name password role',
      },
      { ...entry, operation: 'changePassword', fields: 'password' },
      { ...entry, operation: 'removeAdministrator', fields: 'name password role' },
      { ...entry, operation: 'addAdministrator', fields: 'name password role' },
    ])
    for (const secret of secrets) expect(JSON.stringify(entries)).not.toContain(secret)
    expect(out).not.toContain(secrets[0])
  })

  test('backup copies database and secret while the service runs, for their owner alone', async () => {
    const folder = join(service.folder, 'backups')
    expect(await admin(['add', 'grace'], 'a-password-for-grace')).toMatchObject({ code: 0 })
    const { code, out, err } = await admin(['backup', folder])
    expect([code, err]).toEqual([0, ''])
    const [name = ''] = await readdir(folder)
    expect(out).toBe(`Backed up to "${join(folder, name)}"\n`)
    const files = [basename(service.database), `${basename(service.database)}.secret`]
    expect((await readdir(join(folder, name))).sort()).toEqual(files)
    const mode = async (...path: string[]) => (await stat(join(folder, ...path))).mode & 0o777
    expect(await mode()).toBe(0o700)
    expect(await mode(name)).toBe(0o700)
    for (const file of files) expect(await mode(name, file)).toBe(0o600)
    expect(await readFile(join(folder, name, files[1] ?? ''))).toEqual(
      await readFile(`${service.database}.secret`),
    )
    // grace's row may have been in the write-ahead log alone.
    const copy = new Sqlite(join(folder, name, files[0] ?? ''), { readonly: true })
    const names = copy.prepare('select name from administrators').pluck().all()
    copy.close()
    expect(names).toContain('grace')
    expect((await login('grace', 'a-password-for-grace')).status).toBe(200)
  })

  test('backup --keep removes the oldest backups alone', async () => {
    const folder = join(service.folder, 'kept')
    for (let made = 0; made < 2; made++) await admin(['backup', folder])
    await mkdir(join(folder, 'of-another-program'))
    const before = (await readdir(folder)).sort()
    const { code, out } = await admin(['backup', folder, '--keep', '2'])
    expect(code).toBe(0)
    const after = (await readdir(folder)).sort()
    expect(after).toHaveLength(3)
    expect(after).toEqual(expect.arrayContaining(before.slice(1)))
    expect(out).toContain(`Removed "${join(folder, before[0] ?? '')}"\n`)
  })

  test('backup --keep keeps the one just made when others have later times', async () => {
    proves('backup-removed')
    const folder = join(service.folder, 'ahead')
    const later = ['20990101T000000.000Z', '20990102T000000.000Z', '20990103T000000.000Z']
    for (const name of later) await mkdir(join(folder, name), { recursive: true })
    const made = async (keep: string) => {
      const { out } = await admin(['backup', folder, '--keep', keep])
      return basename(/^Backed up to "(.*)"/.exec(out)?.[1] ?? '')
    }
    const first = await made('3')
    expect((await readdir(folder)).sort()).toEqual([first, later[1], later[2]])
    const second = await made('3')
    expect((await readdir(folder)).sort()).toEqual([first, second, later[2]])
    const third = await made('1')
    expect(await readdir(folder)).toEqual([third])
  })

  test('backup removes what a killed one has left a day ago, and leaves one that is being made', async () => {
    proves('backup-removed')
    const folder = join(service.folder, 'killed')
    const [old, running] = ['.20260101T000000.000Z.partial', '.20260102T000000.000Z.partial']
    for (const name of [old, running]) await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, old, 'ds.sqlite'), 'a part')
    const dayAgo = Date.now() / 1000 - 86_500
    await utimes(join(folder, old), dayAgo, dayAgo)
    expect((await admin(['backup', folder])).code).toBe(0)
    const names = await readdir(folder)
    expect([names.length, names.includes(running), names.includes(old)]).toEqual([2, true, false])
  })

  test('a backup that fails removes nothing and leaves nothing', async () => {
    const folder = join(service.folder, 'failed')
    await admin(['backup', folder])
    const before = await readdir(folder)
    const damaged = join(service.folder, 'damaged.sqlite')
    await writeFile(damaged, 'no database')
    const { code, err } = await admin(['backup', folder, '--keep', '1'], '', damaged)
    expect(code).toBe(1)
    expect(err).toMatch(/^Cannot back up ".*damaged\.sqlite" to ".*": /)
    expect(await readdir(folder)).toEqual(before)
  })

  test.each(['packages', 'packages/new/backups'])(
    'a backup to %s, where anyone could download it, is refused',
    async (path) => {
      proves('database-as-installer')
      const before = await readdir(join(service.folder, 'packages'))
      const { code, err } = await admin(['backup', join(service.folder, path)])
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('(DS_PACKAGES_DIR) can be downloaded'),
      ])
      expect(await readdir(join(service.folder, 'packages'))).toEqual(before)
    },
  )

  test('add --create makes the database before the first start, which adds no other administrator', async () => {
    const database = join(service.folder, 'new/ds.sqlite')
    const added = await admin(['add', 'heidi', '--create'], 'a-password-for-heidi', database)
    expect(added).toEqual({ code: 0, out: 'Added "heidi"\n', err: '' })
    expect((await stat(database)).mode & 0o777).toBe(0o600)
    expect((await admin(['list'], '', database)).out).toMatch(/^heidi\tadministrator\tsince .*\n$/)
    const other = await startDistributionService(undefined, { DS_DATABASE: database })
    await other.stop()
    expect((await admin(['list'], '', database)).out).toMatch(/^heidi\tadministrator\tsince .*\n$/)
  })

  test.each([
    ['an unknown administrator', ['password', 'nobody'], 'a-long-password', 'Cannot find "nobody"'],
    ['a name that is there', ['add', 'admin'], 'a-long-password', 'Cannot add "admin"'],
    ['a short password', ['add', 'erin'], 'short', 'it has 5 characters, expected 12 to 1024'],
    ['no password', ['add', 'erin'], '', 'standard input is empty'],
    ['a backup of none', ['backup', '/nonexistent', '--keep', '0'], '', 'Expected a whole number'],
    [
      'an unknown role',
      ['role', 'admin', 'owner'],
      '',
      'expected viewer, publisher, administrator',
    ],
    ['a role for nobody', ['role', 'nobody', 'viewer'], '', 'Cannot find "nobody"'],
    ['an unknown role of a new one', ['add', 'erin', '--role', 'owner'], '', 'Allowed choices are'],
    ['an unknown command', ['promote', 'erin'], '', 'unknown command'],
  ])('%s is refused with a sentence and exit status 1', async (_, args, input, sentence) => {
    const { code, err } = await admin(args, input)
    expect(code).toBe(1)
    expect(err).toContain(sentence)
    expect(err).not.toMatch(/\n\s+at /)
  })

  test('--sql prints statements that make the same change in another database', async () => {
    const { out, err } = await admin(['add', "o'hara", '--sql'], 'a-password-for-ohara')
    expect(err).toBe('')
    const connection = new Sqlite(service.database)
    connection.exec(out)
    connection.close()
    expect((await login("o'hara", 'a-password-for-ohara')).status).toBe(200)
  })

  test('limits prints the settings that a fleet needs, which the service accepts', async () => {
    const limits = (...args: string[]) => admin(['limits', ...args])
    const { code, out } = await limits('--devices', '200000', '--addresses', '4')
    expect(code).toBe(0)
    const values = parseEnv(out)
    expect(values).toEqual({
      DS_TOKEN_LIMIT: '3400',
      DS_DOWNLOAD_LIMIT: '210',
      DS_DEVICES_PER_KEY: '250000',
      DS_DEVICES_PER_ADDRESS: '130000',
      DS_REGISTRATION_LIMIT: '2100',
    })
    expect(readSettings(values)).toMatchObject({ registrationLimit: 2100, devicesPerKey: 250_000 })
    for (const wrong of [[], ['--devices', '0'], ['--devices', '5000001'], ['--devices', '2e5']]) {
      const refused = await limits(...wrong)
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--devices')])
    }
  })

  test('demo makes a fleet that the service shows, and refuses a database that is no demo', async () => {
    const database = join(service.folder, 'demo/demo.sqlite')
    const demo = (file: string, devices = '1500') =>
      admin(['demo', '--devices', devices, '--database', file])
    const made = await demo(database)
    expect([made.code, made.out]).toEqual([0, expect.stringContaining(`DS_DATABASE=${database}`)])
    const again = await demo(database)
    expect(again.code).toBe(0)
    const password = /shown once\): (\S+)/.exec(again.err)?.[1] ?? ''
    const other = await startDistributionService(undefined, { DS_DATABASE: database })
    try {
      const form = { client_id: 'cardwire', grant_type: 'password', username: 'admin', password }
      const token = (await other.request('POST', tokenPath, { form })).json.access_token
      const get = async (path: string) => (await other.request('GET', path, { token })).json.data
      const { devices, blocked, waiting, silent, faulty, days } = await get('/v3/devices/summary')
      expect(devices).toBe(1500)
      for (const count of [blocked, waiting, silent, faulty]) expect(count).toBeGreaterThan(0)
      expect(new Set(days.map(({ day }: Json) => day)).size).toBe(30)
      for (const path of [
        '/v3/devices?fault=any',
        '/v3/devices?version=4.3.0',
        '/v3/devices/refusals?reason=too-many-requests',
        '/v3/counters',
        '/v3/downloads',
      ])
        expect([path, (await get(path)).total > 5]).toEqual([path, true])
      const allowlists = await get('/v3/configurations?type=CONTEXT_CONFIG')
      expect(allowlists.total).toBe(5)
      expect((await get('/v3/api-clients')).items.map(({ id }: Json) => id)).toEqual([
        ...['monitoring', 'release-pipeline'],
      ])
      const inUse = await demo(database)
      expect([inUse.code, inUse.err]).toEqual([1, expect.stringContaining('has it open')])
      expect((await get('/v3/devices/summary')).devices).toBe(1500)
    } finally {
      await other.stop()
    }
    const before = await readFile(service.database)
    const refused = await demo(service.database)
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('the file is not a demo'),
    ])
    expect((await readFile(service.database)).equals(before)).toBe(true)
    const file = join(service.folder, 'a-text.txt')
    await writeFile(file, 'a text')
    expect((await demo(file)).err).toContain('the file is not a demo')
    expect(await readFile(file, 'utf8')).toBe('a text')
  })

  test('--help lists the commands and the setting', async () => {
    const { code, out } = await admin(['--help'])
    expect(code).toBe(0)
    for (const word of ['list', 'add', 'password', 'remove', 'DS_DATABASE'])
      expect(out).toContain(word)
  })
})
