/** Publishes the connector's binary as the installer that people download. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import type { Installer, Platform } from '@cardwire/client/protocol'
import * as z from 'zod/mini'
import { connectorBinary, root } from './paths.ts'

const Manifest = z.object({ version: z.string() })

export async function readConnectorVersion(): Promise<string> {
  const manifest = await readFile(join(root, 'connector/package.json'), 'utf8')
  return z.parse(Manifest, JSON.parse(manifest)).version
}

/** Copies the binary into the packages folder of the service, unless it is there already. */
export async function publishInstaller(version: string): Promise<Installer> {
  const path = `${version}/${basename(connectorBinary)}`
  const copy = join(resolve(root, process.env['DS_PACKAGES_DIR'] || 'data/packages'), path)
  const { size, mtimeMs } = await stat(connectorBinary)
  const existing = await stat(copy).catch(() => undefined)
  if (existing?.size !== size || existing.mtimeMs < mtimeMs) {
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(connectorBinary, copy)
  }
  const digest = createHash('sha256')
  await pipeline(createReadStream(copy), digest)
  return { os: getPlatform(), uri: `file:///${path}`, size, sha256: digest.digest('hex') }
}

function getPlatform(): Platform {
  if (process.platform === 'win32') return 'WIN64'
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'MACOSARM' : 'MACOS'
  return 'UNIX'
}
