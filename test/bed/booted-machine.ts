/** A Debian 12 of its own, which boots with systemd and ends with a script. Needs root, mmdebstrap and systemd-nspawn. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { root as repository } from './repository.ts'

/** What a desktop has, as far as the package has to do with it, a virtual reader, and what scripts look with. */
const debianPackages = [
  ...['systemd', 'systemd-sysv', 'dbus', 'dbus-user-session', 'libpam-systemd'],
  ...['ca-certificates', 'openssl', 'procps', 'iproute2', 'curl'],
  ...['pcscd', 'libpcsclite1', 'libnss3-tools'],
  ...['vsmartcard-vpcd', 'xvfb', 'xclip'],
]

const sharedFunctions = fileURLToPath(new URL('machine.sh', import.meta.url))

/** An archive of a Debian 12 with these packages. It is kept for later runs; remove it to get newer packages. */
const archive = join(
  repository,
  'node_modules/.cache',
  `debian-${createHash('sha256').update(debianPackages.join()).digest('hex').slice(0, 16)}.tar`,
)

/** Makes the archive that `createRoot` unpacks, unless it is there. */
export function makeDebianArchive(): void {
  if (existsSync(archive)) return
  mkdirSync(dirname(archive), { recursive: true })
  const draft = `${archive}.${process.pid}.tar`
  installDebian(draft, debianPackages)
  renameSync(draft, archive)
}

const memory = '/dev/shm'
/** A root, three packages of 120 MB, and what dpkg keeps of them while it installs. */
const machineBytes = 4e9

/** A temporary folder for a machine: in memory where there is room, since dpkg waits for the disk after each file. */
export const makeMachineFolder = (name: string): string =>
  mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), `cardwire-${name}-`))

function hasRoomInMemory(): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, path, type]) => path === memory && type === 'tmpfs')
  if (!mount || mount[3]?.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) > 2 * machineBytes
}

/** Puts a Debian 12 into `folder`, which does not exist yet; `more`: further Debian packages, which are fetched. */
export function createRoot(folder: string, more: readonly string[] = []): void {
  if (more.length > 0) {
    installDebian(folder, [...debianPackages, ...more])
    return
  }
  makeDebianArchive()
  mkdirSync(folder)
  execFileSync('tar', [
    '--extract',
    '--numeric-owner',
    `--file=${archive}`,
    `--directory=${folder}`,
  ])
}

/** Installs a Debian 12 with these packages into `target`, which does not exist yet: a folder, or an archive named `*.tar`. */
export function installDebian(target: string, packages: readonly string[]): void {
  bootstrap('--variant=minbase', `--include=${packages.join()}`, 'bookworm', target)
}

/** A Debian 12 with nothing but apt. */
export function createBareRoot(folder: string): void {
  bootstrap('--variant=apt', 'bookworm', folder)
}

/**
 * mmdebstrap mounts folders of this machine in the root while it works. In a mount namespace of its own they go with it,
 * also when it is killed: whatever removes the root must never find `/dev/shm` in it.
 */
function bootstrap(...args: readonly string[]): void {
  execFileSync('unshare', ['--mount', 'mmdebstrap', ...args], { stdio: 'ignore' })
}

export interface Boot {
  /** The folder of `createRoot`. */
  readonly root: string
  /** A script of sh, which runs as root. */
  readonly script: string
  /** What the machine sees as /packages, by the name there. */
  readonly packages: Readonly<Record<string, string>>
  /** A folder that does not exist yet: /results of the machine. */
  readonly results: string
  /** false: the script runs where no systemd does. */
  readonly boots?: boolean
  /** Folders of this machine, by their paths there. */
  readonly folders?: Readonly<Record<string, string>>
}

/** Boots it without a network, runs the script, and returns the facts that it wrote, by their names. */
export function boot({
  root,
  script,
  packages,
  results,
  boots = true,
  folders = {},
}: Boot): Readonly<Record<string, string>> {
  const shared = join(results, 'packages')
  mkdirSync(shared, { recursive: true })
  for (const [name, path] of Object.entries(packages)) copyFileSync(path, join(shared, name))
  const texts = [sharedFunctions, script].map((path) => readFileSync(path, 'utf8'))
  writeFileSync(join(root, 'run.sh'), ['#!/bin/sh\n', ...texts].join(''))
  chmodSync(join(root, 'run.sh'), 0o755)
  const action = (when: string) => `systemd.run_${when}_action=exit`
  const how = boots
    ? ['--boot', 'systemd.run=/run.sh', action('success'), action('failure')]
    : ['/run.sh']
  const { stdout, stderr } = spawnSync(
    'systemd-nspawn',
    [
      ...['--quiet', `--directory=${root}`, '--register=no', '--keep-unit'],
      ...['--private-network', '--console=read-only'],
      ...[`--bind-ro=${shared}:/packages`, `--bind=${results}:/results`],
      ...Object.entries(folders).map(([path, folder]) => `--bind=${folder}:${path}`),
      ...how,
    ],
    { encoding: 'utf8' },
  )
  const facts = readFacts(join(results, 'facts'))
  if (facts['done'] !== 'yes') {
    throw new Error(
      `The script did not reach its end: ${JSON.stringify(facts)}\n${stdout}\n${stderr}`,
    )
  }
  return facts
}

const readFacts = (path: string) =>
  Object.fromEntries(
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [name = '', ...value] = line.split(' ')
        return [name, value.join(' ').trim()]
      }),
  )
