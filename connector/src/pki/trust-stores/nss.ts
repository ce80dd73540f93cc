/** NSS databases: the trust stores of Chromium and Firefox on Linux, one per browser or profile. */
import { mkdir, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findStats } from '../../system/missing-file.ts'
import type { Run } from '../../system/run-command.ts'
import { withRootFile } from './root-file.ts'
import type { RootIdentity, TrustStore } from './trust-store.ts'

export interface NssEnvironment {
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly run: Run
}

/** The databases of this user, each a store. Searched each time: profiles come and go. */
export async function findNssStores(place: NssEnvironment): Promise<readonly TrustStore[]> {
  const { home, environment, run } = place
  const data = toAbsolute(environment['XDG_DATA_HOME']) ?? join(home, '.local/share')
  const config = toAbsolute(environment['XDG_CONFIG_HOME']) ?? join(home, '.config')
  const ownDatabases = await Promise.all(
    [join(data, 'pki/nssdb'), join(home, '.pki/nssdb')].map(resolveLinks),
  )
  const sandboxed = await filterDatabases(sandboxedChromiumDirs.map((path) => join(home, path)))
  const roots = [join(config, 'mozilla/firefox'), ...firefoxDirs.map((path) => join(home, path))]
  const profiles = (await Promise.all(roots.map(findProfiles))).flat()
  return [
    ...ownDatabases.map((path) => createNssStore(path, { home, run, make: true })),
    ...[...sandboxed, ...profiles].map((path) => createNssStore(path, { home, run, make: false })),
  ]
}

// Chromium 156 on a fresh home reads the first database, older ones and homes that have it the second.
// Snap and Flatpak give a program a home of its own, below the user's.
const sandboxedChromiumDirs = [
  'snap/chromium/current/.pki/nssdb',
  '.var/app/org.chromium.Chromium/data/pki/nssdb',
  '.var/app/org.chromium.Chromium/.pki/nssdb',
  '.var/app/com.google.Chrome/data/pki/nssdb',
  '.var/app/com.google.Chrome/.pki/nssdb',
] as const

// Firefox 147 and later keep profiles in the XDG folder, earlier versions in these.
const firefoxDirs = [
  '.mozilla/firefox',
  'snap/firefox/common/.mozilla/firefox',
  '.var/app/org.mozilla.firefox/config/mozilla/firefox',
  '.var/app/org.mozilla.firefox/.mozilla/firefox',
] as const

/** A database that another process changes at the moment is refused, with the error of a damaged one. */
const [maxAttempts, pauseMs] = [5, 100]

/** The store of one database. `make`: the database is created when it does not exist. */
export function createNssStore(
  path: string,
  options: { readonly home: string; readonly run: Run; readonly make: boolean },
): TrustStore {
  const database = `sql:${path}`
  const certutil = (...args: string[]) => options.run('certutil', args)
  const runOrThrow = async (...args: string[]): Promise<string> => {
    for (let left = maxAttempts; ; left -= 1) {
      const { status, output } = await certutil(...args)
      if (status === 0) return output
      // -1: there is no such program.
      if (left === 1 || status === -1)
        throw new Error(`certutil ${args[0]} failed: ${output.trim()}`)
      await wait(pauseMs)
    }
  }
  const hasDatabase = () => isFile(join(path, 'cert9.db'))

  async function makeDatabase(): Promise<void> {
    if (await hasDatabase()) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    // With `--empty-password` certutil asks without end for the password of a database that another process made meanwhile.
    const { output } = await certutil('-N', '-d', database, '-f', '/dev/null')
    if (!(await hasDatabase())) throw new Error(`certutil -N failed: ${output.trim()}`)
  }

  const trusts = async (root: RootIdentity) => {
    if (!(await hasDatabase())) return false
    const output = await runOrThrow('-L', '-d', database)
    // The listing ends each line with the flags for servers, mail and code: `C,,`.
    const line = output.split('\n').find((text) => text.startsWith(getNickname(root)))
    return /\s[a-zA-Z]*C[a-zA-Z]*,[^,]*,[^,]*$/.test(line?.trimEnd() ?? '')
  }

  return {
    name: `nss:${relative(options.home, path)}`,
    scope: 'user',
    removes: 'own',
    trusts,
    async findObstacle() {
      if ((await certutil('-H')).status === -1)
        return { reason: 'certutil is missing', remedy: installCertutil }
      return options.make || (await hasDatabase()) ? undefined : { reason: 'there is no database' }
    },
    async install(root) {
      await shareWork(path, makeDatabase)
      // C: trusted as an authority for servers, and for nothing else.
      await withRootFile(root, (file) =>
        runOrThrow('-A', '-d', database, '-t', 'C,,', '-n', getNickname(root), '-i', file),
      )
      if (!(await trusts(root)))
        throw new Error('certutil reported success, but the root is not in the database')
    },
    async uninstall(root) {
      if (!(await hasDatabase())) return
      const { status } = await certutil('-L', '-d', database, '-n', getNickname(root))
      if (status === 0) await runOrThrow('-D', '-d', database, '-n', getNickname(root))
    },
  }
}

const pending = new Map<string, Promise<void>>()

/** Calls with the same key share the work of the first one, until it has ended. */
function shareWork(key: string, work: () => Promise<void>): Promise<void> {
  const shared = pending.get(key) ?? work().finally(() => pending.delete(key))
  pending.set(key, shared)
  return shared
}

const installCertutil =
  'install libnss3-tools (Debian), nss-tools (Fedora, Alpine), nss (Arch) or mozilla-nss-tools (SUSE)'

/** The nickname of one root: the old and the new one are both in the database while a root is replaced. */
const getNickname = (root: RootIdentity) => `Cardwire ${root.fingerprint.slice(0, 32)}`

async function findProfiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return filterDatabases(names.map((name) => join(folder, name)))
}

/** Those of the folders that hold a database, or may hold one: a store that cannot be read is reported as such. */
async function filterDatabases(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map((path) => isFile(join(path, 'cert9.db')).catch(() => true)),
  )
  return folders.filter((_, at) => found[at])
}

/** Where a path leads, also one that does not exist yet: a store is named by what browsers read. */
async function resolveLinks(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined)
  const parent = dirname(path)
  if (found !== undefined || parent === path) return found ?? path
  return join(await resolveLinks(parent), basename(path))
}

/** Rejects when that cannot be read. */
const isFile = async (path: string) => (await findStats(path))?.isFile() ?? false

const toAbsolute = (path: string | undefined) => (path?.startsWith('/') ? path : undefined)
