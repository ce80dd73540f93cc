/** Writes the manifest of the packages that were made, and its signature where there is a key. */
import type { KeyObject } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageManifest } from '@cardwire/protocol'
import { hash } from '../../.ci/packaging/archives.ts'
import { manifestNames } from '../src/distribution/update/release-manifest.ts'
import type { PackageFile } from './package-facts.ts'
import { signManifest } from './signing-key.ts'

export function writeManifest(
  out: string,
  version: string,
  packages: readonly PackageFile[],
): void {
  const manifest: PackageManifest = {
    version,
    files: packages.map(({ file, system, architecture, slot }) => ({
      file,
      system,
      architecture,
      sha256: hash('sha256', join(out, file)),
      size: statSync(join(out, file)).size,
      ...(slot && { slot }),
    })),
  }
  writeFileSync(join(out, manifestNames.manifest), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Signs the manifest in a folder; returns the path of the signature. */
export function writeSignature(folder: string, key: KeyObject): string {
  const path = join(folder, manifestNames.signature)
  writeFileSync(path, signManifest(readFileSync(join(folder, manifestNames.manifest)), key))
  return path
}
