/** Three nodes on one machine, brought up by the commands of docs/deploy.md in a Debian that boots; one is killed, and nothing lost. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, installDebian } from '../../../test/bed/booted-machine.ts'
import { root, toolPath } from '../../../test/bed/repository.ts'

/** A Debian, and what the document installs from it: the machine has no network. */
const debianPackages = [
  ...['systemd', 'systemd-sysv', 'dbus', 'sudo', 'adduser', 'ca-certificates', 'procps'],
  ...['iproute2', 'postgresql', 'nginx', 'curl', 'openssl'],
  // A service with buckets.
  'python3-swift',
]

/** The blocks of commands, in their order in the document. */
const stepNames = [
  ...['install', 'database', 'settings', 'administrator', 'nodes', 'proxy', 'kill'],
  ...['dump', 'restore', 'archive', 'recover', 'upgrade'],
]

let folder: string
let facts: Readonly<Record<string, string>>
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-nodes-'))
  const machine = join(folder, 'root')
  installDebian(machine, debianPackages)
  facts = boot({
    root: machine,
    script: fileURLToPath(new URL('nodes.sh', import.meta.url)),
    packages: makePackages(join(folder, 'packages')),
    results: join(folder, 'results'),
    folders: { '/steps': writeSteps(join(folder, 'steps')), '/bed': join(root, 'test/bed') },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The package, and one with another version and the same program, by the names that the document has for them. */
function makePackages(out: string): Readonly<Record<string, string>> {
  execFileSync(toolPath('node'), ['ds/release/main.ts', '--formats', 'deb', '--out', out], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const first = join(out, readdirSync(out).find((file) => file.endsWith('.deb')) ?? '')
  const tree = join(out, 'next')
  execFileSync('dpkg-deb', ['--raw-extract', first, tree])
  const control = readFileSync(join(tree, 'DEBIAN/control'), 'utf8')
  writeFileSync(join(tree, 'DEBIAN/control'), control.replace(/^Version: .*$/m, 'Version: 4.1.0'))
  const next = join(out, 'next.deb')
  execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', tree, next], {
    stdio: 'ignore',
  })
  return { 'cardwire-ds_4.0.0_amd64.deb': first, 'cardwire-ds_4.1.0_amd64.deb': next }
}

/** The commands of the document, each block a file. */
function writeSteps(to: string): string {
  const document = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  const from = document.indexOf('### Run three nodes on one machine')
  const section = document.slice(from, document.indexOf('\n## ', from))
  const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(stepNames.length)
  mkdirSync(to)
  for (const [index, name] of stepNames.entries())
    writeFileSync(join(to, name), blocks[index] ?? '')
  return to
}

test('every block of commands succeeds as it stands', () => {
  const statuses = stepNames.map((name) => [name, facts[name]])
  expect(statuses).toEqual(stepNames.map((name) => [name, '0']))
})

test('the settings stay readable by root and the service alone', () => {
  expect(facts['settings.mode']).toBe('root:cardwire-ds 640')
})

test('of what is stored through nginx while a node is killed nothing that was answered is lost', () => {
  expect(facts['login']).toBe('yes')
  expect(Number(facts['kill.acknowledged'])).toBeGreaterThanOrEqual(200)
  expect(facts['kill.lost']).toBe('0')
  // Four writers: each may have had one request at the node.
  expect(Number(facts['kill.failed'])).toBeLessThanOrEqual(4)
  expect(facts['killed.returns']).toBe('yes')
})

test('with a bucket, each node serves what another one stored, and an upload that a killed node began is nowhere', () => {
  expect([facts['bucket.healthy'], facts['bucket.stored'], facts['bucket.registered']]).toEqual([
    'yes',
    '201',
    '201',
  ])
  expect(facts['bucket.served']).toBe('same same same same')
  expect([facts['bucket.begun'], facts['bucket.cut']]).toEqual(['yes', 'no'])
})

test('without the bucket, downloads say so, and every node stays healthy', () => {
  expect(facts['bucket.down']).toBe('503 packages-unavailable')
  expect([facts['bucket.files'], facts['bucket.kept']]).toEqual(['unreachable', 'yes'])
  expect(facts['bucket.back']).toBe('yes')
  expect(facts['bucket.seen']).toBe('0')
})

test('the nodes are upgraded one after the other, and no request fails', () => {
  expect(facts['upgrade.version']).toBe('4.1.0')
  expect(facts['upgrade.says']).toBe('1')
  expect(facts['upgrade.lost']).toBe('0')
  expect(facts['upgrade.failed']).toBe('0')
})

test('a dump is for its owner alone, and brings back what was there', () => {
  expect(facts['dump.mode']).toBe('cardwire-ds 600')
  expect([facts['restore.healthy'], facts['restore.has']]).toEqual(['yes', 'yes no'])
})

test('a recovery to a point in time leaves out what came after it', () => {
  expect(facts['archive.healthy']).toBe('yes')
  expect([facts['recover.healthy'], facts['recover.has']]).toEqual(['yes', 'yes no'])
})

test('purge ends the nodes, and leaves no unit of them', () => {
  expect([facts['purge'], facts['purge.leaves']]).toEqual(['0', '0 0'])
})

test('the password of the administrator is not in the journal', () => {
  expect(facts['password.seen']).toBe('0')
})
