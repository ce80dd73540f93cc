/** The Debian package: its bytes, lintian, its units, and its life in the root of a bare Debian, from install to purge. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, createAdministrator } from '../../../test/bed/administrator.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment, type Program, startProgram } from '../../../test/bed/program.ts'
import { root, toolPath } from '../../../test/bed/repository.ts'
import { createServiceClient } from '../../../test/bed/service-request.ts'

const data = 'var/lib/cardwire-ds'
const backups = 'var/backups/cardwire-ds'

let folder: string
let first: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-debian-'))
  first = release('first')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Makes the package; returns its path. */
function release(name: string, env: Readonly<Record<string, string>> = {}): string {
  const out = join(folder, name)
  execFileSync(toolPath('node'), ['ds/release/main.ts', '--formats', 'deb', '--out', out], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(out, readdirSync(out).find((file) => file.endsWith('.deb')) ?? '')
}

test('the same commit makes the same package, in another time zone', () => {
  const second = release('second', { TZ: 'Asia/Tokyo' })
  expect(readFileSync(second).equals(readFileSync(first))).toBe(true)
})

test('the documents that the admin console shows are next to the program', () => {
  const listed = execFileSync('dpkg-deb', ['--contents', first], { encoding: 'utf8' })
  const paths = [...listed.matchAll(/ \.(\/usr\/lib\/cardwire-ds\/docs\/.*[^/])$/gm)].map(
    ([, path]) => path,
  )
  expect(paths.toSorted()).toEqual([
    '/usr/lib/cardwire-ds/docs/browser-policies.md',
    '/usr/lib/cardwire-ds/docs/card-settings.md',
    '/usr/lib/cardwire-ds/docs/cards.md',
    '/usr/lib/cardwire-ds/docs/connector-settings.md',
    '/usr/lib/cardwire-ds/docs/deploy.md',
    '/usr/lib/cardwire-ds/docs/grafana-dashboard.json',
    '/usr/lib/cardwire-ds/docs/install.md',
    '/usr/lib/cardwire-ds/docs/policies/chromium-before-146.json',
    '/usr/lib/cardwire-ds/docs/policies/chromium.json',
    '/usr/lib/cardwire-ds/docs/policies/firefox.json',
    '/usr/lib/cardwire-ds/docs/policies/macos.mobileconfig',
    '/usr/lib/cardwire-ds/docs/policies/windows.reg',
    '/usr/lib/cardwire-ds/docs/prometheus-alerts.yml',
    '/usr/lib/cardwire-ds/docs/rollout.md',
    '/usr/lib/cardwire-ds/docs/rsyslog.conf',
    '/usr/lib/cardwire-ds/docs/settings.md',
  ])
})

test('lintian finds no error', () => {
  const { stdout } = spawnSync('lintian', ['--allow-root', first], { encoding: 'utf8' })
  expect(stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([])
})

describe('in a bare Debian', () => {
  let bare: string
  let program: Program | undefined
  let port: number
  beforeAll(async () => {
    bare = join(folder, 'root')
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', bare], { stdio: 'ignore' })
    execFileSync('cp', [first, join(bare, 'tmp/cardwire-ds.deb')])
    port = await findFreePort()
  })
  afterAll(() => program?.stopGroup())

  const run = (command: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('chroot', [bare, ...command], {
      encoding: 'utf8',
      input,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    })
    return { status, output: stdout + stderr }
  }
  /** What the machine starts when it boots. */
  const enabledUnits = () =>
    ['multi-user', 'timers'].flatMap((target) => {
      const wants = join(bare, `etc/systemd/system/${target}.target.wants`)
      return existsSync(wants) ? readdirSync(wants).filter((name) => /cardwire/.test(name)) : []
    })
  /** As the unit starts it. */
  async function start() {
    const unit = readFileSync(join(bare, 'usr/lib/systemd/system/cardwire-ds.service'), 'utf8')
    const [, file = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
    const [, settings = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
    const account = ['setpriv', '--reuid=cardwire-ds', '--regid=cardwire-ds', '--init-groups']
    const env = createEnvironment('/', { DS_PORT: String(port) })
    program = startProgram(['chroot', bare, ...account, 'env', settings, file], { env })
    await program.waitForOutput(/API document/)
    return createAdministrator(createServiceClient(`http://127.0.0.1:${port}`, 'x-forwarded-for'))
  }

  test('its units pass systemd-analyze, with an exposure of 2.0 at most', () => {
    run(['dpkg', '--unpack', '/tmp/cardwire-ds.deb'])
    const units = join(bare, 'usr/lib/systemd/system')
    for (const unit of [
      'cardwire-ds.service',
      'cardwire-ds@.service',
      'cardwire-ds-backup.service',
    ]) {
      const text = readFileSync(join(units, unit), 'utf8')
      const copy = join(folder, unit)
      // It looks for the program and the document, too.
      writeFileSync(copy, text.replaceAll(/(=|file:)\/usr/g, `$1${bare}/usr`))
      const verified = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' })
      const lines = `${verified.stdout}${verified.stderr}`.split('\n')
      expect([verified.status, lines.filter((line) => line.includes(unit))]).toEqual([0, []])
      const { stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=yes', '--no-pager', join(units, unit)],
        { encoding: 'utf8' },
      )
      const exposure = Number(/exposure level.*?: ([\d.]+)/.exec(stdout)?.[1])
      expect([unit, exposure <= 2]).toEqual([unit, true])
    }
  })

  test('dpkg installs it, and it says what to do next', () => {
    const { status, output } = run(['dpkg', '--install', '/tmp/cardwire-ds.deb'])
    expect([status, output]).toEqual([
      0,
      expect.stringContaining('cardwire-ds-admin add admin --create'),
    ])
    // It has no settings yet, and does not start with the machine.
    expect(enabledUnits()).toEqual([])
    const mode = (path: string) => (statSync(join(bare, path)).mode & 0o777).toString(8)
    expect([data, backups, 'etc/cardwire-ds/settings.env'].map(mode)).toEqual(['700', '700', '640'])
  })

  test('an administrator is added before the first start, and logs in', async () => {
    const added = run(
      ['cardwire-ds-admin', 'add', 'admin', '--create', '--keep-password'],
      `${administrator.password}\n`,
    )
    expect(added).toEqual({ status: 0, output: 'Added "admin"\n' })
    const { admin } = await start()
    expect(await admin('GET', '/v3/organizations')).toMatchObject({ items: [] })
    // No password was generated.
    expect(program?.output()).not.toContain('First administrator')
  })

  test('a backup that was restored has the administrators of its time', async () => {
    const made = run(['cardwire-ds-admin', 'backup', `/${backups}`, '--keep', '14'])
    expect(made.status).toBe(0)
    const [name = ''] = readdirSync(join(bare, backups))
    for (const file of readdirSync(join(bare, backups, name))) {
      expect(statSync(join(bare, backups, name, file)).mode & 0o777).toBe(0o600)
    }
    expect(run(['cardwire-ds-admin', 'add', 'later'], `${administrator.password}\n`).status).toBe(0)
    await program?.stopGroup()
    const script = readRestoreScript().replace(/\/[\dT.]+Z\//, `/${name}/`)
    expect(run(['sh', '-euc', script])).toEqual({ status: 0, output: '' })
    const { admin } = await start()
    expect(await admin('GET', '/v3/organizations')).toMatchObject({ items: [] })
    expect(run(['cardwire-ds-admin', 'list']).output).toMatch(/^admin\tadministrator\tsince .*\n$/)
    await program?.stopGroup()
  })

  test('an upgrade enables what was enabled, and nothing else', () => {
    const upgrade = () => run(['dpkg', '--install', '/tmp/cardwire-ds.deb']).status
    expect([upgrade(), enabledUnits()]).toEqual([0, []])
    // As systemctl does, which a bare Debian does not have.
    const wants = '/etc/systemd/system/multi-user.target.wants'
    run(['mkdir', '-p', wants])
    run(['ln', '-s', '/usr/lib/systemd/system/cardwire-ds.service', wants])
    expect([upgrade(), enabledUnits()]).toEqual([0, ['cardwire-ds.service']])
    expect(run(['dpkg', '--remove', 'cardwire-ds']).status).toBe(0)
    expect([upgrade(), enabledUnits()]).toEqual([0, ['cardwire-ds.service']])
  })

  test('an upgrade keeps settings and data, and says nothing of a first start', () => {
    run(['sh', '-c', 'echo DS_URL=https://ds.example >> /etc/cardwire-ds/settings.env'])
    const { status, output } = run(['dpkg', '--install', '/tmp/cardwire-ds.deb'])
    expect([status, output]).toEqual([0, expect.not.stringContaining('To finish setup')])
    expect(run(['grep', '-c', 'https://ds.example', '/etc/cardwire-ds/settings.env']).output).toBe(
      '2\n',
    )
    expect(existsSync(join(bare, data, 'cardwire.sqlite'))).toBe(true)
  })

  test('remove keeps the data, purge removes it and keeps the backups', () => {
    expect(run(['dpkg', '--remove', 'cardwire-ds']).status).toBe(0)
    expect(existsSync(join(bare, data, 'cardwire.sqlite'))).toBe(true)
    const { status, output } = run(['dpkg', '--purge', 'cardwire-ds'])
    expect([status, output]).toEqual([0, expect.stringContaining('Kept the backups')])
    expect(existsSync(join(bare, data))).toBe(false)
    expect(existsSync(join(bare, 'etc/cardwire-ds'))).toBe(false)
    expect(readdirSync(join(bare, backups))).toHaveLength(1)
  })
})

/** The commands of docs/deploy.md that restore a backup, without those of systemd. */
function readRestoreScript(): string {
  const document = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  const [, block = ''] = /To restore one.*?```sh\n(.*?)```/s.exec(document) ?? []
  // The bare Debian has no sudo.
  const account = 'setpriv --reuid=cardwire-ds --regid=cardwire-ds --init-groups '
  const script = block.replaceAll('sudo -u cardwire-ds ', account).replaceAll('sudo ', '')
  const lines = script.split('\n')
  return lines.filter((line) => !line.startsWith('systemctl')).join('\n')
}
