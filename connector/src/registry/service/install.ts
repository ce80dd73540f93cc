/** Installs the registry as a systemd service of a Linux machine, and uninstalls it; needs an administrator. */
import { realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Certificate } from '../../pki/certificate.ts'
import {
  installRoot,
  mayTrust,
  type StoreResult,
  uninstallOwnRoots,
  uninstallRoot,
} from '../../pki/trust-stores/install-root.ts'
import type { TrustStore } from '../../pki/trust-stores/trust-store.ts'
import { TrustableRoot } from '../../pki/trustable-root.ts'
import { tryReadCertificate } from '../../pki/validate.ts'
import { maxCertificateFileBytes, readSmallFile } from '../../small-file.ts'
import type { MachineFolders } from '../../system/folders.ts'
import { findWritablePlace, root } from '../../system/protected-path.ts'
import type { Run } from '../../system/run-command.ts'
import { createSystemdUnit, serviceAccount, unitFile, unitName } from './systemd.ts'

export interface ServiceInstallation {
  /** The path of the connector. */
  readonly program: string
  readonly folders: MachineFolders
  readonly run: Run
  readonly stores: () => Promise<readonly TrustStore[]>
  /** Names beside those of this machine for which the root may sign. */
  readonly hosts: readonly string[]
  /** Called after each step. */
  readonly reportStep: (what: string) => void
  /** The path of the unit file; for tests. */
  readonly unit?: string
  /** The folder that exists while systemd runs; for tests. */
  readonly systemd?: string
}

/** How long the service may take to make its certificates, in milliseconds: RSA-4096 on a slow machine. */
const certificateTimeoutMs = 60_000

/** Can be repeated. Throws at the first step that fails, with what to do; returns the results of the trust stores. */
export async function installService(
  installation: ServiceInstallation,
): Promise<readonly StoreResult[]> {
  const { program, folders, run, reportStep, unit = unitFile } = installation
  if (!(await isSystemdRunning(installation))) {
    throw new Error(
      'Cannot install the service: this computer does not run systemd. For one user, "cardwire run" starts a registry. For several users, have the computer run "cardwire registry --service" in a separate account',
    )
  }
  await requireRootOwned(program)
  requireVisibleToService(await realpath(program))
  if ((await run('getent', ['passwd', serviceAccount])).status !== 0) {
    const home = ['--no-create-home', '--home-dir', folders.base]
    const account = ['--system', '--user-group', ...home, '--shell', '/usr/sbin/nologin']
    await runOrThrow(run, 'useradd', [...account, serviceAccount])
    reportStep(`created the account ${serviceAccount}`)
  }
  const owner = ['-o', serviceAccount, '-g', serviceAccount]
  await runOrThrow(run, 'install', ['-d', '-m', '0755', ...owner, folders.base])
  reportStep(`created the folder ${folders.base}`)
  await writeFile(unit, createSystemdUnit(program, folders.base), { mode: 0o644 })
  await runOrThrow(run, 'systemctl', ['daemon-reload'])
  await runOrThrow(run, 'systemctl', ['enable', unitName])
  await runOrThrow(run, 'systemctl', ['restart', unitName])
  reportStep(`started ${unitName}`)
  return trustService(installation)
}

/** Makes the machine trust the root of the service that runs; waits until it has one. */
export async function trustService({
  folders,
  stores,
  hosts,
}: Pick<ServiceInstallation, 'folders' | 'stores' | 'hosts'>): Promise<readonly StoreResult[]> {
  const root = await waitForPublishedRoot(folders)
  // The account of the service has written it, and every account of the machine is about to trust it.
  const judged = TrustableRoot.judge(root.pem, hosts)
  if (typeof judged === 'string') {
    // An earlier version may have let it in.
    await uninstallRoot(await stores(), root, { hosts })
    throw new Error(
      `Cannot make this computer trust the root certificate of the service: ${judged}. If the service has other names, set them in CARDWIRE_HOSTS here, too`,
    )
  }
  const all = await stores()
  await uninstallOwnRoots(all, { hosts }, root)
  return installRoot(all, root, hosts)
}

/**
 * Has the machine trust no root of the service any longer; keeps its certificates. The account of the service has written the file
 * that names the root: it may name another one by now, or none.
 */
export async function untrustService({
  folders,
  stores,
  hosts,
}: Pick<ServiceInstallation, 'folders' | 'stores' | 'hosts'>): Promise<readonly StoreResult[]> {
  const root = await readRoot(folders)
  const all = await stores()
  const named = root ? await uninstallRoot(all, root, { hosts }) : []
  return [...named, ...(await uninstallOwnRoots(all, { hosts }))]
}

/** Skips what is not installed. Throws at the first step that fails; returns the results of the trust stores. */
export async function uninstallService(
  installation: ServiceInstallation,
): Promise<readonly StoreResult[]> {
  const { folders, run, reportStep, unit = unitFile } = installation
  const results = await untrustService(installation)
  const trusting = results.filter(mayTrust).map(({ store }) => store)
  // The account of the service has written the file: one that names a root of others must not keep the service here.
  if (trusting.length > 0 && (await isRootOurs(installation))) {
    throw new Error(
      `Cannot remove the certificates: ${trusting.join(', ')} may still trust the root certificate`,
    )
  }
  if (await stat(unit).catch(() => undefined)) {
    if (await isSystemdRunning(installation)) {
      await runOrThrow(run, 'systemctl', ['disable', '--now', unitName])
      await rm(unit)
      await runOrThrow(run, 'systemctl', ['daemon-reload'])
    } else {
      // Nothing runs that could be stopped; systemctl, where it exists, removes the links.
      await run('systemctl', ['disable', unitName])
      await rm(unit)
    }
    reportStep(`removed ${unitName}`)
  }
  await rm(folders.base, { recursive: true, force: true })
  reportStep(`removed the folder ${folders.base}`)
  if ((await run('getent', ['passwd', serviceAccount])).status === 0) {
    await runOrThrow(run, 'userdel', [serviceAccount])
    reportStep(`removed the account ${serviceAccount}`)
  }
  return results
}

/** As sd_booted(3) finds it. */
const isSystemdRunning = ({ systemd = '/run/systemd/system' }: ServiceInstallation) =>
  stat(systemd).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function runOrThrow(run: Run, program: string, args: readonly string[]): Promise<void> {
  const { status, output } = await run(program, args)
  if (status === 0) return
  throw new Error(`Cannot continue: ${[program, ...args].join(' ')} failed: ${output.trim()}`)
}

/** Throws when an account other than root could change the program or a folder above it. */
async function requireRootOwned(program: string): Promise<void> {
  const place = findWritablePlace(await realpath(program), [root])
  if (place === undefined) return
  throw new Error(
    `Cannot make "${program}" a service: users other than root can change "${place}"; copy the program to /usr/local/bin and run it from there`,
  )
}

/** The unit has ProtectHome and PrivateTmp, systemd.exec(5): it sees no program in these places. */
export function requireVisibleToService(program: string): void {
  const hidden = [...hiddenFolders, tmpdir()].find((folder) => program.startsWith(`${folder}/`))
  if (hidden === undefined) return
  throw new Error(
    `Cannot make "${program}" a service: services can't access ${hidden}. Copy the program to /usr/local/bin, and run the command from there`,
  )
}

const hiddenFolders = ['/home', '/root', '/run/user', '/tmp', '/var/tmp']

async function waitForPublishedRoot(folders: MachineFolders): Promise<Certificate> {
  const deadline = performance.now() + certificateTimeoutMs
  for (;;) {
    const root = await readRoot(folders)
    if (root) return root
    if (performance.now() > deadline) {
      throw new Error(
        `Cannot find the certificates of the service: see journalctl -u ${serviceAccount}`,
      )
    }
    await Bun.sleep(200)
  }
}

async function isRootOurs({ folders, hosts }: ServiceInstallation): Promise<boolean> {
  const root = await readRoot(folders)
  return root !== undefined && typeof TrustableRoot.judge(root.pem, hosts) !== 'string'
}

const readRoot = async ({ root }: MachineFolders) => {
  const pem = await readSmallFile(root, maxCertificateFileBytes).catch(() => undefined)
  return pem === undefined ? undefined : tryReadCertificate(pem)
}
