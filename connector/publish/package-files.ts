/** The files that are published: which there are, for which system each is, and their SHA-256. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  createManifestName,
  PackageManifest,
  type Platform,
  type SignedManifest,
} from '@cardwire/protocol'
import {
  ManifestRefused,
  readReleaseManifest,
} from '../src/distribution/update/release-manifest.ts'
import { PublishError, type PublishOptions } from './options.ts'

export interface PublishedFile {
  /** Where it is, or what is in it. */
  readonly content: { readonly path: string } | { readonly text: string }
  /** Its name on the service. */
  readonly name: string
  readonly size: number
  /** Hex. */
  readonly sha256: string
  /** Absent for a manifest. */
  readonly system?: Platform
}

/** By the end of the name. Of several for a system the first here is the one that downloads send. */
const systemsBySuffix: readonly (readonly [suffix: string, system: Platform])[] = [
  ['_amd64.deb', 'UNIX'],
  ['.x86_64.rpm', 'UNIX'],
  ['_arm64.deb', 'UNIX'],
  ['.aarch64.rpm', 'UNIX'],
  ['.deb', 'UNIX'],
  ['.rpm', 'UNIX'],
  ['-x86.msi', 'WIN32'],
  ['.msi', 'WIN64'],
  ['-arm64.pkg', 'MACOSARM'],
  ['.pkg', 'MACOS'],
]

const manifestName = 'manifest.json'

/** Packages first, the one for downloads of each system before others, then the manifest with its signature. */
export async function findFiles(options: PublishOptions): Promise<readonly PublishedFile[]> {
  const { files, folder } = options
  const paths = files.length > 0 ? files : listFolder(folder)
  if (options.ds !== undefined) for (const path of paths) checkName(path, options.version)
  const packages = await Promise.all(
    paths
      .filter((path) => !basename(path).startsWith(manifestName))
      .toSorted((a, b) => findSuffix(a) - findSuffix(b))
      .map(readFile),
  )
  const manifest = paths.find((path) => basename(path) === manifestName)
  if (manifest === undefined) return packages
  checkManifest(manifest, options.version, packages)
  return [...packages, createManifestFile(manifest, options)]
}

function listFolder(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const found = names.filter((name) => name === manifestName || findSuffix(name) >= 0)
  if (found.some((name) => name !== manifestName)) return found.map((name) => join(folder, name))
  throw new PublishError(
    `Cannot find packages in "${folder}": make them with npm run package -w connector, or name files`,
  )
}

const findSuffix = (path: string): number =>
  systemsBySuffix.findIndex(([suffix]) => path.endsWith(suffix))

/** A package of another version would be offered again and again. A name may have none; deb and rpm write ~ before rc.1. */
function checkName(path: string, version: string): void {
  const found = /[_-](\d+\.\d+\.\d+)/.exec(basename(path))?.[1]
  if (found === undefined || found === /^[\d.]+/.exec(version)?.[0]) return
  throw new PublishError(
    `Cannot publish "${path}" as version ${version}: its name says ${found}; make packages with --version ${version}, or publish --version ${found}`,
  )
}

async function readFile(path: string): Promise<PublishedFile> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new PublishError(`Cannot read "${path}": there is no such file`)
  const system = systemsBySuffix[findSuffix(path)]?.[1]
  if (system === undefined)
    throw new PublishError(`Cannot publish "${path}": expected a deb, rpm, msi or pkg`)
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part)
  const [name, sha256] = [basename(path), hash.digest('hex')]
  return { content: { path }, name, size: stats.size, sha256, system }
}

/** A manifest of another build would make devices refuse the packages. */
function checkManifest(path: string, version: string, files: readonly PublishedFile[]): void {
  const parsed = PackageManifest.safeParse(parseJson(readFileSync(path, 'utf8')))
  if (!parsed.success) throw new PublishError(`Cannot use "${path}": it is not a manifest`)
  if (parsed.data.version !== version)
    throw new PublishError(`Cannot use "${path}": it is of version ${parsed.data.version}`)
  for (const { name, sha256 } of files) {
    const listed = parsed.data.files.find(({ file }) => file === name)
    if (listed?.sha256 !== sha256)
      throw new PublishError(`Cannot use "${path}": it has another "${name}", or none`)
  }
}

/** The manifest and its signature in one file. */
function createManifestFile(path: string, { version, releaseKeys }: PublishOptions): PublishedFile {
  if (!existsSync(`${path}.sig`))
    throw new PublishError(`Cannot use "${path}": its signature "${path}.sig" is not there`)
  const signed: SignedManifest = {
    manifest: readFileSync(path, 'utf8'),
    signature: readFileSync(`${path}.sig`, 'utf8').trim(),
  }
  checkSignature(path, signed, releaseKeys)
  const text = JSON.stringify(signed)
  return {
    content: { text },
    name: createManifestName(version),
    size: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}

/** Devices would refuse a manifest without it. */
function checkSignature(
  path: string,
  { manifest, signature }: SignedManifest,
  keys: readonly string[],
): void {
  // Ed25519 (RFC 8032 §5.1.6).
  if (!/^[A-Za-z0-9+/]{86}==$/.test(signature))
    throw new PublishError(`Cannot use "${path}.sig": it is not a signature of 64 bytes in base64`)
  if (keys.length === 0) return
  try {
    readReleaseManifest(Buffer.from(manifest), signature, keys)
  } catch (error) {
    if (!(error instanceof ManifestRefused)) throw error
    throw new PublishError(`Cannot use "${path}.sig": ${error.message}`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
