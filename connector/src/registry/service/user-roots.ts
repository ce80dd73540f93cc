/**
 * The roots of users' connectors, in the store of the machine, where Windows has to have them (Versioning §4): none of these
 * users may write it. Each is a file of its user, so a root is added only when it signs for this machine's own names.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Certificate } from '../../pki/certificate.ts'
import { fileNames } from '../../pki/certificate-folder.ts'
import {
  installRoot,
  type StoreResult,
  uninstallRoot,
} from '../../pki/trust-stores/install-root.ts'
import type { TrustStore } from '../../pki/trust-stores/trust-store.ts'
import { TrustableRoot } from '../../pki/trustable-root.ts'
import { tryReadCertificate } from '../../pki/validate.ts'
import { maxCertificateFileBytes } from '../../small-file.ts'
import { getFolders } from '../../system/folders.ts'
import type { UserFiles } from '../../system/windows-user-files.ts'

export interface UserRootsOptions {
  /** The folder of all profiles, `C:\Users`. */
  readonly profiles: string
  /** What is below it: users could lead this account elsewhere by links. */
  readonly files: UserFiles
  readonly stores: () => Promise<readonly TrustStore[]>
  /** Names beside those of this machine for which a root may sign. */
  readonly hosts: readonly string[]
  /** How long connectors that have just started may take to make their roots, in milliseconds. */
  readonly timeoutMs: number
}

/** A user, and what the stores have of that user's root; undefined: it was refused, and `reason` says why. */
export interface UserRootTrust {
  readonly user: string
  readonly results: readonly StoreResult[]
  readonly reason?: string
}

/** Adds the root of each user who has one; waits for those whose connector has made none yet. */
export async function trustUserRoots(options: UserRootsOptions): Promise<readonly UserRootTrust[]> {
  const { timeoutMs } = options
  const giveUp = performance.now() + timeoutMs
  while ((await isRootMissing(options)) && performance.now() < giveUp) await Bun.sleep(200)
  return forEachUser(options, async (root) =>
    installRoot(await options.stores(), root, options.hosts),
  )
}

/** Removes them; the files stay. A file that names something else than a root of a connector removes nothing. */
export const untrustUserRoots = (options: UserRootsOptions): Promise<readonly UserRootTrust[]> =>
  forEachUser(options, async (root) => uninstallRoot(await options.stores(), root, options))

/** Acts on the root of each user that may be trusted. */
async function forEachUser(
  { profiles, files, hosts }: UserRootsOptions,
  act: (root: Certificate) => Promise<readonly StoreResult[]>,
): Promise<readonly UserRootTrust[]> {
  const done: UserRootTrust[] = []
  for (const user of await listUsers(profiles)) {
    const pem = readRoot(files, user)
    const root = pem === undefined ? undefined : tryReadCertificate(pem)
    if (root === undefined) continue
    const judged = TrustableRoot.judge(root.pem, hosts)
    done.push(
      typeof judged === 'string'
        ? { user, results: [], reason: `the root certificate was rejected: ${judged}` }
        : { user, results: await act(root) },
    )
  }
  return done
}

/** Whether nobody has a root, or a connector has begun that has none. */
async function isRootMissing({ profiles, files }: UserRootsOptions): Promise<boolean> {
  const users = await listUsers(profiles)
  const states = users.map((user) => ({
    started: files.exists(toNames(user, userFolders.runtime)),
    hasRoot: files.exists(toNames(user, rootFile)),
  }))
  const isNobodyReady = !states.some(({ hasRoot }) => hasRoot)
  return isNobodyReady || states.some(({ started, hasRoot }) => started && !hasRoot)
}

/** Rejects when they cannot be listed: roots that nobody looked for must not pass for removed. */
const listUsers = async (profiles: string) => (await readdir(profiles)).toSorted()

/** Below a profile, by the defaults of Windows: the environment is that of another account. */
const userFolders = getFolders('win32', {}, '')
const rootFile = join(userFolders.certificates, fileNames.rootCert)

const toNames = (user: string, path: string) => [user, ...path.split(/[\\/]/)]

/** undefined: there is none that can be read. */
function readRoot(files: UserFiles, user: string): string | undefined {
  try {
    return files.read(toNames(user, rootFile), maxCertificateFileBytes)
  } catch {
    return undefined
  }
}
