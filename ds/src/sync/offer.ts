/** The installer that a device is offered for an update. */
import { type Installer, type Offer, type Platform, Problem } from '@cardwire/protocol'
import { createSingleFlight } from '../db/single-flight.ts'
import { findInstallers } from '../packages/manifests.ts'
import { isFileUri, type Package, toPackageKey } from '../packages/packages.ts'
import { findEnding, type Machine } from '../rules/choose-package.ts'
import type { PackageChoice } from '../rules/installer-url.ts'
import type { Services } from '../services.ts'
import type { Release } from './catalog.ts'

/** Where this service serves an installer. */
export type CreateInstallerUrl = (os: Platform, version: string, choice: PackageChoice) => string

export function createOfferWriter(
  { packages, clock }: Pick<Services, 'packages' | 'clock'>,
  createInstallerUrl: CreateInstallerUrl,
) {
  /** Digests of files, with the entity tag each had: the service must not read an installer for every device. */
  const digests = new Map<string, { readonly etag: string; readonly value: string }>()
  const singleFlight = createSingleFlight(clock)

  return async (release: Release, os: Platform, machine: Machine): Promise<Offer | undefined> => {
    try {
      return await createOffer(release, os, machine)
    } catch (error) {
      // A device still gets the rest of its policy; nothing that it is offered could be downloaded now.
      if (error instanceof Problem && error.name === 'packages-unavailable') return undefined
      throw error
    }
  }

  async function createOffer(
    { id, uris }: Release,
    os: Platform,
    machine: Machine,
  ): Promise<Offer | undefined> {
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
    return { sha256: sha256 ?? (await readDigest(key, file)), size: size ?? file.size }
  }

  function readDigest(key: string, file: Package): Promise<string> {
    const { etag } = file
    const find = () => {
      const known = digests.get(key)
      return known?.etag === etag ? known : undefined
    }
    return singleFlight(`${key} ${etag}`, find, async () => {
      const value = await file.digest()
      digests.set(key, { etag, value })
      return value
    })
  }
}
