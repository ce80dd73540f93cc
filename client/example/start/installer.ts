/** This build of the connector as the installer that people download. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import type { Installer, Platform } from '@cardwire/client/protocol'
import * as z from 'zod/mini'
import { connectorBinary, root } from './place.ts'

const Manifest = z.object({ version: z.string() })

export async function connectorVersion(): Promise<string> {
  const manifest = await readFile(join(root, 'connector/package.json'), 'utf8')
  return z.parse(Manifest, JSON.parse(manifest)).version
}

/** Puts the binary into the packages folder of the service, where it is not there yet. */
export async function publishInstaller(version: string): Promise<Installer> {
  const path = `${version}/${basename(connectorBinary)}`
  const copy = join(resolve(root, process.env['DS_PACKAGES_DIR'] || 'data/packages'), path)
  const { size, mtimeMs } = await stat(connectorBinary)
  const there = await stat(copy).catch(() => undefined)
  if (there?.size !== size || there.mtimeMs < mtimeMs) {
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(connectorBinary, copy)
  }
  const digest = createHash('sha256')
  await pipeline(createReadStream(copy), digest)
  return { os: system(), uri: `file:///${path}`, size, sha256: digest.digest('hex') }
}

function system(): Platform {
  if (process.platform === 'win32') return 'WIN64'
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'MACOSARM' : 'MACOS'
  return 'UNIX'
}
