/** Puts the list of known cards beside the binary: Debian's copy, of which every byte is known. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atrListName } from '../src/api/cards/atr-source.ts'

const run = promisify(execFile)

/** pcsc-tools of Debian 12, and SHA-256 of the list in it. Another list is another decision: change both together. */
const pinned = {
  package: 'pcsc-tools',
  version: '1.6.2-1',
  sha256: '4adebdd57a80f830b4017c02c531d6332fa0d7dccdd9ac94db43be0a918c9373',
}

const listPath = join('usr/share/pcsc', atrListName)
const copyrightPath = join('usr/share/doc', pinned.package, 'copyright')

/** The licence goes with the list (GPL-2 §1), under a name that says which file it is about. */
const licenceName = 'smartcard_list.LICENSE.txt'

export interface BuildOptions {
  /** The system whose installed package is looked at first; for tests. */
  readonly root?: string
  /** The program that downloads packages; for tests. */
  readonly aptGet?: string
  readonly sha256?: string
}

/**
 * Writes `smartcard_list.txt`, with the time of its release, and its licence into `distFolder`. Takes the installed
 * package, else downloads it. Throws when neither holds the pinned list.
 */
export async function buildAtrList(
  distFolder: string,
  { root = '/', aptGet = 'apt-get', sha256 = pinned.sha256 }: BuildOptions = {},
): Promise<void> {
  await mkdir(distFolder, { recursive: true })
  const work = await mkdtemp(join(tmpdir(), 'cardwire-atr-list-'))
  try {
    const installed = await holds(root, sha256)
    const tree = installed.kind === 'pinned' ? root : await download(work, aptGet, sha256)
    const target = join(distFolder, atrListName)
    await writeFile(target, await readFile(join(tree, listPath)))
    // Whether the system's copy is newer is told by these times.
    const { mtime } = await stat(join(tree, listPath))
    await utimes(target, mtime, mtime)
    await writeFile(join(distFolder, licenceName), await licence(tree, root))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function download(work: string, aptGet: string, sha256: string): Promise<string> {
  const exact = `${pinned.package}=${pinned.version}`
  try {
    await run(aptGet, ['download', exact], { cwd: work })
    const [archive = ''] = (await readdir(work)).filter((name) => name.endsWith('.deb'))
    await run('dpkg-deb', ['-x', archive, 'tree'], { cwd: work })
  } catch (error) {
    throw new Error(
      `Cannot get ${atrListName}: "${aptGet} download ${exact}" failed, on Debian 12 run "apt-get update" and build again\n${reason(error)}`,
    )
  }
  const tree = join(work, 'tree')
  const found = await holds(tree, sha256)
  if (found.kind === 'pinned') return tree
  throw new Error(
    `Cannot take ${atrListName} of ${exact}: its SHA-256 is ${found.sha256}, expected ${sha256}`,
  )
}

async function holds(tree: string, sha256: string) {
  const bytes = await readFile(join(tree, listPath)).catch(() => undefined)
  const actual = bytes ? createHash('sha256').update(bytes).digest('hex') : 'missing'
  return { kind: actual === sha256 ? 'pinned' : 'other', sha256: actual } as const
}

/** The package's copyright file, and the licence it refers to, which Debian keeps in one place for all packages. */
async function licence(tree: string, root: string): Promise<string> {
  const texts = [join(tree, copyrightPath), join(root, 'usr/share/common-licenses/GPL-2')]
  try {
    const [copyright = '', gpl = ''] = await Promise.all(
      texts.map((path) => readFile(path, 'utf8')),
    )
    return `${copyright.trimEnd()}\n\n${'-'.repeat(78)}\n\n${gpl}`
  } catch (error) {
    throw new Error(`Cannot ship ${atrListName} without its licence\n${reason(error)}`)
  }
}

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))
