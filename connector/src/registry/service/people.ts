/**
 * The roots of persons' connectors, in the store of the machine, where Windows has to have them (Versioning §4): none of these
 * persons may write it. Each is a file of its person, so that it goes in only when it signs for this machine's own names.
 */
import { readdir, stat } from 'node:fs/promises'
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
import { maxCertificateFileBytes, readSmallFile } from '../../small-file.ts'
import { getFolders } from '../../system/folders.ts'

export interface People {
  /** The folder of all profiles, `C:\Users`. */
  readonly profiles: string
  readonly stores: () => Promise<readonly TrustStore[]>
  /** Names beside those of this machine for which a root may sign. */
  readonly hosts: readonly string[]
  /** How long connectors that have just started may take to make their roots, in milliseconds. */
  readonly timeoutMs: number
}

/** A person, and what the stores have of that person's root; undefined: it was refused, and `reason` says why. */
export interface PersonTrust {
  readonly person: string
  readonly results: readonly StoreResult[]
  readonly reason?: string
}

/** Adds the root of each person who has one; waits for those whose connector has made none yet. */
export async function trustPeople(people: People): Promise<readonly PersonTrust[]> {
  const { timeoutMs } = people
  const giveUp = performance.now() + timeoutMs
  while ((await isRootMissing(people)) && performance.now() < giveUp) await Bun.sleep(200)
  return forEachPerson(people, async (root) =>
    installRoot(await people.stores(), root, people.hosts),
  )
}

/** Removes them; the files stay. A file that names something else than a root of a connector removes nothing. */
export const untrustPeople = (people: People): Promise<readonly PersonTrust[]> =>
  forEachPerson(people, async (root) => uninstallRoot(await people.stores(), root, people))

/** Acts on the root of each person that may be trusted. */
async function forEachPerson(
  { profiles, hosts }: People,
  act: (root: Certificate) => Promise<readonly StoreResult[]>,
): Promise<readonly PersonTrust[]> {
  const done: PersonTrust[] = []
  for (const person of await listPeople(profiles)) {
    const pem = await readSmallFile(rootOf(profiles, person), maxCertificateFileBytes).catch(
      () => undefined,
    )
    const root = pem === undefined ? undefined : tryReadCertificate(pem)
    if (root === undefined) continue
    const judged = TrustableRoot.judge(root.pem, hosts)
    done.push(
      typeof judged === 'string'
        ? { person, results: [], reason: `the root may not be trusted: ${judged}` }
        : { person, results: await act(root) },
    )
  }
  return done
}

/** Whether nobody has a root, or a connector has begun that has none. */
async function isRootMissing({ profiles }: People): Promise<boolean> {
  const people = await listPeople(profiles)
  const states = await Promise.all(
    people.map(async (person) => ({
      started: await exists(getPersonFolders(profiles, person).runtime),
      hasRoot: await exists(rootOf(profiles, person)),
    })),
  )
  const isNobodyReady = !states.some(({ hasRoot }) => hasRoot)
  return isNobodyReady || states.some(({ started, hasRoot }) => started && !hasRoot)
}

/** Rejects when they cannot be listed: roots that nobody looked for must not pass for removed. */
const listPeople = async (profiles: string) => (await readdir(profiles)).toSorted()

/** By the defaults of Windows: the environment is that of another account. */
const getPersonFolders = (profiles: string, person: string) =>
  getFolders('win32', {}, join(profiles, person))

const rootOf = (profiles: string, person: string) =>
  join(getPersonFolders(profiles, person).certificates, fileNames.rootCert)

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
