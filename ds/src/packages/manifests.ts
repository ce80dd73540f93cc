/** The manifests of versions, which are published with their packages. */
import {
  createManifestName,
  type Installer,
  PackageManifest,
  SignedManifest,
} from '@cardwire/protocol'
import { choosePackages, type ListedFile, type Machine } from '../rules/choose-package.ts'
import { isFileUri, type Package, type Packages, toFileUri, toPackageKey } from './packages.ts'

/** The largest file that is read as one, in bytes: our manifests have two thousand. Each download reads one. */
const maxBytes = 64 * 1024

/** What was published of a version, whoever signed it. */
export async function readManifest(
  packages: Packages,
  version: string,
): Promise<SignedManifest | undefined> {
  const file = await packages.find(createManifestName(version))
  if (!file || file.size === 0 || file.size > maxBytes) return undefined
  const text = new TextDecoder().decode(await readBytes(file, 0, file.size))
  return SignedManifest.safeParse(parseJson(text)).data
}

/** Parsed manifests by version, with the entity tag that each file had: one page of a file looks into those of all versions. */
type KnownManifests = Map<
  string,
  { readonly etag: string; readonly manifest: PackageManifest | undefined }
>
const known = new WeakMap<Packages, KnownManifests>()
/** So many are kept: with more versions, the rest is parsed again. */
const maxKnown = 500

/** What it says; undefined where there is none, or one of another version. */
export async function parseManifest(
  packages: Packages,
  version: string,
): Promise<PackageManifest | undefined> {
  const manifests: KnownManifests = known.get(packages) ?? new Map()
  known.set(packages, manifests)
  const etag = (await packages.find(createManifestName(version)))?.etag
  if (etag === undefined) return undefined
  const last = manifests.get(version)
  if (last?.etag === etag) return last.manifest
  const found = await readManifest(packages, version)
  const parsed = PackageManifest.safeParse(parseJson(found?.manifest ?? ''))
  const manifest = parsed.success && parsed.data.version === version ? parsed.data : undefined
  if (manifests.size < maxKnown || last) manifests.set(version, { etag, manifest })
  return manifest
}

/**
 * The packages of a version that a machine can install, as installers, the registered one first where it is among them. undefined:
 * nobody says which there are beside the registered one.
 */
export async function findInstallers(
  packages: Packages,
  version: string,
  registered: Installer,
  machine: Machine,
): Promise<readonly (Installer & Pick<ListedFile, 'architecture'>)[] | undefined> {
  const { os, uri } = registered
  const usual = isFileUri(uri) ? toPackageKey(uri) : undefined
  const manifest = usual === undefined ? undefined : await parseManifest(packages, version)
  if (usual === undefined || !manifest?.files.some(({ file }) => file === usual)) return undefined
  return choosePackages(manifest.files, os, machine, usual).map(
    ({ file, sha256, size, architecture }) => ({
      ...(file === usual ? registered : { os, uri: toFileUri(file), sha256, size }),
      architecture,
    }),
  )
}

export const readBytes = async (
  file: Package,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(await file.read(offset, offset + length - 1)).arrayBuffer())

/** undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
