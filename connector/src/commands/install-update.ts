/**
 * `cardwire install-update`, which `cardwire update` starts with the rights of an administrator: it verifies a copy that nobody
 * else can change, and has the system install that copy.
 */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SignedManifest } from '@cardwire/protocol/package-manifest'
import { checkManifest, ReleaseRefused } from '../distribution/update/check-release.ts'
import { copyInstaller } from '../distribution/update/copy-installer.ts'
import {
  type Command,
  detectInstallerKind,
  findInstallCommand,
} from '../distribution/update/install-plan.ts'
import { releaseKeys } from '../distribution/update/release-manifest.ts'
import { removeLeftovers, updatePrefix } from '../distribution/update/remove-leftovers.ts'
import { readSmallFile } from '../small-file.ts'
import { scrubEnvironment } from '../system/desktop/programs.ts'
import { errorText } from '../system/error-text.ts'
import { rootFolder } from '../system/temporary-folder.ts'
import { getInstallationFolder } from './command-context.ts'
import { print, printError } from './terminal.ts'

export interface UpdateFiles {
  readonly version: string
  /** The file that was downloaded. */
  readonly installer: string
  /** Its SHA-256, lower-case hexadecimal. */
  readonly sha256: string
  /** The file with the signed manifest; undefined: this build knows no key of releases. */
  readonly manifest?: string | undefined
}

/** Bytes; a manifest of ours has two thousand. */
const maxManifestBytes = 256 * 1024

/** Exit status where the installer was not started: EX_DATAERR of sysexits.h, which no installer ends with. */
export const refusedStatus = 65

/** The exit status is that of the installer. */
export async function installUpdate(files: UpdateFiles): Promise<void> {
  process.exitCode = refusedStatus
  // Ctrl-C is for the installer, which knows where it may end.
  process.on('SIGINT', () => undefined)
  try {
    process.exitCode = await installCopy(files)
  } catch (error) {
    printError(error instanceof ReleaseRefused ? error.message : errorText(error))
  }
}

async function installCopy(files: UpdateFiles): Promise<number> {
  const place = findPlace()
  await removeLeftovers(place, Date.now())
  const folder = await mkdtemp(join(place, updatePrefix))
  try {
    // apt reads as an account of its own; only the owner writes.
    await chmod(folder, 0o755)
    const unnamed = join(folder, 'installer')
    const { sha256, firstBytes } = await copyInstaller(files.installer, unnamed)
    if (sha256 !== files.sha256)
      throw new ReleaseRefused(`its SHA-256 is ${sha256}, expected ${files.sha256}`)
    await checkSignature(files)
    const kind = detectInstallerKind(firstBytes)
    // Installers go by the ending of the name.
    const path = join(folder, `cardwire-installer${kind === undefined ? '' : `.${kind}`}`)
    await rename(unnamed, path)
    const { platform } = process
    const command = findInstallCommand(kind, path, { platform, hasProgram })
    if (command === undefined)
      throw new ReleaseRefused(
        `this system has no program that installs files of this kind (${kind ?? 'unknown'})`,
      )
    print(`Running ${command.join(' ')}`)
    return await runToEnd(command, { DEBIAN_FRONTEND: 'noninteractive' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkSignature({ manifest, version, sha256 }: UpdateFiles): Promise<void> {
  if (releaseKeys.length === 0) return
  if (manifest === undefined) throw new ReleaseRefused('its release manifest is missing')
  const signed = SignedManifest.safeParse(
    parseJson(await readSmallFile(manifest, maxManifestBytes)),
  )
  if (!signed.success) throw new ReleaseRefused('its release manifest is invalid')
  checkManifest(signed.data, { version, sha256 })
}

/** undefined where it is no JSON: an error would show the user what root can read. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where administrators alone write. */
function findPlace(): string {
  return process.platform === 'win32' ? getInstallationFolder() : rootFolder
}

export const hasProgram = (program: string) => Bun.which(program) !== null

/** Resolves with the exit status; -1 when it could not be started, or was ended. Terminal and output are those of this process. */
export function runToEnd(
  [program, ...args]: Command,
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...scrubEnvironment(process.env), ...variables },
    })
    child.once('error', () => resolve(-1))
    child.once('exit', (status) => resolve(status ?? -1))
  })
}
