/** The certificates of this machine, with its folders, its stores and its clock. */
import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import type { ConstraintKind } from '../pki/constraints.ts'
import { openFolder } from '../pki/folder.ts'
import { protect, protectOnWindows } from '../pki/protection.ts'
import { type Folders, machineFoldersOf } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { runner } from '../trust/run.ts'
import { type Scope, storesOf } from '../trust/stores.ts'
import type { Certificates } from './certificates.ts'
import { createCertificates } from './create-certificates.ts'

export interface OpenOptions {
  /** Whose stores; Windows: those of the machine (specification, Versioning §4), else those of the person. */
  readonly scope?: Scope
  /** What binds a root that is made from now on. */
  readonly constraints?: ConstraintKind
  /** Our name in the list of those who use the folder. */
  readonly packageName?: string
  /** The port of the running API. */
  readonly servedOn?: () => number | undefined
}

export function openCertificates(
  settings: { readonly hosts: readonly string[]; readonly machineDir?: string | undefined },
  folders: Pick<Folders, 'certificates'>,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  options: OpenOptions = {},
): Certificates {
  const { platform, env: environment } = process
  const { username, homedir, uid } = userInfo()
  const run = runner(environment)
  const home = environment['HOME'] ?? homedir
  const machine = { platform, home, environment, run, uid: uid >= 0 ? uid : undefined }
  const scope = options.scope ?? (platform === 'win32' ? 'machine' : 'user')
  return createCertificates({
    folder: openFolder(folders.certificates),
    clock: Date.now,
    log,
    owner: `${username}@${hostname()}`,
    constraints: options.constraints ?? 'full',
    hosts: settings.hosts,
    packageName: options.packageName ?? 'cardwire',
    protect: ({ repair }) =>
      platform === 'win32'
        ? protectOnWindows(folders.certificates, { repair })
        : protect(folders.certificates, { repair }),
    stores: () => storesOf(machine, scope),
    serviceRoot: async () => {
      // Every account's stores are an administrator's: cardwire registry install asks them.
      if (scope === 'machine') return undefined
      const { root } = machineFoldersOf(platform, environment, settings.machineDir)
      return readFile(root, 'utf8').catch(() => undefined)
    },
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    servedOn: options.servedOn ?? (() => undefined),
  })
}
