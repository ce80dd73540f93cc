/** The manifests of versions, which are published with their packages. */
import { createManifestName, SignedManifest } from '@cardwire/client/protocol'
import type { Package, Packages } from '../packages/packages.ts'

/** The largest file that is read as one, in bytes: a manifest of ours has two thousand. */
const maxBytes = 256 * 1024

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
