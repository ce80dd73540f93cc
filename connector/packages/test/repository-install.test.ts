/** Machines that install and upgrade Cardwire from a package repository: by apt, and by dnf. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRoot } from '../../../test/bed/booted-machine.ts'
import { runProgram } from '../../../test/bed/program.ts'
import { makePackage } from '../../test/binary/packages/make-packages.ts'
import { makeEmptyRpm, makeKey, publish, serve } from './test-repository.ts'

const userId = 'Packages <packages@shop.example>'
const versions = ['900.0.0', '900.0.1'] as const
let top: string
let keys: string
let key: string
let foreignKey: string
let folder: string
let root: string
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), 'cardwire-from-repository-'))
  keys = join(top, 'keys')
  key = makeKey(keys, userId)
  for (const version of versions)
    makePackage(join(top, version), ['--formats', 'deb,rpm', '--fast', '--version', version])
  createRoot(join(top, 'clean'), ['rpm', 'dnf', 'gnupg'])
  const foreignKeys = join(top, 'foreign-keys')
  makeKey(foreignKeys, userId)
  foreignKey = join(top, 'foreign.asc')
  const env = { ...process.env, GNUPGHOME: foreignKeys }
  writeFileSync(foreignKey, execFileSync('gpg', ['--armor', '--export'], { env }))
  folder = join(top, 'repository')
  await add('900.0.0')
  server = await serve(folder)
})
afterAll(() => {
  server?.close()
  rmSync(top, { recursive: true, force: true })
})
let count = 0
beforeEach(() => {
  count += 1
  root = join(top, `machine-${count}`)
  const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }
  cpSync(join(top, 'clean'), root, options)
})

const getFiles = (version: string) => [
  join(top, version, `cardwire_${version}_amd64.deb`),
  join(top, version, `cardwire-${version}-1.x86_64.rpm`),
]
async function add(version: string): Promise<void> {
  const target = ['--repository', folder, '--repository-key', key]
  const { status, err } = await publish(keys, [
    ...target,
    '--version',
    version,
    ...getFiles(version),
  ])
  expect([status, err]).toEqual([0, ''])
}

/** Runs a command in the machine, with the network of this one; its status, and everything that it said. */
async function run(...command: readonly string[]) {
  const enter = ['--quiet', `--directory=${root}`, '--register=no', '--keep-unit', '--pipe']
  const { status, out, err } = await runProgram([
    ...['systemd-nspawn', ...enter, '--setenv=DEBIAN_FRONTEND=noninteractive', '--', ...command],
  ])
  return { status, out, output: out + err }
}

/** Runs the first commands below a heading of docs/install.md, as root, with this repository. */
function follow(heading: string) {
  const text = readFileSync(new URL('../../../docs/install.md', import.meta.url), 'utf8')
  const section = text.slice(text.indexOf(`#### ${heading}\n`))
  const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
  const here = commands.replaceAll('https://packages.example', server.url).replaceAll('sudo ', '')
  return run('sh', '-e', '-c', here)
}

/** Changes a byte of a file of the repository while `act` runs. */
async function withChangedByte(path: string, act: () => Promise<void>): Promise<void> {
  const file = join(folder, path)
  const bytes = readFileSync(file)
  const changed = Buffer.from(bytes)
  // Of a list it is in the text, not in the signature behind it.
  const at = bytes.length >> 2
  changed.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, changed)
  await act().finally(() => writeFileSync(file, bytes))
}

/** Writes the public key that the machine verifies with; `foreign`: of the same name, but not the one that signs. */
function placeKey(path: string, foreign = false): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  const from = join(folder, 'cardwire.asc')
  copyFileSync(foreign ? foreignKey : from, join(root, path))
}
function write(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), `${lines.join('\n')}\n`)
}

describe('apt', () => {
  const keyPath = '/etc/apt/keyrings/cardwire.asc'
  const apt = (...args: readonly string[]) => run('apt-get', '--quiet', ...args)
  const install = (name = 'cardwire') => apt('install', '--yes', '--no-install-recommends', name)
  beforeEach(() => {
    for (const path of ['sources.list', 'sources.list.d'])
      rmSync(join(root, 'etc/apt', path), { recursive: true, force: true })
    placeKey(keyPath)
    write('/etc/apt/sources.list.d/cardwire.sources', [
      'Types: deb',
      `URIs: ${server.url}`,
      'Suites: stable',
      'Components: main',
      `Signed-By: ${keyPath}`,
    ])
  })

  test('installs with the commands of docs/install.md, and upgrades to a version that was added', async () => {
    for (const path of [keyPath, '/etc/apt/sources.list.d/cardwire.sources'])
      rmSync(join(root, path))
    expect(await follow('Debian, Ubuntu')).toMatchObject({ status: 0 })
    expect((await run('cardwire', '--version')).out).toBe('900.0.0\n')
    await add('900.0.1')
    expect(await apt('update')).toMatchObject({ status: 0 })
    expect(await apt('upgrade', '--yes')).toMatchObject({ status: 0 })
    expect((await run('cardwire', '--version')).out).toBe('900.0.1\n')
    const { out } = await run('apt-cache', 'madison', 'cardwire')
    expect(out.match(/900\.0\.\d/g)).toEqual(['900.0.1', '900.0.0'])
  })

  test('refuses a package in which a byte has changed', async () => {
    await apt('update')
    await withChangedByte('pool/cardwire_900.0.0_amd64.deb', async () => {
      const { status, output } = await install('cardwire=900.0.0')
      expect([status, output]).toEqual([100, expect.stringContaining('Hash Sum mismatch')])
    })
  })

  test('refuses a list in which a byte has changed', async () => {
    await withChangedByte('dists/stable/InRelease', async () => {
      const { status, output } = await apt('update')
      expect([status, output]).toEqual([100, expect.stringContaining('BADSIG')])
    })
    expect((await install()).status).toBe(100)
  })

  test('refuses a repository that another key signs', async () => {
    placeKey(keyPath, true)
    const { status, output } = await apt('update')
    expect([status, output]).toEqual([100, expect.stringContaining('NO_PUBKEY')])
    expect((await install()).status).toBe(100)
  })
})

describe('dnf', () => {
  const keyPath = '/etc/pki/rpm-gpg/cardwire.asc'
  const dnf = (...args: readonly string[]) => run('dnf', '--assumeyes', ...args)
  beforeEach(async () => {
    write('/etc/dnf/vars/releasever', ['12'])
    placeKey(keyPath)
    write('/etc/yum.repos.d/cardwire.repo', [
      '[cardwire]',
      'name=Cardwire',
      `baseurl=${server.url}/rpm`,
      'gpgcheck=1',
      'repo_gpgcheck=1',
      `gpgkey=file://${keyPath}`,
    ])
    // A Debian has what the package requires under other names.
    const provides = ['pcsc-lite', 'pcsc-lite-libs', 'nss-tools', 'ca-certificates']
    const others = ['shadow-utils', 'util-linux', 'findutils', '/bin/sh']
    const machine = { name: 'machine', version: '1', provides: [...provides, ...others] }
    copyFileSync(makeEmptyRpm(top, machine), join(root, 'srv/machine.rpm'))
    expect(await run('rpm', '--install', '--nodeps', '/srv/machine.rpm')).toMatchObject({
      status: 0,
    })
  })

  test('installs the newest version with the commands of docs/install.md', async () => {
    for (const path of [keyPath, '/etc/yum.repos.d/cardwire.repo']) rmSync(join(root, path))
    expect(await follow('Fedora, RHEL')).toMatchObject({ status: 0 })
    expect((await run('cardwire', '--version')).out).toBe('900.0.1\n')
    expect(await run('rpm', '--query', '--verify', 'cardwire')).toMatchObject({
      status: 0,
      out: '',
    })
  })

  test('upgrades to the newest version', async () => {
    expect(await dnf('install', 'cardwire-900.0.0')).toMatchObject({ status: 0 })
    expect((await run('cardwire', '--version')).out).toBe('900.0.0\n')
    expect(await dnf('upgrade')).toMatchObject({ status: 0 })
    expect((await run('cardwire', '--version')).out).toBe('900.0.1\n')
  })

  test('refuses a package in which a byte has changed', async () => {
    await withChangedByte('rpm/cardwire-900.0.0-1.x86_64.rpm', async () => {
      const { status, output } = await dnf('install', 'cardwire-900.0.0')
      expect([status, output]).toEqual([1, expect.stringContaining('checksum doesn')])
    })
  })

  test('refuses a list in which a byte has changed', async () => {
    await withChangedByte('rpm/repodata/repomd.xml', async () => {
      const { status, output } = await dnf('install', 'cardwire')
      expect([status, output]).toEqual([1, expect.stringContaining('Bad GPG signature')])
    })
  })

  test('refuses a repository that another key signs', async () => {
    placeKey(keyPath, true)
    const { status, output } = await dnf('install', 'cardwire')
    expect([status, output]).toEqual([1, expect.stringContaining('GPG')])
    expect((await run('rpm', '--query', 'cardwire')).status).toBe(1)
  })

  test('refuses a package that another key signs, in a list that is right', async () => {
    // Only packages are verified here, and with a key that is not theirs.
    placeKey(keyPath, true)
    const { status, output } = await dnf('--setopt=cardwire.repo_gpgcheck=0', 'install', 'cardwire')
    expect([status, output]).toEqual([1, expect.stringContaining('GPG check FAILED')])
  })
})
