/** Chromium and what is made of it, for every account of a machine: a policy file that has roots to trust, without a database of a user. */
import { access, chmod, constants, mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod'
import { ignoreMissing } from '../../system/missing-file.ts'
import { encodePem } from '../certificate.ts'
import type { RootIdentity, TrustStore } from './trust-store.ts'

/** Where they look for managed policies on Linux (chromeenterprise.google/policies, learn.microsoft.com/deployedge). */
export const chromiumPolicyFolders = {
  chromium: '/etc/chromium/policies/managed',
  // Ubuntu's, a snap.
  'chromium-browser': '/etc/chromium-browser/policies/managed',
  chrome: '/etc/opt/chrome/policies/managed',
  edge: '/etc/opt/edge/policies/managed',
} as const

/** Ours alone: browsers merge the files of the folder by the names of policies. */
export const chromiumPolicyName = 'cardwire-roots.json'

// Base64 of DER.
const Policy = z.object({ CACertificates: z.array(z.base64()) })

/** `browser`: as the results of trust name it. */
export function createChromiumPolicy(browser: string, folder: string): TrustStore {
  const file = join(folder, chromiumPolicyName)
  const read = async () => readRoots(await readFile(file, 'utf8').catch(ignoreMissing))
  const write = (roots: readonly string[]) =>
    writeFileAtomic(file, `${JSON.stringify({ CACertificates: roots }, null, 2)}\n`, {
      mode: 0o644,
    })
  const readOthers = async (root: RootIdentity) =>
    (await read()).filter((each) => each !== toBase64(root))

  return {
    name: `${browser}-policy`,
    scope: 'machine',
    removes: 'own',
    async findObstacle() {
      const isWritable = await access(await findExisting(folder), constants.W_OK).then(
        () => true,
        () => false,
      )
      return isWritable ? undefined : { reason: `only an administrator may write "${folder}"` }
    },
    listOwn: async () => (await read()).map((base64) => encodePem(Buffer.from(base64, 'base64'))),
    async trusts(root) {
      const isListed = (await read()).includes(toBase64(root))
      return isListed && (await findOther(folder)) === undefined
    },
    async install(root) {
      const other = await findOther(folder)
      if (other !== undefined)
        throw new Error(
          `"${other}" already sets CACertificates, and browsers read only one such file. Add the root to that file`,
        )
      await makePublicFolder(folder)
      await write([...(await readOthers(root)), toBase64(root)])
    },
    async uninstall(root) {
      const others = await readOthers(root)
      if (others.length > 0) return write(others)
      await rm(file, { force: true })
      // What nobody else uses: not empty is no error.
      for (const each of [folder, dirname(folder), dirname(dirname(folder))])
        await rmdir(each).catch(() => undefined)
    },
  }
}

const toBase64 = ({ der }: RootIdentity) => Buffer.from(der).toString('base64')

function readRoots(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  try {
    return Policy.parse(JSON.parse(text)).CACertificates
  } catch {
    // The file is ours: what is in it otherwise is damage.
    return []
  }
}

/** Another file of the folder that has the same policy. Such files may have comments: they are searched as text. */
async function findOther(folder: string): Promise<string | undefined> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? []
  for (const name of names) {
    const path = join(folder, name)
    if (name === chromiumPolicyName || !name.endsWith('.json')) continue
    const text = await readFile(path, 'utf8').catch(() => '')
    if (/"CACertificates"\s*:/.test(text)) return path
  }
  return undefined
}

/** Which the browsers of every account read, whatever the umask of the administrator. Those that are there stay as they are. */
async function makePublicFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let each = folder; each.length >= first.length; each = dirname(each))
    await chmod(each, 0o755)
}

async function findExisting(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  return isThere ? folder : findExisting(dirname(folder))
}
