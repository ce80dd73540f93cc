/** Opens the certificates of this machine, with its folders, trust stores and clock. */
import { lookup } from 'node:dns/promises'
import { hostname, userInfo } from 'node:os'
import { openCertificateFolder } from '../pki/certificate-folder.ts'
import type { ConstraintKind } from '../pki/constraints.ts'
import { checkFolderAccess, checkFolderAccessOnWindows } from '../pki/protection.ts'
import { findTrustStores, type Scope } from '../pki/trust-stores/find-trust-stores.ts'
import { readSettings } from '../settings.ts'
import { type Folders, getMachineFolders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { createRunner } from '../system/run-command.ts'
import { readAdministratorSettings, readInstalledSettings } from '../system/settings-places.ts'
import { readUserName } from '../system/user.ts'
import type { Certificates } from './certificates.ts'
import { createCertificates } from './create-certificates.ts'
import { readPublishedRoot } from './published-root.ts'

export interface OpenOptions {
  /** By default the stores of the machine on Windows (specification, Versioning §4), else those of the user. */
  readonly scope?: Scope
  /** The constraints of a new root. */
  readonly constraints?: ConstraintKind
  /** Our name in the list of packages that use the folder. */
  readonly packageName?: string
  /** Whether the clock may replace a root; true by default. */
  readonly isClockTrusted?: () => boolean
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
  const { homedir, uid } = userInfo()
  const run = createRunner(environment)
  const home = environment['HOME'] ?? homedir
  const machine = { platform, home, environment, run, uid: uid >= 0 ? uid : undefined }
  const scope = options.scope ?? (platform === 'win32' ? 'machine' : 'user')
  // The service names its scope: its folder and settings are an administrator's.
  const isOfUser = options.scope === undefined
  return createCertificates({
    folder: openCertificateFolder(folders.certificates),
    clock: Date.now,
    isClockTrusted: options.isClockTrusted ?? (() => true),
    log,
    owner: `${readUserName(platform, environment)}@${hostname()}`,
    constraints: options.constraints ?? 'full',
    hosts: settings.hosts,
    ...(isOfUser && scope === 'machine' && { machineHosts: readMachineHosts }),
    packageName: options.packageName ?? 'cardwire',
    checkAccess: ({ repair }) =>
      platform === 'win32'
        ? checkFolderAccessOnWindows(folders.certificates, { repair })
        : checkFolderAccess(folders.certificates, { repair }),
    stores: () => findTrustStores(machine, scope),
    serviceRoot: async () => {
      // The stores of the machine get it by `cardwire registry install`.
      if (scope === 'machine') return undefined
      const { root } = getMachineFolders(platform, environment, settings.machineDir)
      return readPublishedRoot(root)
    },
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    servedOn: options.servedOn ?? (() => undefined),
  })
}

/** Neither the file nor the variables of the user count. */
function readMachineHosts(): readonly string[] {
  const { machine, managed } = readAdministratorSettings()
  return readSettings([...readInstalledSettings(), machine, managed]).hosts
}
