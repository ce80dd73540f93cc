/** Publishes what users download: the package of this build where there is one, else the connector's binary. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import type { Installer, Platform } from '@cardwire/protocol'
import * as z from 'zod/mini'
import { connectorBinary, connectorPackages, root } from './paths.ts'

const Manifest = z.object({ version: z.string() })

export async function readConnectorVersion(): Promise<string> {
  const manifest = await readFile(join(root, 'connector/package.json'), 'utf8')
  return z.parse(Manifest, JSON.parse(manifest)).version
}

/** Copies it into the packages folder of the service, unless it is there already. */
export async function publishInstaller(version: string): Promise<Installer> {
  const file = findInstaller(connectorPackages, version) ?? connectorBinary
  const path = `${version}/${basename(file)}`
  const copy = join(resolve(root, process.env['DS_PACKAGES_DIR'] || 'data/packages'), path)
  const { size, mtimeMs } = await stat(file)
  const existing = await stat(copy).catch(() => undefined)
  if (existing?.size !== size || existing.mtimeMs < mtimeMs) {
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(file, copy)
  }
  const digest = createHash('sha256')
  await pipeline(createReadStream(copy), digest)
  return { os: getPlatform(), uri: `file:///${path}`, size, sha256: digest.digest('hex') }
}

/** The Debian package for this machine that `npm run package -w connector` made of this version, in `folder`. */
export function findInstaller(
  folder: string,
  version: string,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): string | undefined {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[String(arch)]
  if (platform !== 'linux' || architecture === undefined) return undefined
  const file = join(folder, `cardwire_${version.replace('-', '~')}_${architecture}.deb`)
  return existsSync(file) ? file : undefined
}

function getPlatform(): Platform {
  if (process.platform === 'win32') return 'WIN64'
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'MACOSARM' : 'MACOS'
  return 'UNIX'
}
