/** Makes the registry a service of a Linux machine, and takes it away again, as an administrator. */
import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Facts } from '../../pki/certificate.ts'
import { tryRead } from '../../pki/judge.ts'
import type { MachineFolders } from '../../system/folders.ts'
import { installRoot, type StoreResult, uninstallRoot } from '../../trust/apply.ts'
import type { Run } from '../../trust/run.ts'
import type { TrustStore } from '../../trust/trust-store.ts'
import { serviceAccount, systemdUnit, unitFile, unitName } from './systemd.ts'

export interface ServiceParts {
  /** Where the connector lies. */
  readonly program: string
  readonly folders: MachineFolders
  readonly run: Run
  readonly stores: () => Promise<readonly TrustStore[]>
  /** Said as each step is done. */
  readonly done: (what: string) => void
  /** Where the unit is written; for tests. */
  readonly unit?: string
  /** The folder that is there while systemd runs; for tests. */
  readonly systemd?: string
}

/** How long the service may take to make its certificates, in milliseconds: RSA-4096 on a slow machine. */
const patienceMs = 60_000

/** Can be done again. Throws at the first step that fails, with what to do; answers with what the stores did. */
export async function installService(parts: ServiceParts): Promise<readonly StoreResult[]> {
  const { program, folders, run, stores, done, unit = unitFile } = parts
  if (!(await runsSystemd(parts))) {
    throw new Error(
      'Cannot install the service: this machine does not run systemd; without a service "cardwire run" brings a registry for its user alone, and for several users the machine has to run "cardwire registry --service" itself, as an account of its own',
    )
  }
  await mustBeSafe(program)
  mustBeSeen(await realpath(program))
  if ((await run('getent', ['passwd', serviceAccount])).status !== 0) {
    const home = ['--no-create-home', '--home-dir', folders.base]
    const account = ['--system', '--user-group', ...home, '--shell', '/usr/sbin/nologin']
    await must(run, 'useradd', [...account, serviceAccount])
    done(`made the account ${serviceAccount}`)
  }
  const owner = ['-o', serviceAccount, '-g', serviceAccount]
  await must(run, 'install', ['-d', '-m', '0755', ...owner, folders.base])
  done(`made the folder ${folders.base}`)
  await writeFile(unit, systemdUnit(program, folders.base), { mode: 0o644 })
  await must(run, 'systemctl', ['daemon-reload'])
  await must(run, 'systemctl', ['enable', unitName])
  await must(run, 'systemctl', ['restart', unitName])
  done(`started ${unitName}`)
  const root = await publishedRoot(folders)
  return installRoot(await stores(), root)
}

/** What is not there is no failure. Throws at the first step that fails; answers with what the stores did. */
export async function uninstallService(parts: ServiceParts): Promise<readonly StoreResult[]> {
  const { folders, run, stores, done, unit = unitFile } = parts
  const root = await readRoot(folders)
  const results = root ? await uninstallRoot(await stores(), root) : []
  const believing = results.filter(({ trusted }) => trusted).map(({ store }) => store)
  if (believing.length > 0) {
    throw new Error(
      `Cannot remove the certificates: ${believing.join(', ')} still believes the root`,
    )
  }
  if (await stat(unit).catch(() => undefined)) {
    if (await runsSystemd(parts)) {
      await must(run, 'systemctl', ['disable', '--now', unitName])
      await rm(unit)
      await must(run, 'systemctl', ['daemon-reload'])
    } else {
      // There is nothing to stop; its links go where systemctl is there.
      await run('systemctl', ['disable', unitName])
      await rm(unit)
    }
    done(`removed ${unitName}`)
  }
  await rm(folders.base, { recursive: true, force: true })
  done(`removed the folder ${folders.base}`)
  if ((await run('getent', ['passwd', serviceAccount])).status === 0) {
    await must(run, 'userdel', [serviceAccount])
    done(`removed the account ${serviceAccount}`)
  }
  return results
}

/** As sd_booted(3) finds it. */
const runsSystemd = ({ systemd = '/run/systemd/system' }: ServiceParts) =>
  stat(systemd).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function must(run: Run, program: string, args: readonly string[]): Promise<void> {
  const { status, output } = await run(program, args)
  if (status === 0) return
  throw new Error(`Cannot go on: ${[program, ...args].join(' ')} failed: ${output.trim()}`)
}

/** What another account may change must not become a service. */
async function mustBeSafe(program: string): Promise<void> {
  for (let path = await realpath(program); ; path = dirname(path)) {
    const { uid, mode } = await stat(path)
    const sticky = (mode & 0o1000) !== 0
    if (uid !== 0 || ((mode & 0o022) !== 0 && !sticky)) {
      throw new Error(
        `Cannot make "${program}" a service: others than root may change "${path}"; copy it to /usr/local/bin and begin again there`,
      )
    }
    if (path === dirname(path)) return
  }
}

/** The unit has ProtectHome and PrivateTmp, systemd.exec(5): it sees no program in these places. */
export function mustBeSeen(program: string): void {
  const hidden = [...hiddenFolders, tmpdir()].find((folder) => program.startsWith(`${folder}/`))
  if (hidden === undefined) return
  throw new Error(
    `Cannot make "${program}" a service: a service sees nothing of ${hidden}; copy it to /usr/local/bin and begin again there`,
  )
}

const hiddenFolders = ['/home', '/root', '/run/user', '/tmp', '/var/tmp']

async function publishedRoot(folders: MachineFolders): Promise<Facts> {
  const giveUp = performance.now() + patienceMs
  for (;;) {
    const root = await readRoot(folders)
    if (root) return root
    if (performance.now() > giveUp) {
      throw new Error(
        `Cannot find the certificates of the service: see journalctl -u ${serviceAccount}`,
      )
    }
    await Bun.sleep(200)
  }
}

const readRoot = async ({ root }: MachineFolders) => {
  const pem = await readFile(root, 'utf8').catch(() => undefined)
  return pem === undefined ? undefined : tryRead(pem)
}
