/** The packages on machines that differ: an RPM package, a registry that was there before, no systemd, nothing installed. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, createBareRoot, createRoot } from '../../../test/bed/booted-machine.ts'
import { makePackage, tearPackage } from '../../test/binary/packages/make-packages.ts'

let folder: string
let clean: string
/** By version and format. */
const packages = new Map<string, string>()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-machines-'))
  clean = join(folder, 'clean')
  createRoot(clean, ['rpm'])
  for (const version of ['900.0.0', '900.0.1']) {
    const out = join(folder, version)
    makePackage(out, ['--formats', 'deb,rpm', '--fast', '--version', version])
    for (const file of readdirSync(out)) {
      const [, format] = /\.(deb|rpm)$/.exec(file) ?? []
      if (format) packages.set(`${format} ${version}`, join(out, file))
    }
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a script saw in a machine of its own. `format`: of the packages `old` and `new`. */
function see(name: string, format: 'deb' | 'rpm', boots = true): Readonly<Record<string, string>> {
  const root = join(folder, name)
  cpSync(clean, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  const get = (version: string) => packages.get(`${format} ${version}`) ?? ''
  return boot({
    root,
    script: fileURLToPath(new URL(`${name}.sh`, import.meta.url)),
    packages: {
      [`old.${format}`]: get('900.0.0'),
      [`new.${format}`]: get('900.0.1'),
      [`torn.${format}`]: tearPackage(get('900.0.1'), join(folder, `torn.${format}`)),
    },
    results: join(folder, `${name}-results`),
    boots,
  })
}

test('the RPM package lives as the specification says, from install to erase', () => {
  const { 'upgrade.seconds': seconds, 'upgrade.gap': gapMs, ...facts } = see('rpm', 'rpm')
  expect(facts).toEqual({
    'install.status': '0',
    'install.answers': 'yes',
    'install.openSession': 'yes',
    'install.verified': 'yes',
    'install.policies': '1 1 1',
    'install.session': 'yes',
    'install.sessionEnds': 'yes inactive',
    'install.browsersTrust': '2 2',
    'crash.agent': 'yes',
    'crash.registry': 'yes',
    'torn.refused': 'yes',
    'torn.runs': 'yes 900.0.0',
    'upgrade.status': '0',
    'upgrade.answers': 'yes',
    'upgrade.agents': 'yes yes',
    'upgrade.versions': '900.0.1 900.0.1 900.0.1',
    'upgrade.owners': 'alice bob',
    'upgrade.kept': 'yes',
    'disabled.agent': 'disabled',
    'disabled.registry': 'disabled inactive',
    'erase.status': '0',
    'erase.processes': '0',
    'erase.runtime': 'no',
    'erase.certificates': 'yes yes',
    'erase.trust': 'no 0 0',
    'erase.policies': '0 0 0',
    'erase.links': 'keep',
    'erase.settings': 'managed.conf',
    'erase.left': '',
    done: 'yes',
  })
  // One connector was stopped by a signal.
  expect(Number(seconds)).toBeLessThan(30)
  // rpm has no step right before the files: with %pre the registry ends before they are unpacked.
  expect(Number(gapMs)).toBeLessThanOrEqual(3000)
})

test('an upgrade whose files are torn leaves the version before, which runs again; what is disabled stays so', () => {
  expect(see('failed-upgrade', 'deb')).toEqual({
    'torn.status': '1',
    'torn.ended': 'yes',
    'torn.answers': 'yes',
    'torn.agent': 'yes 900.0.0',
    'torn.state': 'install ok installed 900.0.0',
    'torn.verified': 'yes',
    'torn.left': 'no',
    'next.status': '0',
    'next.runs': 'yes yes 900.0.1',
    'disabled.agent': 'disabled',
    'disabled.session': 'no',
    done: 'yes',
  })
})

test('a registry that was installed before is taken over with its root, and stays disabled when it was', () => {
  expect(see('taken-over', 'deb')).toEqual({
    'before.unit': '/etc/systemd/system/cardwire-registry.service',
    'running.status': '0',
    'running.unit': '/lib/systemd/system/cardwire-registry.service',
    'running.program': '/usr/lib/cardwire/cardwire',
    'running.state': 'enabled active',
    'running.answers': 'yes',
    'running.root': 'yes',
    'running.policies': '1 1 1',
    'purge.policies': '0 0 0',
    'disabled.unit': '/lib/systemd/system/cardwire-registry.service',
    'disabled.state': 'disabled inactive',
    'elsewhere.unit': '/etc/systemd/system/cardwire-registry.service',
    'elsewhere.state': 'enabled active',
    done: 'yes',
  })
})

test('without systemd the desktop starts the connector, and an upgrade brings it back with its environment', () => {
  const { 'upgrade.seconds': seconds, ...facts } = see('without-systemd', 'deb', false)
  expect(facts).toEqual({
    'install.status': '0',
    'install.entry': 'yes /usr/lib/cardwire/cardwire run',
    'install.connector': 'yes',
    'install.registry': 'yes',
    'upgrade.status': '0',
    'upgrade.connector': 'yes',
    'upgrade.version': '900.0.1',
    'upgrade.owner': 'alice',
    'upgrade.environment':
      'CARDWIRE_CORS=https://a.example,https://b.example DISPLAY=:7 HOME=/home/alice',
    'upgrade.left': 'no',
    'purge.status': '0',
    'purge.processes': '0',
    'purge.runtime': 'no',
    done: 'yes',
  })
  expect(Number(seconds)).toBeLessThan(30)
})

describe('in a machine with nothing but apt', () => {
  test('apt-get installs the package with what it needs', () => {
    const root = join(folder, 'bare')
    createBareRoot(root)
    copyFileSync(packages.get('deb 900.0.1') ?? '', join(root, 'srv/cardwire.deb'))
    // With the network of this machine.
    const enter = ['--quiet', `--directory=${root}`, '--register=no', '--keep-unit', '--pipe']
    const run = (...command: readonly string[]) =>
      spawnSync(
        'systemd-nspawn',
        [...enter, '--setenv=DEBIAN_FRONTEND=noninteractive', ...command],
        { encoding: 'utf8' },
      )
    run('apt-get', 'update', '-qq')
    const { status, stderr } = run('apt-get', 'install', '-y', '-qq', '/srv/cardwire.deb')
    expect([status, stderr]).toEqual([0, expect.any(String)])
    expect(run('cardwire', '--version').stdout).toBe('900.0.1\n')
    for (const path of ['usr/sbin/pcscd', 'usr/bin/certutil', 'usr/bin/xclip'])
      expect([path, existsSync(join(root, path))]).toEqual([path, true])
  })
})
