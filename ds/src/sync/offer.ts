/** The installer that a device is offered for an update. */
import type { Installer, Offer, Platform } from '@cardwire/client/protocol'
import { findInstallers } from '../packages/manifests.ts'
import { isFileUri, type Packages, toPackageKey } from '../packages/packages.ts'
import { findEnding, type Machine } from '../rules/choose-package.ts'
import type { PackageChoice } from '../rules/installer-url.ts'
import type { Release } from './catalog.ts'

/** Where this service serves an installer. */
export type CreateInstallerUrl = (os: Platform, version: string, choice: PackageChoice) => string

export function createOfferWriter(packages: Packages, createInstallerUrl: CreateInstallerUrl) {
  /** Digests of files, by key and entity tag: the service must not read an installer for every device. */
  const digests = new Map<string, string>()

  return async (
    { id, uris }: Release,
    os: Platform,
    machine: Machine,
  ): Promise<Offer | undefined> => {
    const registered = uris.find((uri) => uri.os === os)
    if (!registered) return undefined
    const fitting = await findInstallers(packages, id, registered, machine)
    const [installer] = fitting ?? [registered]
    if (!installer) return undefined
    const { uri } = installer
    const choice =
      'architecture' in installer && uri !== registered.uri
        ? { architecture: installer.architecture, format: findEnding(uri) }
        : {}
    const { sha256, size } = await readFileFacts(installer)
    return {
      version: id,
      url: isFileUri(uri) ? createInstallerUrl(os, id, choice) : new URL(uri).href,
      ...(sha256 !== undefined && { sha256 }),
      ...(size !== undefined && { size }),
    }
  }

  /** Digest and size as they were registered, else those of the file in the packages folder. */
  async function readFileFacts({
    uri,
    sha256,
    size,
  }: Installer): Promise<Pick<Installer, 'sha256' | 'size'>> {
    const key = toPackageKey(uri)
    if (key === undefined || (sha256 !== undefined && size !== undefined)) return { sha256, size }
    const file = await packages.find(key)
    if (!file) return { sha256, size }
    const cacheKey = `${key} ${file.etag}`
    const fileDigest = sha256 ?? digests.get(cacheKey) ?? (await file.digest())
    digests.set(cacheKey, fileDigest)
    return { sha256: fileDigest, size: size ?? file.size }
  }
}
