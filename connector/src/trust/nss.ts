/** NSS databases: what Chromium and Firefox believe on Linux, one database per browser or profile. */
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Facts } from '../pki/certificate.ts'
import { withRootFile } from './root-file.ts'
import type { Run } from './run.ts'
import type { TrustStore } from './trust-store.ts'

export interface NssPlace {
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly run: Run
}

/** The databases of this user, each a store. Asked again each time: profiles come and go. */
export async function nssStores(place: NssPlace): Promise<readonly TrustStore[]> {
  const { home, environment, run } = place
  const data = absolute(environment['XDG_DATA_HOME']) ?? join(home, '.local/share')
  const config = absolute(environment['XDG_CONFIG_HOME']) ?? join(home, '.config')
  const made = [join(data, 'pki/nssdb'), join(home, '.pki/nssdb')]
  const boxed = await existing(chromiumBoxes.map((path) => join(home, path)))
  const roots = [join(config, 'mozilla/firefox'), ...firefoxFolders.map((path) => join(home, path))]
  const profiles = (await Promise.all(roots.map(profilesIn))).flat()
  return [
    ...made.map((path) => nssStore(path, { home, run, make: true })),
    ...[...boxed, ...profiles].map((path) => nssStore(path, { home, run, make: false })),
  ]
}

// Chromium 156 on a fresh home reads the first database, older ones and homes that have it the second.
// Snap and Flatpak give a program a home of its own, below the person's.
const chromiumBoxes = [
  'snap/chromium/current/.pki/nssdb',
  '.var/app/org.chromium.Chromium/data/pki/nssdb',
  '.var/app/org.chromium.Chromium/.pki/nssdb',
  '.var/app/com.google.Chrome/data/pki/nssdb',
  '.var/app/com.google.Chrome/.pki/nssdb',
] as const

// Firefox 147 and later keep profiles where XDG wants them, earlier ones in the second place.
const firefoxFolders = [
  '.mozilla/firefox',
  'snap/firefox/common/.mozilla/firefox',
  '.var/app/org.mozilla.firefox/config/mozilla/firefox',
  '.var/app/org.mozilla.firefox/.mozilla/firefox',
] as const

/** One database. `make`: it is made when it does not exist. */
export function nssStore(
  path: string,
  options: { readonly home: string; readonly run: Run; readonly make: boolean },
): TrustStore {
  const database = `sql:${path}`
  const certutil = (...args: string[]) => options.run('certutil', args)
  const must = async (...args: string[]) => {
    const { status, output } = await certutil(...args)
    if (status !== 0) throw new Error(`certutil ${args[0]} failed: ${output.trim()}`)
  }
  const isThere = () => isFile(join(path, 'cert9.db'))

  const trusts = async (root: Facts) => {
    if (!(await isThere())) return false
    const { status, output } = await certutil('-L', '-d', database)
    if (status !== 0) throw new Error(`certutil -L failed: ${output.trim()}`)
    // The listing ends each line with the flags for servers, mail and code: `C,,`.
    const line = output.split('\n').find((text) => text.startsWith(nickname(root)))
    return /\s[a-zA-Z]*C[a-zA-Z]*,[^,]*,[^,]*$/.test(line?.trimEnd() ?? '')
  }

  return {
    name: `nss:${relative(options.home, path)}`,
    scope: 'user',
    trusts,
    async available() {
      if ((await certutil('-H')).status === -1)
        return 'certutil is missing: install libnss3-tools (Debian), nss-tools (Fedora, Alpine), nss (Arch) or mozilla-nss-tools (SUSE)'
      return options.make || (await isThere()) ? undefined : 'there is no database'
    },
    async install(root) {
      if (!(await isThere())) {
        await mkdir(path, { recursive: true, mode: 0o700 })
        await must('-N', '-d', database, '--empty-password')
      }
      // C: believed as an authority for servers, and for nothing else.
      await withRootFile(root, (file) =>
        must('-A', '-d', database, '-t', 'C,,', '-n', nickname(root), '-i', file),
      )
      if (!(await trusts(root)))
        throw new Error('certutil reported success, yet the root is not in')
    },
    async uninstall(root) {
      if (!(await isThere())) return
      const { status } = await certutil('-L', '-d', database, '-n', nickname(root))
      if (status === 0) await must('-D', '-d', database, '-n', nickname(root))
    },
  }
}

/** Names one root: an old and a new one lie side by side while a root is replaced. */
const nickname = (root: Facts) => `Cardwire ${root.fingerprint.slice(0, 32)}`

async function profilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return existing(names.map((name) => join(folder, name)))
}

/** Those of the folders that hold a database. */
async function existing(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(folders.map((path) => isFile(join(path, 'cert9.db'))))
  return folders.filter((_, at) => found[at])
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

const absolute = (path: string | undefined) => (path?.startsWith('/') ? path : undefined)
