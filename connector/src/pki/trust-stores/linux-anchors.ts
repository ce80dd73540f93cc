/** The trust anchors of a Linux machine: a file in a folder, and the command that makes every program read it. */
import { access, constants, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findStats, ignoreMissing } from '../../system/missing-file.ts'
import type { Run } from '../../system/run-command.ts'
import { encodePem } from '../certificate.ts'
import { withFolderLock } from '../folder-lock.ts'
import type { RootIdentity, TrustStore } from './trust-store.ts'

/** Where a distribution keeps anchors. */
export interface Distribution {
  /** `ID` and `ID_LIKE` of os-release(5) that mean it. */
  readonly ids: readonly string[]
  readonly folder: string
  readonly extension: '.crt' | '.pem'
  readonly command: readonly [string, ...string[]]
  /** The command after an anchor is gone, where it is another. */
  readonly removal?: readonly [string, ...string[]]
  /** What the command writes: every trusted root, PEM. */
  readonly bundle: string
}

// Sources: update-ca-certificates(8) of Debian and Alpine, update-ca-trust(8) of Fedora, trust(1) on Arch,
// update-ca-certificates(8) of openSUSE.
export const distributions: readonly Distribution[] = [
  {
    ids: ['debian', 'ubuntu'],
    folder: '/usr/local/share/ca-certificates',
    extension: '.crt',
    command: ['update-ca-certificates'],
    // Without it Debian 12 leaves links to the file that is gone.
    removal: ['update-ca-certificates', '--fresh'],
    bundle: '/etc/ssl/certs/ca-certificates.crt',
  },
  {
    ids: ['fedora', 'rhel', 'centos'],
    folder: '/etc/pki/ca-trust/source/anchors',
    extension: '.pem',
    command: ['update-ca-trust', 'extract'],
    bundle: '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  },
  {
    ids: ['arch'],
    folder: '/etc/ca-certificates/trust-source/anchors',
    extension: '.crt',
    command: ['trust', 'extract-compat'],
    bundle: '/etc/ca-certificates/extracted/tls-ca-bundle.pem',
  },
  {
    ids: ['suse', 'opensuse', 'sles'],
    folder: '/etc/pki/trust/anchors',
    extension: '.pem',
    command: ['update-ca-certificates'],
    bundle: '/var/lib/ca-certificates/ca-bundle.pem',
  },
  {
    ids: ['alpine'],
    folder: '/usr/local/share/ca-certificates',
    extension: '.crt',
    command: ['update-ca-certificates'],
    bundle: '/etc/ssl/certs/ca-certificates.crt',
  },
]

/** The distribution that an os-release file describes: its own id first, then those it is like. */
export function findDistribution(osRelease: string): Distribution | undefined {
  const value = (key: string) =>
    new RegExp(`^${key}=["']?([^"'\n]*)`, 'm').exec(osRelease)?.[1]?.toLowerCase() ?? ''
  const ids = [value('ID'), ...value('ID_LIKE').split(/\s+/)]
  const wanted = ids.flatMap((id) => distributions.find((one) => one.ids.includes(id)) ?? [])
  return wanted[0]
}

/**
 * The anchors of a distribution; undefined: an unknown one. One process at a time changes them: of two commands that write the
 * bundle at once, the one that ends last may not have seen the other's file.
 */
export function createLinuxAnchors(distribution: Distribution | undefined, run: Run): TrustStore {
  const getDistribution = () => {
    if (distribution === undefined) throw new Error(unknownDistribution)
    return distribution
  }
  const getRootPath = ({ folder, extension }: Distribution, root: RootIdentity) =>
    join(folder, `cardwire-${root.fingerprint.slice(0, 16)}${extension}`)
  const update = async ([program, ...args]: Distribution['command']) => {
    const { status, output } = await run(program, args)
    if (status !== 0) throw new Error(`${program} failed: ${output.trim()}`)
  }
  const trusts = async (root: RootIdentity) => {
    const bundle =
      distribution && (await readFile(distribution.bundle, 'utf8').catch(ignoreMissing))
    return bundle ? stripPem(bundle).includes(stripPem(encodePem(root.der))) : false
  }

  return {
    name: 'anchors',
    scope: 'machine',
    removes: 'own',
    trusts,
    async listOwn() {
      if (distribution === undefined) return []
      const { folder, extension } = distribution
      const names = (await readdir(folder).catch(ignoreMissing)) ?? []
      const own = names.filter((name) => ownName.test(name) && name.endsWith(extension))
      return Promise.all(own.map((name) => readFile(join(folder, name), 'utf8')))
    },
    async findObstacle() {
      if (distribution === undefined) return { reason: unknownDistribution }
      const writable = await access(distribution.folder, constants.W_OK).then(
        () => true,
        () => false,
      )
      if (writable) return undefined
      const exists = await findStats(distribution.folder)
      return {
        reason: exists
          ? `only an administrator may write "${distribution.folder}"`
          : `"${distribution.folder}" does not exist: install the package ca-certificates`,
      }
    },
    async install(root) {
      const here = getDistribution()
      await mkdir(here.folder, { recursive: true })
      await withFolderLock(here.folder, async () => {
        await writeFile(getRootPath(here, root), encodePem(root.der), { mode: 0o644 })
        await update(here.command)
        if (!(await trusts(root))) throw new Error(`"${here.bundle}" does not hold the root`)
      })
    },
    async uninstall(root) {
      const here = getDistribution()
      const file = getRootPath(here, root)
      // The file may be removed and the bundle not updated, when the command failed the last time.
      if (!(await findStats(file)) && !(await trusts(root))) return
      await mkdir(here.folder, { recursive: true })
      await withFolderLock(here.folder, async () => {
        await rm(file, { force: true })
        await update(here.removal ?? here.command)
        if (await trusts(root)) throw new Error(`"${here.bundle}" still holds the root`)
      })
    },
  }
}

/** As `getRootPath` makes it. */
const ownName = /^cardwire-[0-9a-f]{16}\./

const unknownDistribution = 'this distribution is not known: add the root to its anchors by hand'

/** Base64 without what differs between writers of PEM. */
const stripPem = (pem: string) => pem.replace(/[\s-]|BEGIN CERTIFICATE|END CERTIFICATE|#.*$/gm, '')
