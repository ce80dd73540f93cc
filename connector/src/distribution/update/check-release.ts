/** Checks that an installer belongs to a release: a service passes its manifest on, and cannot make it (docs/decisions/0069). */
import process from 'node:process'
import { downloadManifest } from '@cardwire/protocol/download'
import { SignedManifest } from '@cardwire/protocol/package-manifest'
import { errorText } from '../../system/error-text.ts'
import { readData } from '../client/ds-response.ts'
import { createTransport } from '../client/transport.ts'
import { toPlatform } from '../sync/device-info.ts'
import { readReleaseManifest, releaseKeys } from './release-manifest.ts'

export interface CheckedInstaller {
  /** The version that the service offers. */
  readonly version: string
  /** Of what was downloaded, lower-case hexadecimal. */
  readonly sha256: string
}

export interface OfferedInstaller extends CheckedInstaller {
  readonly dsUrl: string
  /** A file of roots that are trusted beside those of the system, PEM. */
  readonly caFile?: string | undefined
}

/** As a manifest names it. */
const thisMachine = {
  system: toPlatform(process.platform, process.arch),
  architecture: String(process.arch),
} as const

/** The installer is none of the release, as far as anybody can tell. The message is a sentence for the user. */
export class ReleaseRefused extends Error {
  constructor(reason: string) {
    super(`Cannot install it: ${reason}`)
  }
}

/**
 * Gets the manifest of the version, and checks the installer by it. `keys`: those of this build; where it knows none nothing is
 * checked, and the result is undefined. Throws ReleaseRefused.
 */
export async function checkRelease(
  installer: OfferedInstaller,
  keys: readonly string[] = releaseKeys,
  machine: typeof thisMachine = thisMachine,
): Promise<SignedManifest | undefined> {
  if (keys.length === 0) return undefined
  const signed = await fetchManifest(installer).catch((error) => {
    throw new ReleaseRefused(errorText(error))
  })
  checkManifest(signed, installer, keys, machine)
  return signed
}

/**
 * Throws ReleaseRefused unless a key of the releases has signed that a file of this digest belongs to the version, and is for this
 * machine.
 */
export function checkManifest(
  { manifest, signature }: SignedManifest,
  { version, sha256 }: CheckedInstaller,
  keys: readonly string[] = releaseKeys,
  machine: typeof thisMachine = thisMachine,
): void {
  try {
    const release = readReleaseManifest(Buffer.from(manifest), signature, keys)
    if (release.version !== version)
      throw new Error(`the manifest is that of version ${release.version}`)
    const file = release.files.find((one) => one.sha256 === sha256)
    if (!file) throw new Error('the release has no file with this SHA-256')
    const { system, architecture } = file
    if (system !== machine.system || architecture !== machine.architecture)
      throw new Error(
        `it is for ${system}, ${architecture}, and this is ${machine.system}, ${machine.architecture}`,
      )
  } catch (error) {
    throw new ReleaseRefused(errorText(error))
  }
}

async function fetchManifest({
  dsUrl,
  version,
  caFile,
}: OfferedInstaller): Promise<SignedManifest> {
  const response = await createTransport({ caFile })({
    method: 'GET',
    url: `${dsUrl}${downloadManifest.path}?version=${encodeURIComponent(version)}`,
  })
  if (response.status !== 200) throw new Error('the service has no manifest of this version')
  return readData(response, SignedManifest)
}
